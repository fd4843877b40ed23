// Package research exposes the model and its acquisitions to other processes, as lines of JSON over a pipe: a program in another
// language starts prefer research, and fits, asks and searches on arrays of numbers. Package external is the other way round.
//
// # Contents
//
//	session.go  requests in, replies out; what ends a session
//	array.go    numbers as they travel, and the caller's units and the unit cube
//	fit.go      a model from duels
//	posterior.go  models that are kept, by number: means, covariances, gradients, draws, one more answer
//	acquire.go  what given questions are worth, the best option and the best question
//
// A request is a line {"id": 1, "op": "fit", …}, its reply {"id": 1, …} or {"id": 1, "error": {"field": …, "message": …}}. Replies come in the order of the
// requests. An array in a line is {"shape": [n, d], "at": 0}; its numbers are little-endian float64 after the line, whose "bytes" says how many bytes follow:
// exact, and at 4096 × 6 points sixty times as fast as decimal numbers, twelve times as fast as base64 (BenchmarkArray). docs/guides/extend.md has the table of
// requests.
//
// The results of a request follow from the requests before it alone; everything random has a seed.
package research
