package prefer

import (
	"context"
	"maps"
	"math"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

// blindDuel is a blind duel as it is at one moment.
type blindDuel struct {
	*blindPair
	pick, rival []float64
	rater       string
	said        Choice // empty while it is open
}

func (q *asked) blind() blindDuel {
	d := blindDuel{blindPair: q.Blind, pick: q.a, rival: q.b, rater: q.Rater}
	if q.Blind.Pick == Second {
		d.pick, d.rival = q.b, q.a
	}
	if q.answer != nil {
		d.said = q.answer.answer.Choice
	}
	return d
}

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
