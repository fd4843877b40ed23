// Package storetest has PostgreSQL servers for tests, lines to them that break in the ways lines do, and disks that are soon full.
//
// # Contents
//
//	cluster  a PostgreSQL server, and databases on it
//	line     a wire that can be cut, frozen and slowed down
package storetest
