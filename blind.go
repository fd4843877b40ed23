package prefer

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/internal/sentence"
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

// askBlind asks a blind duel of the pick, or returns the one that is open. The study learns nothing from it: its next question is what it would be without.
func (s *Study) askBlind(ctx context.Context, r Request) (Question, error) {
	if r.Hold != nil || len(r.Fixed) > len(r.contexts) || r.Repeat != "" || r.Catch != nil {
		return Question{}, coding.Refuse("option", "Request.Blind leaves no choice of options, so it goes without Hold, Repeat and Catch, and Fixed has contexts alone")
	}
	for {
		v, best, pick, fit, err := s.preferred(ctx, Look{r.Rater, r.Fixed})
		if err != nil {
			return Question{}, err
		}
		near, n := s.cfg.moved(v.code), uint64(len(v.blind))
		had, open := [][]float64{pick}, s.OpenQuestions(r.Rater) // what the rater has seen in blind duels of this pick
		for _, d := range v.blind {
			if d.Rater != r.Rater || v.code.Gap(d.pick, pick) > near {
				continue
			}
			had = append(had, d.rival)
			if i := slices.IndexFunc(open, func(q Question) bool { return q.ID == d.ID }); i >= 0 && !r.Another && maps.Equal(d.Fixed, r.Fixed) {
				return open[i], nil
			}
		}
		strong := pairs.Rivals(ctx, v.code, pick, v.shown, fit.Belief, near, s.cfg.Seed, s.cfg.Search.Workers)
		if best.Rival != nil {
			x, err := v.code.Unit(best.Rival)
			if err != nil {
				return Question{}, err
			}
			strong = slices.Insert(strong, 0, x)
		}
		kind, rival := rivalStrong, pairs.Fresh(v.code, strong, had, near)
		random := pairs.Fresh(v.code, v.code.Even(pairs.RivalPoints, splitmix.At(s.cfg.Seed^0xd1ce, n)), had, near)
		if random != nil && (rival == nil || len(had)%2 == 0) { // by turns, as long as there are both
			kind, rival = rivalRandom, random
		}
		if rival == nil {
			return Question{}, notFound("no_rival", "every other option has been put against the pick")
		}
		q := Question{Rater: r.Rater, Fixed: maps.Clone(r.Fixed), Method: methodBlind, First: best.Option, Second: v.code.Option(rival), Blind: &blindPair{First, kind}}
		if splitmix.Coin(s.cfg.Seed^0xb11d, n) {
			q.First, q.Second, q.Blind.Pick = q.Second, q.First, Second
		}
		if q, ok, err := s.keepQuestion(ctx, chosenQuestion{Question: q, view: v}, true); ok || err != nil {
			return q, err
		}
	}
}

// Blind says how a rater's pick did in the blind duels that were asked with Request.Blind; in a shared study it is
// everybody's pick and everybody's duels, whichever rater is named. A study that has no pick yet is refused ("no_pick").
//
// The interval is about duels against rivals chosen like these. It is honest for a number of duels that was fixed before: those who go on until the pick
// holds will see it hold.
func (s *Study) Blind(ctx context.Context, l Look) (BlindCheck, error) {
	v, best, pick, _, err := s.preferred(ctx, l)
	if err != nil {
		return BlindCheck{}, err
	}
	return v.checked(best.Option, pick, s.cfg.moved(v.code)), nil
}

// checked counts the blind duels of a pick at x, and of those that are not further away than near.
func (v view) checked(pick space.Option, x []float64, near float64) BlindCheck {
	out := BlindCheck{Kind: "undecided", Pick: pick}
	sides := map[string][]int{} // by the kind of rival
	for _, d := range v.blind {
		switch {
		case !d.answered:
		case v.code.Gap(d.pick, x) > near:
			out.Stale++
		default:
			sides[d.Blind.Rival] = append(sides[d.Blind.Rival], d.side)
		}
	}
	out.Strong, out.Random = crowd.NewTally(sides[rivalStrong]), crowd.NewTally(sides[rivalRandom])
	out.Tally = crowd.NewTally(slices.Concat(sides[rivalStrong], sides[rivalRandom]))
	for _, t := range v.takes {
		if same := v.code.Gap(t.a, x) <= near; same && t.take {
			out.Take++
		} else if same {
			out.Decline++
		}
	}
	switch {
	case out.Of == 0:
		out.Kind = "unchecked"
	case out.Low > 0.5:
		out.Kind = "holds"
	case out.High < 0.5:
		out.Kind = blindFails
	}
	out.Sentence = sentence.Blind(out.Kind, out.Won, out.Of, out.Tied, out.Low, out.High).English()
	return out
}
