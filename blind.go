package prefer

import (
	"context"
	"fmt"
	"maps"
	"math"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

// moved returns how far a pick may be from an earlier one and be the same to a person.
func (cfg *Config) moved(c *coding.Coding) float64 {
	if c.List != nil {
		return coding.SameOption
	}
	return math.Max(cfg.Separation, coding.SameOption)
}

// blindPick returns the pick of a view as a point, and what is known about it. A study in which nobody has preferred anything has none.
func (s *Study) blindPick(ctx context.Context, v view) ([]float64, Best, *learn.Fit, error) {
	if v.Own(v.rater).Undecided() {
		return nil, Best{}, nil, notFound("no_pick", "nobody has preferred anything so far, answer some questions first")
	}
	best, fit, err := s.pick(ctx, v)
	if err != nil {
		return nil, Best{}, nil, err
	}
	x, err := v.code.Unit(best.Option)
	return x, best, fit, err
}

// askBlind asks a blind duel of the pick, or returns the one that is open. The study learns nothing from it: its next question is what it would be without.
func (s *Study) askBlind(ctx context.Context, r Request) (Question, error) {
	if r.Hold != nil || len(r.Fixed) > len(r.contexts) || r.Repeat != "" || r.Catch != nil {
		return Question{}, coding.Refuse("option", "Request.Blind leaves no choice of options, so it goes without Hold, Repeat and Catch, and Fixed has contexts alone")
	}
	for {
		v, err := s.look(ctx, Look{r.Rater, r.Fixed})
		if err != nil {
			return Question{}, err
		}
		pick, best, fit, err := s.blindPick(ctx, v)
		if err != nil {
			return Question{}, err
		}
		rivals := s.cfg.rivals(ctx, v, pick, best, fit.Belief)
		s.mu.Lock()
		q, ok, err := s.keepBlind(ctx, v, r, best.Option, pick, rivals)
		s.mu.Unlock()
		if ok || err != nil {
			return q, err
		}
	}
}

// keepBlind appends a blind duel unless one of the pick is open; ok is false if questions were asked, or items joined or left, since the view. The
// caller holds mu.
func (s *Study) keepBlind(ctx context.Context, v view, r Request, best space.Option, pick []float64, strong [][]float64) (_ Question, ok bool, err error) {
	if err := ended(ctx); err != nil {
		return Question{}, false, err
	}
	if len(s.state.order) != v.asked || s.state.list != v.code.All() {
		return Question{}, false, nil
	}
	same := s.cfg.moved(v.code)
	for _, q := range s.state.open[r.Rater] {
		if !r.Another && q.isBlind() && maps.Equal(q.Fixed, r.Fixed) && v.code.Gap(q.blind().pick, pick) <= same && !s.state.withdrawn(q) {
			return s.state.pose(q.Question), true, nil
		}
	}
	kind, rival := s.cfg.rival(v, r.Rater, pick, strong)
	if rival == nil {
		return Question{}, false, notFound("no_rival", "every other option has been put against the pick")
	}
	q := Question{ID: s.state.nextQuestion(), Rater: r.Rater, Method: methodBlind, Blind: &blindPair{First, kind}, Fixed: maps.Clone(r.Fixed),
		First: best, Second: v.code.Option(rival)}
	if splitmix.At(s.cfg.Seed^0xb11d, uint64(len(v.blind)))&1 == 1 {
		q.First, q.Second, q.Blind.Pick = q.Second, q.First, Second
	}
	if err := s.append(ctx, Event{Kind: kindAsked, Asked: &q}); err != nil {
		return Question{}, false, err
	}
	return s.state.pose(q), true, nil
}

// rivals returns the strong rivals of a pick, strongest first: that of the verdict, then others by their means.
func (cfg *Config) rivals(ctx context.Context, v view, pick []float64, best Best, law learn.Belief) (out [][]float64) {
	if best.Rival != nil {
		if u, err := v.code.Unit(best.Rival); err == nil {
			out = append(out, u)
		}
	}
	return append(out, pairs.Rivals(ctx, v.code, pick, v.shown, law, cfg.moved(v.code), cfg.Seed, cfg.Search.Workers)...)
}

// rival returns the next rival of the pick for a rater, and of which kind it is: strong and random by turns, as long as
// there are any the rater has not had; nil if there is none.
func (cfg *Config) rival(v view, rater string, pick []float64, strong [][]float64) (string, []float64) {
	near := cfg.moved(v.code)
	had := [][]float64{pick}
	for _, d := range v.blind {
		if d.rater == rater && v.code.Gap(d.pick, pick) <= near {
			had = append(had, d.rival)
		}
	}
	first, random := pairs.Rival(v.code, had, strong, near, splitmix.At(cfg.Seed^0xd1ce, uint64(len(v.blind))))
	if random == nil || first != nil && len(had)%2 == 1 {
		return rivalStrong, first
	}
	return rivalRandom, random
}

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
