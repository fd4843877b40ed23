// Package exchange moves data in and out of studies: the log in full (WriteLog, ReadLog), a tidy table for
// statistics (WriteTable), duels that were fought elsewhere (ReadPairs, ReadOptuna, ReadAEPsych) and lists of
// items (ReadItems). Every function only parses or prints: nothing is applied to a study here, and what cannot
// be understood is an error that names the line. docs/formats.md describes each format.
package exchange
