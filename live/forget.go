package live

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer"
)

// Forget erases everything a person said or was asked in a study, for good, with her links and what she is called; her name stays out
// until she is invited again. It returns how many events and notes that were. A name that nobody has is prefer.ErrNoRater.
func (s *Studies) Forget(ctx context.Context, study, rater string) (removed int, err error) {
	if err := CheckRater(rater); err != nil {
		return 0, err
	}
	var names []string
	if err := s.With(ctx, study, func(r *Study) error { names = r.namesOf(rater); return nil }); err != nil {
		return 0, err
	}
	if !slices.Contains(names, rater) { // who was invited, and asked nothing yet
		names = append(names, rater)
	}
	lasting, stop := lasting(ctx)
	defer stop()
	for _, name := range names {
		n, failed := s.store.Forget(lasting, study, name)
		removed, err = removed+n, errors.Join(err, failed)
	}
	if err == nil && removed == 0 {
		return 0, fmt.Errorf("live: study %q has nothing of rater %q: %w", study, rater, prefer.ErrNoRater)
	}
	s.Reopen(study) // which her answers are not to outlive in memory
	return removed, errors.Join(err, s.Change(lasting, study, linksChanged, "", func(*Study) error { return nil }))
}
