package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store/contract"
)

// What the world can do to a store. Errors returned wrap one of these where a caller may want to tell them
// apart; their text says what to do. Most are those of package contract, which knows no database.
var (
	ErrNoStudy     = contract.ErrNoStudy                                // there is no study of this name
	ErrExists      = contract.ErrExists                                 // there is a study of this name already
	ErrName        = contract.ErrName                                   // a study cannot have this name
	ErrForeign     = errors.New("not a store of prefer")                // the file or database belongs to another program
	ErrNewer       = errors.New("the store is newer than this program") // a newer version of it has written its tables
	ErrCorrupt     = contract.ErrCorrupt                                // the database, or a log in it, is damaged
	ErrReadOnly    = contract.ErrReadOnly                               // the store can be read, but not written
	ErrUnavailable = contract.ErrUnavailable                            // the database cannot be reached, or was lost on the way
	ErrFull        = contract.ErrFull                                   // there is no room left; go on when there is
	ErrReplaced    = contract.ErrReplaced                               // its file is not the one that was opened
)

// advice says what to do about each error an engine can cause.
var advice = map[error]string{
	ErrCorrupt:     "stop writing, copy the files, and restore a backup or see docs/store.md",
	ErrReadOnly:    "check the permissions of the file and of its folder, or of the database role",
	ErrUnavailable: "see that the database runs, can be reached and is not locked by another program, then try again",
	ErrFull:        "make room and try again; what was kept is safe",
}

// explain says what an error of the engine means. Errors that are explained already, and those of a context, stay what they are.
func (s *Store) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	for _, known := range []error{prefer.ErrConflict, ErrNoStudy, ErrExists, ErrName, ErrForeign, ErrNewer, prefer.ErrNewer, ErrCorrupt, ErrReadOnly, ErrUnavailable, ErrFull, ErrReplaced} {
		if errors.Is(err, known) {
			return err
		}
	}
	if ctx.Err() != nil { // drivers report a cut call in many ways
		return fmt.Errorf("store: %s: %w", s.engine, context.Cause(ctx))
	}
	means := s.engine.explain(err)
	if errors.Is(err, context.DeadlineExceeded) { // not the caller's, but maxTransaction
		means = ErrUnavailable
	}
	if means != nil {
		return fmt.Errorf("store: %s: %w (%w): %s", s.engine, means, err, advice[means])
	}
	return err
}
