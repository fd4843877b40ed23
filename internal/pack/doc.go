// Package pack puts a study into one HTML file that needs no server and no network: the core of prefer as WebAssembly, the pages, the media and
// the study. Opened from a disk or any static host the file asks, learns, takes back, ends and shows results; the log stays in the browser until somebody
// saves or sends it. docs/guides/pack.md has sizes, limits and what stays where.
//
//	err := pack.Write(ctx, w, pack.File{Name: "coffee", Config: cfg})
//
// Within the file a worker runs pack/wasm, where a session holds the study in memory and answers the requests of the pages. Its addresses, bodies, replies and
// problems are the server's, as far as a rater's page uses them.
//
// # Contents
//
//	file      the file, written            core      the program in it, found or built
//	session   a study with one person      calls     the requests its pages make
//	embedded  the core of a release
package pack
