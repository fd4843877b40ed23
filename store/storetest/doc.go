// Package storetest has PostgreSQL servers for tests, and lines to them that break in the ways lines do.
//
// # Contents
//
//	cluster  a PostgreSQL server, and databases on it
//	line     a wire that can be cut, frozen and slowed down
package storetest
