package live

import (
	"context"
	"encoding/json"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store/contract"
)

// Store keeps studies: their logs, notes beside them, and what makes work quicker and may be lost. *store.Store is one,
// on SQLite or PostgreSQL, and *Memory. Several processes may share a store; errors wrap those of package contract, and
// prefer.ErrConflict where another process was quicker.
type Store interface {
	// Create starts a study and keeps it, Study opens one, Delete removes it with everything about it, and List tells
	// what there is, sorted by name. The journal of a study is the store.
	Create(ctx context.Context, name string, cfg prefer.Config) (*prefer.Study, error)
	Study(ctx context.Context, name string) (*prefer.Study, error)
	Delete(ctx context.Context, name string) error
	List(ctx context.Context) ([]contract.Info, error)

	// Forget replaces everything that raters said or were asked, removes the notes about them and leaves marks that keep their names out
	// (contract.Marks); it returns how many events and notes that were. Who has the study open must open it again.
	Forget(ctx context.Context, study string, raters ...string) (removed int, err error)

	// Follow brings an open study to where its log ends and returns how many events that were; ok is false if it must
	// be opened again, because its past has changed.
	Follow(ctx context.Context, study *prefer.Study) (moved int, ok bool, err error)

	// Listen calls heard with what other processes append, until ctx ends, and without a study where something may have
	// been missed. A store that cannot tell returns false at once.
	Listen(ctx context.Context, heard func(contract.Change)) bool

	// Lease holds a study against others who would search for its next question. It saves work and promises nothing.
	Lease(ctx context.Context, study *prefer.Study) (release func(), err error)

	// KeepSnapshot keeps what makes the next opening quick. KeepAhead keeps what was chosen ahead for a rater, for
	// whichever process she comes to next, and UseAhead hands it to a study and reports whether that could use it.
	KeepSnapshot(ctx context.Context, study *prefer.Study) error
	KeepAhead(ctx context.Context, study *prefer.Study, rater string) error
	UseAhead(ctx context.Context, study *prefer.Study, rater string) (bool, error)

	// Notes are kept by the names of their study and their own. FindNote with no study looks in all of them; Notes
	// returns those whose names begin so, sorted; dropping one that is not there is no error. KeepDerived keeps one
	// that was made from answers, unless somebody has been forgotten since.
	// KeepNew keeps one unless there is one of its name, or no study: of several who try one succeeds, and FindNote says who.
	KeepNote(ctx context.Context, n contract.Note) error
	KeepNew(ctx context.Context, n contract.Note) error
	KeepDerived(ctx context.Context, study *prefer.Study, name, body string) error
	FindNote(ctx context.Context, study, name string) (n contract.Note, ok bool, err error)
	Notes(ctx context.Context, study, begins string) ([]contract.Note, error)
	DropNote(ctx context.Context, study, name string) error
}

// keepJSON keeps a note with this body.
func keepJSON(ctx context.Context, st Store, n contract.Note, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	n.Body = string(text)
	return st.KeepNote(ctx, n)
}
