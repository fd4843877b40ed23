package live

import (
	"context"
	"fmt"
	"slices"
)

// Whom is the raters that something is done to: one by name, or all of whom something came by one upload token.
type Whom struct {
	Rater  string
	Origin string // the id of an upload token, in place of a rater
}

// String names them in a sentence.
func (w Whom) String() string {
	if w.Origin != "" {
		return fmt.Sprintf("everybody of the upload token %q", w.Origin)
	}
	return fmt.Sprintf("rater %q", w.Rater)
}

// check refuses what names both a rater and an origin, and names that no rater has.
func (w Whom) check() error {
	if w.Origin != "" && w.Rater != "" {
		return invalid("origin", w.Origin, "give a rater or an origin, not both: leave out one of them")
	}
	return CheckRater(w.Rater)
}

// none is the error of a study that has nothing of them.
func (w Whom) none(study string) error {
	if w.Origin != "" {
		return notFound("no_rater", "nothing in study %q came by the upload token %q", study, w.Origin)
	}
	return notFound("no_rater", "study %q has nothing of rater %q", study, w.Rater)
}

// Forget erases everything that raters said or were asked in a study, for good, with their links and what they are called; their names stay out
// until they are invited again. It returns how many events and notes that were. A name or an origin that nobody has is an error with the code "no_rater".
//
// An erasure that has begun is finished, whether or not the caller stays: the store bounds how long it waits for the database.
func (s *Studies) Forget(ctx context.Context, study string, whom Whom) (removed int, err error) {
	if err := whom.check(); err != nil {
		return 0, err
	}
	var names []string
	seq := 0
	if err := s.With(ctx, study, func(r *Study) error { names, seq = r.namesOf(whom), r.Seq(); return nil }); err != nil {
		return 0, err
	}
	if whom.Origin == "" && !slices.Contains(names, whom.Rater) { // who was invited, and asked nothing yet
		names = append(names, whom.Rater)
	}
	if len(names) == 0 {
		return 0, whom.none(study)
	}
	removed, err = s.store.Forget(context.WithoutCancel(ctx), study, names...)
	if err == nil && removed == 0 {
		return 0, whom.none(study)
	}
	s.Reopen(study) // which the answers are not to outlive in memory
	s.changes.tell(study, seq, linksChanged)
	return removed, err
}
