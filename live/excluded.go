package live

import (
	"context"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer"
)

// Exclude is who is left out of what the group learns, or taken back.
type Exclude struct {
	Rater string `json:"rater" maxLength:"200" doc:"Who."`
	Why   string `json:"why,omitempty" maxLength:"2000" doc:"Why she is left out, for whoever reads the log later."`
	Back  bool   `json:"back,omitempty" doc:"Take her back."`
}

// Exclude leaves a rater out of what the group learns, or takes her back: under all names that she has in the log.
func (s *Studies) Exclude(ctx context.Context, study string, e Exclude) error {
	if err := CheckRater(e.Rater); err != nil {
		return err
	}
	return s.Change(ctx, study, "excluded", e.Rater, func(r *Study) error {
		names := r.namesOf(e.Rater)
		if len(names) == 0 {
			return fmt.Errorf("live: rater %q was never asked and has not answered: %w", e.Rater, prefer.ErrNoRater)
		}
		ctx := context.WithoutCancel(ctx)
		for _, name := range names {
			var err error
			if e.Back {
				err = r.Study.TakeBack(ctx, name)
			} else {
				err = r.Study.LeaveOut(ctx, name, e.Why)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// namesOf returns the names that a person has in the log, sorted.
func (r *Study) namesOf(person string) (names []string) {
	add := func(name string) {
		if PersonOf(name) == person && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	r.look(func(x *index) {
		for name := range x.last {
			add(name)
		}
		for name := range x.said {
			add(name)
		}
	})
	slices.Sort(names)
	return names
}
