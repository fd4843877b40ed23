// Package compare turns the rows of results files into statistics and documents.
//
// A [Table] holds the rows. Its group is a setting, problem × noise; its series is who searched, setup ×
// method; a run is one seed of a series in a group. Rows of another stack are a series like any other.
//
//	t, err := compare.Load("results.jsonl", "botorch.jsonl")
//	err = compare.Write("out", t, compare.Options{})
//
// # Where runs are compared
//
// A [Position] counts either all answers, initial pairs included ([Answers]: what a person had to do), or
// the questions after the initial pairs ([Iter]: what a method made of the same start). The two differ
// between series with initial designs of different size, so every table says which one it uses.
//
// # Statistics
//
// [Table.Summaries] gives median, quartiles, mean and the share of stuck runs; [Table.Compare] compares two
// series seed by seed; [Table.Against] compares one series with the best of several. Intervals are 95 %
// percentile bootstrap intervals, and a comparison that cannot tell two series apart says "~". All of it is a
// function of the rows alone, whatever their order.
//
// # Documents
//
// A [Document] is rendered as Markdown and as one HTML page that needs no other file. [New] makes the one
// about a table; a program with more to say appends sections of its own.
//
// # Contents
//
//	table                    rows by group, series and seed; one run, and where in it
//	summary                  quartiles, means, stuck runs and seconds of a series; how numbers are written
//	compare · bootstrap      two series seed by seed, one against the best of several, the share missed; intervals
//	report                   which sections a document has, and the choices of its reader
//	document · grid · chart  sections as Markdown, as a page and as CSV, their tables and their curves
package compare
