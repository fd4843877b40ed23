package prefer

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// methodDesign marks the quasi-random pairs a study begins with.
const methodDesign = "design"

// Distances in the unit cube, in the parameter that differs most, below which two options or pairs are
// the same to a person.
const (
	sameOption   = 1e-9 // rounding, on the way to user units and back
	sameQuestion = 1e-3 // a repetition
	sameSkipped  = 0.1  // too close to a pair that was skipped lately
	samePending  = 0.05 // too close to what another rater is looking at
	skipMemory   = 20   // questions for which a skip is remembered
	designTries  = 256  // pairs of the sequence looked at for one that may be asked
)

// Ask returns the question that rater should answer next. While one is open for that rater it returns
// the same one again. If ctx has a deadline the best pair found by then is asked and marked Partial;
// there is always one, unless the journal fails.
func (s *Study) Ask(ctx context.Context, rater string) (Question, error) {
	if q, ok := s.openQuestion(rater); ok {
		return q, nil
	}
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	default:
		select {
		case s.asking <- struct{}{}:
			defer func() { <-s.asking }()
		case <-ctx.Done(): // somebody else is still choosing; out of turn, for the search will be short
		}
	}
	for {
		if q, ok := s.openQuestion(rater); ok {
			return q, nil
		}
		v := s.view()
		q, err := s.choose(ctx, v, rater)
		if err != nil {
			return Question{}, err
		}
		q, kept, err := s.keepQuestion(ctx, v, q)
		if kept || err != nil {
			return q, err
		}
	}
}

// keepQuestion appends a question chosen from v, unless others were asked since: then it was chosen in
// ignorance of what is pending, and kept is false.
func (s *Study) keepQuestion(ctx context.Context, v view, q Question) (_ Question, kept bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.state.open[q.Rater]; o != nil { // an undo meanwhile brought one back
		return o.Question.clone(), true, nil
	}
	if len(s.state.order) != v.count {
		return Question{}, false, nil
	}
	q.ID = s.state.nextQuestion()
	// The journal is asked even if the deadline has passed: a question that is not kept was not asked.
	if err := s.append(context.WithoutCancel(ctx), Event{Kind: KindAsked, Asked: &q}); err != nil {
		return Question{}, false, err
	}
	return q.clone(), true, nil
}

func (s *Study) openQuestion(rater string) (Question, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := s.state.open[rater]; q != nil {
		return q.Question.clone(), true
	}
	return Question{}, false
}

// view is what choosing a question depends on, taken at one moment.
type view struct {
	duels   *gp.Duels
	shown   []float64
	count   int // questions asked so far
	design  int // of which quasi-random
	pending []*asked
	past    []*asked
	skipped []*asked
}

func (s *Study) view() view {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.state
	v := view{duels: st.duels(), shown: st.shown(), count: len(st.order), design: st.design, past: append([]*asked(nil), st.order...)}
	for i, q := range st.order {
		if st.open[q.Rater] == q {
			v.pending = append(v.pending, q)
		}
		if q.skipped && len(st.order)-i <= skipMemory {
			v.skipped = append(v.skipped, q)
		}
	}
	return v
}

// choose picks the pair: a quasi-random one while there are fewer duels and pending questions than
// Initial or nobody has preferred anything yet, the method's afterwards.
func (s *Study) choose(ctx context.Context, v view, rater string) (Question, error) {
	q := Question{Rater: rater}
	accept := s.accept(v)
	fit, err := s.fits.get(ctx, v.duels)
	if err != nil && ctx.Err() == nil {
		return Question{}, err
	}
	if err != nil { // no posterior in time, but a quasi-random pair is always at hand
		s.setPair(&q, v, s.designPair(v, accept), methodDesign)
		q.Partial = true
		return q, nil
	}
	post, mixed := fit.post, fit.mix
	if inc := incumbent(fit.belief(), v.shown); inc != nil {
		q.Incumbent = s.cfg.Space.option(inc)
	}
	if v.duels.Len()+len(v.pending) < s.cfg.Initial || undecided(v.duels) {
		s.setPair(&q, v, s.designPair(v, accept), methodDesign)
		return q, nil
	}
	// Questions other raters are looking at count as answered the likely way.
	for _, p := range v.pending {
		o := likely(post, p.a, p.b)
		post = post.Condition(p.a, p.b, o)
		if mixed != nil {
			mixed = mixed.Condition(p.a, p.b, o)
		}
	}
	lower, upper := s.inside(v)
	c, err := acquisition.Ask(ctx, s.cfg.Method, acquisition.Task{
		Posterior: post, Mixture: mixed, Shown: v.shown, Lower: lower, Upper: upper, Seed: mix(s.cfg.Seed, uint64(v.count)), Sequence: s.cfg.Seed, Count: v.count,
		Noise: s.cfg.LookAhead, Accept: accept, Search: s.cfg.Search,
	})
	if err != nil {
		return Question{}, err
	}
	if accept != nil && !accept(c.A, c.B) { // nothing the method found may be asked
		s.setPair(&q, v, s.designPair(v, accept), methodDesign)
		return q, nil
	}
	s.setPair(&q, v, append(c.A, c.B...), s.cfg.Method)
	if !math.IsNaN(c.Value) {
		q.Value = c.Value
	}
	q.Partial = c.Partial
	return q, nil
}

