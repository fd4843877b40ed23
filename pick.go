package prefer

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/space"
)

// untried returns the sides of a pick on which nothing next to it was shown, in a question that is no longer open or a duel that was observed.
func (v view) untried(pick []float64, separation float64) []pairs.Untried {
	d := v.Own(v.rater).Duels
	shown := slices.Collect(slices.Chunk(slices.Concat(d.A, d.B), v.code.Dim))
	for _, t := range v.said {
		if t.answer.Choice == Skip {
			shown = append(shown, t.a, t.b)
		}
	}
	return pairs.FindUntried(v.code, pick, shown, separation)
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
		out = append(out, side.Between)
	}
	return out, nil
}

// missing returns the pair of the pick and a neighbour of it that was never shown, if the study knows its favourite but for that; else nil.
func (s *Study) missing(ctx context.Context, v view, r pairs.Rules) ([]float64, error) {
	if s.cfg.Separation <= 0 || v.code.Ordered() == nil || r.Hold != nil || r.Allowed != nil {
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
		if !r.Accepts(peaks[0].X, side.Neighbour) {
			continue
		}
		if !s.cfg.mayKnow(fit.Belief, v, peaks) {
			return nil, nil
		}
		best, _, err := s.pick(ctx, v)
		if err != nil || !best.known(s.cfg.Confidence) {
			return nil, err
		}
		return slices.Concat(peaks[0].X, side.Neighbour), nil
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
