package prefer

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// This file has two rules for spaces of one or two ordered parameters: numbers, ordinals and circles. Questions are chosen with a noise that is
// fixed, so to the model the same pair a little shifted is new evidence. A person with a favourite near an end of the range could be asked one
// question a dozen times, and the study could end at the end of the range without having shown anything next to it. The rules are:
//
//   - No study ends with a favourite while nothing next to it was shown, on any side of it that has room. The next question then tries what is missing.
//   - A near-repeat of a pair that the rater has answered is not asked while another pair may be.
//
// Distances are in the coordinates of the model, as parts of the range: on a log scale of its logarithm, on a circle of the shorter way.
const (
	neighbourReach = 0.1   // an option is next to the pick up to this distance, or one level away, …
	neighbourLeast = 0.05  // … and not nearer, for then it is the pick itself, unless the range ends there; …
	neighbourOther = 0.25  // … if it is no farther away than this in the other parameter
	neighbourTried = 0.075 // the distance at which a missing neighbour is tried; the pick may move a little by the answer

	repeatReach = 0.05 // both options of a near-repeat are this near to those of an answered pair, …
	repeatShare = 0.25 // … and within this part of the distance between the two
)

// untried is a side of the pick on which no neighbour was shown: what would be one, and the values between which nothing was.
type untried struct {
	neighbour []float64
	between   [2]space.Option
}

// untried returns the sides of a pick on which nothing next to it was shown, in a question that is no longer open or a duel that was observed.
// A side that a constraint closes has no neighbour, nor has one on which the range ends nearer than the separation of two options that may be asked.
func (v view) untried(pick []float64, separation float64) (out []untried) {
	free := v.code.Ordered()
	if free == nil || separation <= 0 || separation > neighbourTried {
		return nil
	}
	d := v.Own(v.rater).Duels
	shown := slices.Collect(slices.Chunk(slices.Concat(d.A, d.B), v.code.Dim))
	for _, t := range v.said {
		if t.answer.Choice == Skip {
			shown = append(shown, t.a, t.b)
		}
	}
	for i, a := range free {
		near := func(x []float64) bool {
			for j, b := range free {
				if j != i && b.Apart(pick, x) > neighbourOther {
					return false
				}
			}
			return v.code.Concerns(x)
		}
		for _, direction := range []float64{-1, 1} {
			y, next := a.Beyond(pick, neighbourTried, direction)
			if y == nil || !v.code.Contains(y) || a.Ahead(pick, y, direction) < separation {
				continue
			}
			least := math.Min(neighbourLeast, a.Ahead(pick, y, direction)) - coding.SameOption
			first, to := math.Inf(1), []float64(nil)
			for _, x := range shown {
				if d := a.Ahead(pick, x, direction); d >= least && d < first && near(x) { // what is nearer is the pick itself
					first, to = d, x
				}
			}
			if first > math.Max(neighbourReach, next)+coding.SameOption {
				out = append(out, untried{y, a.Between(pick, to, direction)})
			}
		}
	}
	return out
}

// untried returns between which values nothing was shown next to a study's pick.
func (cfg *Config) untried(v view, best Best) (out [][2]space.Option, err error) {
	if v.code.Ordered() == nil {
		return nil, nil
	}
	x, err := v.code.Unit(best.Option)
	if err != nil {
		return nil, err
	}
	for _, side := range v.untried(x, cfg.Separation) {
		out = append(out, side.between)
	}
	return out, nil
}

// methodNeighbour marks the questions that try a missing neighbour of the pick.
const methodNeighbour = "neighbour"

// missing returns the pair of the pick and a neighbour of it that was never shown, if the study knows its favourite but for that; else nil.
func (s *Study) missing(ctx context.Context, v view, r rules) ([]float64, error) {
	if s.cfg.Separation <= 0 || v.code.Ordered() == nil || r.hold != nil || r.allowed != nil {
		return nil, nil
	}
	fit, err := s.beliefModel(ctx, v)
	if err != nil {
		return nil, err
	}
	peaks := s.cfg.recommend(ctx, fit, v)
	if err := ended(ctx); err != nil {
		return nil, err
	}
	for _, side := range v.untried(peaks[0].X, s.cfg.Separation) {
		if r.accept != nil && !r.accept(peaks[0].X, side.neighbour) {
			continue
		}
		if !s.cfg.mayKnow(fit.Belief, v, peaks) {
			return nil, nil
		}
		best, _, err := s.pick(ctx, v)
		if err != nil || !best.known(s.cfg.Confidence) {
			return nil, err
		}
		return slices.Concat(peaks[0].X, side.neighbour), nil
	}
	return nil, nil
}

// mayKnow reports whether a study may know its favourite, at a tenth of what Best costs. roughSlack is for the error of that.
func (cfg *Config) mayKnow(u learn.Belief, v view, peaks []acquisition.Peak) bool {
	const roughSlack = 0.1
	t := cfg.tolerance()
	at := learn.AssessRoughly(u, v.code, cfg.Seed, t, peaks, v.shown)
	return len(t.Steps) > 0 || at.Within >= cfg.Confidence-roughSlack || at.Best >= surely(cfg.Confidence)-roughSlack
}

// unrepeated returns the rule of accept without the near-repeats of pairs that a rater has answered. Only the rater's own answers count: where people share a utility
// the answer of another person to the same pair is evidence, and nobody is asked twice.
func (cfg *Config) unrepeated(v view, rater string) func(a, b []float64) bool {
	accept := cfg.accept(v)
	if cfg.Repeats || v.code.Ordered() == nil {
		return accept
	}
	var answered []*asked
	for _, t := range v.said {
		if t.rater == rater && t.answer.Choice != Skip {
			answered = append(answered, t.question)
		}
	}
	if answered == nil {
		return accept
	}
	return func(a, b []float64) bool {
		return (accept == nil || accept(a, b)) && !clash(v.code, answered, a, b, math.Min(repeatReach, repeatShare*v.code.Gap(a, b)))
	}
}
