// Package store keeps studies: their logs, notes beside them, and caches. It defines the interface and the errors of a store and has one in memory, which
// needs no database and builds for a browser. Package sqlstore implements the interface on SQLite and PostgreSQL.
package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prefer-bo/prefer"
)

// Store keeps studies: logs, notes, and caches. Errors wrap those of this package, and prefer.ErrConflict where another process was quicker.
type Store interface {
	// Create starts a study whose journal is the store, Study opens one, Delete removes it with everything about it, List lists them by name.
	Create(ctx context.Context, name string, cfg prefer.Config) (*prefer.Study, error)
	Study(ctx context.Context, name string) (*prefer.Study, error)
	Delete(ctx context.Context, name string) error
	List(ctx context.Context) ([]Info, error)

	// Forget erases what raters said or were asked and the notes about them, and marks their names; open studies must be opened again.
	Forget(ctx context.Context, study string, raters ...string) (removed int, err error)

	// Follow brings an open study to where its log ends and returns how many events that were; ok is false if its past has changed and it must be opened again.
	Follow(ctx context.Context, study *prefer.Study) (moved int, ok bool, err error)

	// Listen calls heard with what other processes append until ctx ends, without a study where something was missed. A store that cannot tell returns false.
	Listen(ctx context.Context, heard func(Change)) bool

	// Lease holds a study against others who would search for its next question. It saves work and promises nothing.
	Lease(ctx context.Context, study *prefer.Study) (release func(), err error)

	// KeepSnapshot keeps what makes the next opening quick, KeepAhead what was chosen ahead for a rater; UseAhead reports whether a study could use that.
	KeepSnapshot(ctx context.Context, study *prefer.Study) error
	KeepAhead(ctx context.Context, study *prefer.Study, rater string) error
	UseAhead(ctx context.Context, study *prefer.Study, rater string) (bool, error)

	Notes

	// KeepDerived keeps a note made from the answers of a study, unless somebody was forgotten since the study was opened.
	KeepDerived(ctx context.Context, study *prefer.Study, name, body string) error
}

// Notes keeps notes by the name of their study and their own.
type Notes interface {
	// KeepNote writes a note, KeepNew does so unless there is one of its name, or no study.
	KeepNote(ctx context.Context, n Note) error
	KeepNew(ctx context.Context, n Note) error

	// FindNote without a study looks in all of them; Notes returns those with a prefix, sorted by name.
	FindNote(ctx context.Context, study, name string) (n Note, ok bool, err error)
	Notes(ctx context.Context, study, prefix string) ([]Note, error)

	// DropNote removes a note. Dropping a missing one is a no-op.
	DropNote(ctx context.Context, study, name string) error
}

// Change is what happened to a study: where its log ends now, and the kind of the last event.
type Change struct {
	Study string `json:"study"`
	Seq   int    `json:"seq"`
	Kind  string `json:"kind"`
}

// Info is what a list says about a study.
type Info struct {
	Name    string    `json:"study"`
	Created time.Time `json:"created"`
	Changed time.Time `json:"changed"` // the time of the last event
	Events  int       `json:"events"`
	Answers int       `json:"answers"` // that count, as in prefer.Verdict.Answers: not taken back, no skips, no checks, of nobody who is left out
	Bytes   int       `json:"bytes"`   // of the log and its snapshot

	// Damage is why the study cannot be opened, as far as a list can tell; nil if nothing is known. The rest may be missing.
	Damage error `json:"-"`
}

// What the world can do to a store. Errors returned wrap one of these where a caller may want to tell them apart; their text says what to do.
var (
	ErrNoStudy     = errors.New("no such study")               // there is no study of this name
	ErrExists      = errors.New("the study exists already")    // there is a study of this name already
	ErrName        = errors.New("not a name for a study")      // a study cannot have this name
	ErrCorrupt     = errors.New("the store is damaged")        // the database, or a log in it, is damaged
	ErrReadOnly    = errors.New("the store is read-only")      // the store can be read, but not written
	ErrUnavailable = errors.New("the store cannot be reached") // the database cannot be reached, or was lost on the way
	ErrFull        = errors.New("no room left for the store")  // nothing is lost; go on when there is

	// ErrReplaced is what a store says whose file is no longer the one it has opened.
	ErrReplaced = errors.New("the file of the store was removed or replaced while it was open")
)

// Unreadable is a study that cannot be opened, while the others can: it is damaged, or of a newer version.
type Unreadable struct {
	Store string // its name
	Study string
	Err   error  // what is wrong with it: of a newer version what prefer.ErrNewer is in, else damage
	Newer bool   // it wraps ErrCorrupt unless this is set
	Do    string // what to do about it
}

func (u *Unreadable) Error() string {
	if u.Newer {
		return fmt.Sprintf("store: %s: study %q: %v", u.Store, u.Study, u.Err)
	}
	return fmt.Sprintf("store: %s: study %q: %v: %v: %s", u.Store, u.Study, ErrCorrupt, u.Err, u.Do)
}

func (u *Unreadable) Unwrap() []error {
	if u.Newer {
		return []error{u.Err}
	}
	return []error{ErrCorrupt, u.Err}
}
