package store

import (
	"database/sql"

	"github.com/prefer-bo/prefer/internal/histogram"
)

// times are how long the database takes.
type times struct{ connections, reads, writes, commits histogram.Histogram }

// Times returns how long the database took so far: "connection" until there was one, "read" and "write" for whole
// transactions, the wait for a connection included, and "commit" for the end of those.
func (s *Store) Times() map[string]*histogram.Histogram {
	t := &s.times
	return map[string]*histogram.Histogram{"connection": &t.connections, "read": &t.reads, "write": &t.writes, "commit": &t.commits}
}

// Pool tells how many connections there are and how often all were in use.
func (s *Store) Pool() sql.DBStats { return s.db.Stats() }
