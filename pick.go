package prefer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/space"
)

// view collects what matters to a rater: everything in a shared study, else what is theirs.
func (s *Study) view(rater string) view {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.view(rater)
}

// look is the view of somebody who wants to know about a utility. A study per rater has none of nobody, unless somebody without a name
// was asked, or answered, while it was shared.
func (s *Study) look(ctx context.Context, l Look) (view, error) {
	if err := ended(ctx); err != nil {
		return view{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.Rater == "" && s.state.cfg.People == PerRater && !s.state.knows("") {
		return view{}, coding.Refuse("per_rater", "every rater of this study has their own utility: name one of them, or see Group for all")
	}
	return s.state.look(l)
}

// worthwhile is the least that ten more answers must be expected to add to Best.Beats for a study to go on: one point of a hundred at a confidence of 0.9,
// half a point at 0.95.
func (cfg *Config) worthwhile() float64 { return 0.1 * (1 - cfg.Confidence) }

// settled reports whether more answers would hardly improve a pick. Where all options are much alike, and with a single parameter and a person who errs, the
// rank stays in doubt for long while nothing is noticeably better than the pick: that ends a study, too, at half of the doubt if there are several parameters,
// where it is true less often than it says.
func (cfg *Config) settled(b Best) bool {
	sure := (1 + cfg.Confidence) / 2
	if len(cfg.Space.Parameters) == 1 && len(cfg.Space.Items) == 0 {
		sure = cfg.Confidence
	}
	return b.tenMore() < cfg.worthwhile() || b.Confidence >= sure
}

// picked returns Best for a view; where it is remembered nothing is fitted.
func (s *Study) picked(ctx context.Context, v view) (Best, error) {
	if b, ok := s.picks.Get(s.pickKey(v)); ok {
		return b.clone(), nil
	}
	b, _, err := s.pick(ctx, v)
	return b, err
}

// pick returns Best for a view and the fit it rests on.
func (s *Study) pick(ctx context.Context, v view) (Best, *learn.Fit, error) {
	fit, err := s.beliefModel(ctx, v)
	if err != nil {
		return Best{}, nil, err
	}
	fit.Using.Lock()
	defer fit.Using.Unlock()
	key := s.pickKey(v)
	if b, ok := s.picks.Get(key); ok {
		return b.clone(), fit, nil
	}
	peaks, from := s.cfg.recommend(ctx, fit, v)
	if err := ended(ctx); err != nil {
		return Best{}, nil, err
	}
	level := v.LevelRater(v.rater)
	at := learn.Assess(fit.Belief, v.code, s.cfg.Seed, s.cfg.tolerance(), peaks, from, level, v.Chosen(level))
	b := Best{Option: v.code.Option(peaks[0].X), Confidence: at.Within, Beats: at.Beats, Top: at.Best, TopShare: learn.Enough(v.code), RivalClose: at.Rival}
	b.Mean, b.SD = fit.Belief.At(peaks[0].X)
	if at.Other != nil {
		b.Rival = v.code.Option(at.Other)
	}
	if level >= 0 {
		b.Taken, b.Displeased = at.Take, at.Nothing
	}
	s.picks.Put(key, b)
	return b.clone(), fit, nil
}

// preferred returns a view with its pick, the pick's point, and what it rests on. A study in which nobody has preferred anything has no pick.
func (s *Study) preferred(ctx context.Context, l Look) (v view, best Best, x []float64, fit *learn.Fit, err error) {
	if v, err = s.look(ctx, l); err != nil {
		return v, best, nil, nil, err
	}
	if v.Own(v.rater).Undecided() {
		return v, best, nil, nil, notFound("no_pick", "nobody has preferred anything so far, answer some questions first")
	}
	if best, fit, err = s.pick(ctx, v); err == nil {
		x, err = v.code.Unit(best.Option)
	}
	return v, best, x, fit, err
}

// named returns a pick without the rival of a list: whatever RivalClose is, it is the second best too seldom (60 of 100 lists with features, 33 without).
func (v view) named(b Best) Best {
	if v.code.List != nil {
		b.Rival = nil
	}
	return b
}

func (b Best) clone() Best {
	b.Option, b.Rival = maps.Clone(b.Option), maps.Clone(b.Rival)
	return b
}

// pickKey names all that a pick depends on: the study as it was made, what it has learned from and the items.
func (s *Study) pickKey(v view) string {
	s.mu.Lock()
	created, err := s.chain(1)
	s.mu.Unlock()
	if err != nil {
		return ""
	}
	items, ever := 0, ""
	if t := v.code.Table(); t != nil {
		items = len(t.Back)
		if v.code.All().Table().Ever != nil { // which ones of all are in the list
			for _, it := range t.List {
				ever += fmt.Sprintf("%q", it.ID)
			}
		}
	}
	rater := v.rater
	if !v.PerRater {
		rater = ""
	}
	models := s.beliefFits.Averaged
	if s.cfg.Belief != beliefAveraged {
		models = []gp.Model{s.cfg.Model}
	}
	b := fmt.Appendf(nil, "%s %s %q %d ", created, v.Key(models...), rater, items)
	b = append(append(b, v.code.Fixed.String()...), ever...)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// recommend searches for x̂, and returns the options that it began with: of those compared the foremost. Its seed is the study's alone and an open question
// changes nothing, so the same duels have the same best, also when a verdict looks back.
func (cfg *Config) recommend(ctx context.Context, f *learn.Fit, v view) (peaks []acquisition.Peak, from []float64) {
	d := v.Own(v.rater).Duels
	for x := range slices.Chunk(slices.Concat(d.A, d.B), v.code.Dim) {
		if v.code.Holds(x) {
			from = append(from, x...)
		}
	}
	from = f.Belief.Foremost(v.code.Listed(from))
	return acquisition.Recommend(ctx, v.code.Domain(ctx), f.Belief, from, nil, cfg.Seed, cfg.Search.Workers), from
}

// beliefModel returns the fit that statements about a view are made by.
func (s *Study) beliefModel(ctx context.Context, v view) (*learn.Fit, error) {
	if s.cfg.Belief != beliefAveraged {
		return s.questionFits.ForRater(ctx, v.Evidence, v.rater)
	}
	return s.beliefFits.ForRater(ctx, v.Evidence, v.rater)
}

// Belief returns what the answers so far say about a rater's utility; in a shared study it is everybody's,
// whichever rater is named. Looking changes nothing: no later question depends on when or how often it is called.
// With Look.Fixed it is about options with these values: Best, Slice, Importance and Ranking are among them.
func (s *Study) Belief(ctx context.Context, l Look) (*Belief, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return nil, err
	}
	return s.believe(ctx, v)
}

// believe returns what a view says.
func (s *Study) believe(ctx context.Context, v view) (*Belief, error) {
	fit, err := s.beliefModel(ctx, v)
	if err != nil {
		return nil, err
	}
	warnings := append(s.cfg.warnings(), fit.Post.Warnings()...)
	return &Belief{
		Answers: v.Own(v.rater).Duels.Len(), Axes: v.code.Names(), Warnings: warnings,
		code: v.code, utility: fit.Belief, shown: v.shown,
		search: func(ctx context.Context) []acquisition.Peak {
			peaks, _ := s.cfg.recommend(ctx, fit, v)
			return peaks
		},

		contradictions: func() map[AnswerID]float64 {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.state.contradictions(v, fit)
		},
	}, nil
}

// contradictions returns the answers of a view that its fit does not bear out.
func (st *state) contradictions(v view, f *learn.Fit) map[AnswerID]float64 {
	out, sites := map[AnswerID]float64{}, f.HasSites()
	for _, t := range st.answers {
		if !sites || !t.counts() || v.PerRater && !v.Pooled && t.rater != v.rater {
			continue
		}
		if chance, contradicts := f.Contradicts(t.learned()); contradicts {
			out[t.id] = chance
		}
	}
	return out
}

// tried returns the options that were shown in a question that is no longer open, or in a duel that was observed.
func (v view) tried() [][]float64 {
	d := v.Own(v.rater).Duels
	shown := slices.Collect(slices.Chunk(slices.Concat(d.A, d.B), v.code.Dim))
	for _, t := range v.said {
		if t.answer.Choice == Skip {
			shown = append(shown, t.a, t.b)
		}
	}
	return shown
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
	for _, side := range pairs.FindUntried(v.code, x, v.tried(), cfg.Separation) {
		out = append(out, side.Between)
	}
	return out, nil
}

// boundary returns an item of the shortlist and one outside it, whose order is the most doubtful of those that may be asked; nil before the study knows its
// favourite, by a rough estimate: until then questions are about that.
func (cfg *Config) boundary(ctx context.Context, v view, fit *learn.Fit, r pairs.Rules) (a, b []float64) {
	if v.shortlist == 0 || !r.Free() {
		return nil, nil
	}
	peaks, from := cfg.recommend(ctx, fit, v)
	at := learn.AssessRoughly(fit.Belief, v.code, cfg.Seed, cfg.tolerance(), peaks, from)
	if ctx.Err() != nil || !cfg.settled(Best{Confidence: at.Within, Beats: at.Beats}) {
		return nil, nil
	}
	return r.Boundary(v.code, fit.Belief, v.shortlist)
}

// missing returns the pair of the pick and a neighbour of it that was never shown, if the study knows its favourite but for that; else nil.
func (s *Study) missing(ctx context.Context, v view, r pairs.Rules) (pick, neighbour []float64, err error) {
	if v.shortlist > 0 || s.cfg.Separation <= 0 || v.code.Ordered() == nil || !r.Free() {
		return nil, nil, nil
	}
	tried := v.tried()
	fit, err := s.beliefModel(ctx, v)
	if err != nil {
		return nil, nil, err
	}
	peaks, from := s.cfg.recommend(ctx, fit, v)
	if err := ended(ctx); err != nil {
		return nil, nil, err
	}
	pick = peaks[0].X
	sides := pairs.FindUntried(v.code, pick, tried, s.cfg.Separation)
	i := slices.IndexFunc(sides, func(side pairs.Untried) bool { return r.Accepts(pick, side.Neighbour) })
	if i < 0 {
		return nil, nil, nil
	}
	t := s.cfg.tolerance() // whether the study may be settled is a tenth of what Best costs
	at := learn.AssessRoughly(fit.Belief, v.code, s.cfg.Seed, t, peaks, from)
	if rough := (Best{Confidence: at.Within + roughSlack, Beats: at.Beats + roughSlack}); len(t.Steps) == 0 && !s.cfg.settled(rough) {
		return nil, nil, nil
	}
	best, _, err := s.pick(ctx, v)
	if err != nil || !s.cfg.settled(best) {
		return nil, nil, err
	}
	return pick, sides[i].Neighbour, nil
}

const roughSlack = 0.1 // for the error of learn.AssessRoughly
