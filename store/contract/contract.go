// Package contract is what a store of studies and those who use one have in common, without a database: notes,
// changes, what a list says, and the errors a store can meet. Package store keeps to it on SQLite and PostgreSQL, and
// has the same names; who must run where there is no database, in a browser, imports this package in its place.
package contract

import (
	"errors"
	"time"
)

// What the world can do to a store. Errors returned wrap one of these where a caller may want to tell them
// apart; their text says what to do.
var (
	// ErrNoStudy: there is no study of this name.
	ErrNoStudy = errors.New("no such study")
	// ErrExists: there is a study of this name already.
	ErrExists = errors.New("the study exists already")
	// ErrName: a study cannot have this name.
	ErrName = errors.New("not a name for a study")
	// ErrCorrupt: the database, or a log in it, is damaged.
	ErrCorrupt = errors.New("the store is damaged")
	// ErrReadOnly: the store can be read, but not written.
	ErrReadOnly = errors.New("the store is read-only")
	// ErrUnavailable: the database cannot be reached, or was lost on the way.
	ErrUnavailable = errors.New("the store cannot be reached")
	// ErrFull: there is no room left. Nothing is lost; go on when there is.
	ErrFull = errors.New("no room left for the store")
)

// Note is something a program keeps beside the log of a study: how a service runs it, who was invited. The
// study does not depend on it, and it is deleted with the study.
type Note struct {
	Study string
	Name  string // of the note within its study
	Rater string // whom it is about, empty for nobody; forgetting her removes it
	Body  string
}

// Derived begins the names of notes that were made from a study's answers: forgetting anybody removes them.
const Derived = "derived/"

// Change is what happened to a study: where its log ends now, and the kind of the last event.
type Change struct {
	Study string `json:"study"`
	Seq   int    `json:"seq"`
	Kind  string `json:"kind"`
}

// Info is what a list says about a study.
type Info struct {
	Name    string
	Created time.Time
	Changed time.Time // the time of the last event
	Events  int
	Answers int // answers and observed duels that stand
	Bytes   int // of the log and its snapshot
}
