// Package exchange moves data in and out of studies: tidy tables for statistics (Table, Results), duels from other programs (Pairs) and
// for them (PairTable), lists of items (ReadItems), and study files (ReadStudy). Functions parse and print, and only Refresh changes a study. An error names the
// line that could not be read. docs/reference/formats.md describes each format; package logfile has the log in full.
//
// # Contents
//
//	study           a study file, and its schema
//	table           one row per answer, for statistics
//	results         what was found out about everybody, as tables
//	records         a table as CSV, JSON and JSON Lines
//	imported        what a file from elsewhere comes to
//	pairs           who beat whom, as a table and as JSON
//	meta            what goes with an answer
//	shape           what a row of pairs is, by the names of its columns
//	chosen          chosen and rejected, one or several; rankings
//	pairtable       chosen and rejected, and battles, out again
//	items · folder  a list of items from a table, from JSON Lines, from a folder of files; their content
//	difference      what has changed in a list or a folder; answers of one study for another
//	rows            tables of comma-separated values and types of their columns, texts line by line
package exchange
