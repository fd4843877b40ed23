package prefer

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/space"
)

// BlindCheck is what blind duels say about the study's pick. It rests on no model: it counts.
type BlindCheck struct {
	Kind string       `json:"kind"`
	Pick space.Option `json:"pick"`

	// Tally counts all duels of the pick but skips: Won, Lost and Tied (can't tell, both bad) Of so many, and Low and High, the 95 % interval of
	// Wilson for the share of wins, in which a tie is half a win. Strong and Random count those against either kind of rival.
	crowd.Tally
	Strong crowd.Tally `json:"strong"`
	Random crowd.Tally `json:"random"`

	// Stale counts the duels of an earlier pick, further from this one than Config.Separation: they say nothing about it.
	Stale int `json:"stale"`

	// Take and Decline count the raters who said that they would take the pick, and that they would not; see Study.Accept.
	Take    int `json:"take"`
	Decline int `json:"decline"`

	// Sentence says it in English. It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`
}

const (
	// Unchecked: there was none of this pick.
	blindUnchecked string = "unchecked"
	// Holds: the pick is taken more often than its rivals, Low > 1/2.
	blindHolds string = "holds"
	// Undecided: there were too few, or rivals are as good.
	blindUndecided string = "undecided"
	// Fails: the rivals are taken more often, High < 1/2.
	blindFails string = "fails"
)

// Blind says how a rater's pick did in the blind duels that were asked with Request.Blind; in a shared study it is
// everybody's pick and everybody's duels, whichever rater is named. A study that has no pick yet is refused ("no_pick").
//
// The interval is about duels against rivals chosen like these, and honest for a number of them that was fixed before: who
// goes on until it holds will be told that it holds.
func (s *Study) Blind(ctx context.Context, l Look) (BlindCheck, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return BlindCheck{}, err
	}
	pick, best, _, err := s.blindPick(ctx, v)
	if err != nil {
		return BlindCheck{}, err
	}
	out := v.checked(pick, s.cfg.moved(v.code))
	out.Pick = best.Option
	return out, nil
}

// checked counts the blind duels of a pick, and of those that are not further away than near.
func (v view) checked(pick []float64, near float64) BlindCheck {
	var out BlindCheck
	for _, d := range v.blind {
		k, _ := d.said.info()
		switch {
		case d.said == "" || d.said == Skip:
		case v.code.Gap(d.pick, pick) > near:
			out.Stale++
		default:
			pickSide, of := 1, &out.Random
			if d.Pick == Second {
				pickSide = -1
			}
			if d.Rival == rivalStrong {
				of = &out.Strong
			}
			for _, b := range []*crowd.Tally{&out.Tally, of} {
				b.Count(pickSide * k.Side)
			}
		}
	}
	for _, t := range v.takes {
		switch {
		case v.code.Gap(t.a, pick) > near:
		case t.take:
			out.Take++
		default:
			out.Decline++
		}
	}
	for _, b := range []*crowd.Tally{&out.Tally, &out.Strong, &out.Random} {
		b.Interval()
	}
	switch {
	case out.Of == 0:
		out.Kind = blindUnchecked
	case out.Low > 0.5:
		out.Kind = blindHolds
	case out.High < 0.5:
		out.Kind = blindFails
	default:
		out.Kind = blindUndecided
	}
	out.Sentence = out.sentence()
	return out
}

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
		_, best, _, err := s.blindPick(ctx, v)
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

func (t Taken) prepare(s *state) (func(), error) {
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

// Taken is what a rater says about an option by itself: whether they would take it. The latest word about it counts.
type Taken struct {
	ID     string       `json:"id"`
	Option space.Option `json:"option"`
	Rater  string       `json:"rater,omitempty"`
	Take   bool         `json:"take"`
}