// inside returns the box of the method's questions, nil for the whole space. A Gaussian process knows
// least at the faces and extrapolates a slope towards them, so the first questions of a method that
// looks for value go there, and so does its best option; once that is held by a face, one answer at the
// model's noise cannot move it, and no question near it has any value (docs/paper.md, "Faces and
// corners").
func (s *Study) inside(v view) (lower, upper []float64) {
	d := s.cfg.Space.Dim()
	if s.cfg.Margin <= 0 || s.cfg.Method == "random" || v.count-v.design >= marginQuestions*d {
		return nil, nil
	}
	for range d {
		lower, upper = append(lower, s.cfg.Margin), append(upper, 1-s.cfg.Margin)
	}
	return lower, upper
}

// undecided reports whether all duels are ties, or there are none: then the posterior mean is flat, every
// option is the best one, and a method has nothing to improve on.
func undecided(d *gp.Duels) bool {
	return !slices.ContainsFunc(d.Outcome, func(o gp.Outcome) bool { return o != 0 })
}

// setPair fills in the options, in an order that a coin of the study's seed decides: which of them the
// method called its first would give the incumbent away.
func (s *Study) setPair(q *Question, v view, x []float64, method string) {
	d := s.cfg.Space.Dim()
	a, b := x[:d], x[d:2*d]
	if mix(s.cfg.Seed^0xc01, uint64(v.count))&1 == 1 {
		a, b = b, a
	}
	q.First, q.Second, q.Method = s.cfg.Space.option(a), s.cfg.Space.option(b), method
}

// designPair returns the next pair of the study's scrambled Sobol sequence that accept, if not nil, lets
// through and that was not asked before: a pair passed over shifts the sequence for later ones. If the
// rules leave hardly any pair, the next one as it is.
func (s *Study) designPair(v view, accept func(a, b []float64) bool) []float64 {
	d := s.cfg.Space.Dim()
	seq := sobol.Scrambled(2*d, s.cfg.Seed)
	x := make([]float64, 2*d)
	if accept != nil {
		for i := range designTries {
			seq.At(uint64(v.design+i), x)
			if accept(x[:d], x[d:]) && !clash(v.past, x[:d], x[d:], sameQuestion) {
				return x
			}
		}
	}
	seq.At(uint64(v.design), x)
	return x
}

// accept returns the rule that spares a person hopeless or boring pairs, or nil where there is none.
func (s *Study) accept(v view) func(a, b []float64) bool {
	if s.cfg.Separation < 0 && s.cfg.Repeats && len(v.skipped) == 0 && len(v.pending) == 0 {
		return nil
	}
	return func(a, b []float64) bool {
		switch {
		case s.cfg.Separation > 0 && gap(a, b) < s.cfg.Separation,
			!s.cfg.Repeats && clash(v.past, a, b, sameQuestion),
			clash(v.skipped, a, b, sameSkipped),
			clash(v.pending, a, b, samePending):
			return false
		}
		return true
	}
}

// clash reports whether one of the questions is about the same pair, in either order.
func clash(qs []*asked, a, b []float64, tol float64) bool {
	for _, q := range qs {
		if gap(a, q.a) < tol && gap(b, q.b) < tol || gap(a, q.b) < tol && gap(b, q.a) < tol {
			return true
		}
	}
	return false
}

// incumbent returns the shown option with the highest posterior mean, or nil.
func incumbent(p acquisition.Utility, shown []float64) []float64 {
	d := p.Dim()
	m := gp.NewMoments(1)
	var best []float64
	top := math.Inf(-1)
	for i := 0; i < len(shown); i += d {
		if v := p.MeanGradient(m, shown[i:i+d], nil); v > top {
			best, top = shown[i:i+d], v
		}
	}
	return best
}

// likely returns the most probable outcome of a question.
func likely(p *gp.Posterior, a, b []float64) gp.Outcome {
	var best gp.Outcome
	top := -1.0
	for _, o := range p.Answers().Outcomes() {
		if pr := p.Prob(a, b, o); pr > top {
			best, top = o, pr
		}
	}
	return best
}

// gap is the distance of two points in the coordinate where they differ most.
func gap(a, b []float64) float64 {
	var g float64
	for i := range a {
		g = math.Max(g, math.Abs(a[i]-b[i]))
	}
	return g
}

// mix derives an independent seed for question number k (splitmix64).
func mix(seed, k uint64) uint64 {
	z := seed + (k+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
