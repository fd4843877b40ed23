package prefer

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// taken is what a rater would take, in the coordinates of the model.
type taken struct {
	a      []float64
	rater  string
	take   bool
	id     string
	option space.Option
}

// Accept records whether a rater would take an option, by default (nil) the study's pick: the one answer about an option by
// itself, and the only one that says of something that it is good enough. Duels say what is better, never what will do.
// The latest word about an option counts; saying the same again changes nothing.
func (s *Study) Accept(ctx context.Context, rater string, o space.Option, take bool) (Taken, error) {
	if o == nil {
		v, err := s.look(ctx, Look{Rater: rater})
		if err != nil {
			return Taken{}, err
		}
		best, _, err := s.blindPick(ctx, v)
		if err != nil {
			return Taken{}, err
		}
		o = best.Option
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.state.code.Unit(o)
	if err != nil {
		return Taken{}, err
	}
	if i := s.state.word(rater, x); i >= 0 && s.state.takes[i].take == take {
		t := s.state.takes[i]
		return Taken{ID: t.id, Option: maps.Clone(t.option), Rater: rater, Take: take}, ended(ctx)
	}
	t := Taken{ID: fmt.Sprint("t", s.state.seq+1), Option: maps.Clone(o), Rater: rater, Take: take}
	if err := s.append(ctx, Event{Kind: kindTaken, Taken: &t}); err != nil {
		return Taken{}, err
	}
	t.Option = maps.Clone(o)
	return t, nil
}

func (s *state) prepareTaken(t Taken) (func(), error) {
	if t.ID == "" {
		return nil, fmt.Errorf("prefer: taken has no id")
	}
	x, err := s.code.Unit(t.Option)
	if err != nil {
		return nil, err
	}
	return func() {
		if i := s.word(t.Rater, x); i >= 0 {
			s.takes = slices.Delete(s.takes, i, i+1)
		}
		s.takes = append(s.takes, taken{x, t.Rater, t.Take, t.ID, t.Option})
	}, nil
}

// word returns the place of what a rater said about taking the option at x, or −1.
func (s *state) word(rater string, x []float64) int {
	return slices.IndexFunc(s.takes, func(t taken) bool { return t.rater == rater && coding.Gap(t.a, x) <= coding.SameOption })
}
