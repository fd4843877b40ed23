// Package storetest has PostgreSQL servers for tests, and lines to them that break in the ways lines do.
package storetest
