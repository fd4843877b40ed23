package prefer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
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
)

// Ask returns the question that rater should answer next. While one is open for that rater it returns
// the same one again. If ctx has a deadline the best pair found by then is asked and marked Partial;
// there is always one, unless the journal fails.
func (s *Study) Ask(ctx context.Context, rater string) (Question, error) {
	return s.AskFor(ctx, Request{Rater: rater})
}

// AskFor is Ask under conditions.
func (s *Study) AskFor(ctx context.Context, r Request) (Question, error) {
	if q, ok, err := s.openQuestion(r); ok || err != nil {
		return q, err
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
		if q, ok, err := s.openQuestion(r); ok || err != nil {
			return q, err
		}
		v, q, hold, err := s.next(ctx, r)
		if err != nil {
			return Question{}, err
		}
		kept, ok, err := s.keepQuestion(ctx, v, q)
		if errors.Is(err, ErrConflict) && q.RepeatOf == "" && !q.Catch {
			s.mu.Lock()
			s.late[r.Rater] = late{v.asked, hold, q}
			s.mu.Unlock()
		}
		if ok || err != nil {
			return kept, err
		}
	}
}

// next returns the question for a request, the view it was chosen from and the option it holds: a given one,
// one about an option in the queue, one that came too late for the log, one chosen ahead of time, or a new one.
func (s *Study) next(ctx context.Context, r Request) (view, Question, Option, error) {
	s.mu.Lock()
	v := s.state.view(r.Rater)
	q, given, err := r.given(s.state)
	if i := s.state.queued(r.Rater); i >= 0 && r.Hold == nil && len(r.Fixed) == 0 {
		r.Hold, q.Enqueued = s.state.queue[i].Option, true
	}
	ahead, ready := s.ahead[r.Rater]
	late, again := s.late[r.Rater]
	delete(s.late, r.Rater)
	s.mu.Unlock()
	switch {
	case given || err != nil:
		return v, q, r.Hold, err
	case again && late.asked == v.asked && maps.Equal(late.hold, r.Hold) && maps.Equal(late.question.Fixed, r.Fixed) && late.question.Enqueued == q.Enqueued:
		return v, late.question, r.Hold, nil // answers since do not make a question void, here or in keepQuestion
	case ready && r.Hold == nil && len(r.Fixed) == 0:
		if q, ok := ahead.after(v.seq, s.lastAnswer()); ok {
			return v, q, nil, nil
		}
	}
	enqueued := q.Enqueued
	q, err = s.choose(ctx, v, r)
	q.Enqueued = enqueued
	return v, q, r.Hold, err
}

// keepQuestion appends a question chosen from v, unless others were asked since: then it was chosen in
// ignorance of what is pending, and kept is false.
func (s *Study) keepQuestion(ctx context.Context, v view, q Question) (_ Question, kept bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.state.open[q.Rater]; o != nil { // an undo meanwhile brought one back
		return o.Question.clone(), true, nil
	}
	if len(s.state.order) != v.asked {
		return Question{}, false, nil
	}
	q.ID = s.state.nextQuestion()
	// The journal is asked even if the deadline has passed: a question that is not kept was not asked.
	if err := s.append(context.WithoutCancel(ctx), Event{Kind: KindAsked, Asked: &q}); err != nil {
		return Question{}, false, err
	}
	return q.clone(), true, nil
}

// openQuestion returns the rater's open question, if there is one; an error if it was asked under other
// conditions.
func (s *Study) openQuestion(r Request) (Question, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.state.open[r.Rater]
	if q == nil {
		return Question{}, false, nil
	}
	if !maps.Equal(q.Fixed, r.Fixed) {
		return Question{}, false, fmt.Errorf("prefer: rater %q has question %q open with fixed {%v}, not {%v}: answer it, or skip it: %w", r.Rater, q.ID, q.Fixed, r.Fixed, ErrOpen)
	}
	return q.Question.clone(), true, nil
}

// choose picks the pair: a quasi-random one while there are fewer duels and pending questions than
// Initial or nobody has preferred anything yet, the method's afterwards.
func (s *Study) choose(ctx context.Context, v view, r Request) (Question, error) {
	q := Question{Rater: r.Rater, Fixed: r.Fixed.clone()}
	rules, err := s.rules(v, r)
	if err != nil {
		return Question{}, err
	}
	fit, err := s.fits.get(ctx, v.evidence, v.code.scales)
	if err != nil && ctx.Err() == nil {
		return Question{}, err
	}
	design := func() (Question, error) {
		x, err := s.designPair(v, rules)
		if err == nil {
			s.setPair(&q, v, x, methodDesign)
		}
		return q, err
	}
	if err != nil { // no posterior in time, but a quasi-random pair is always at hand
		q.Partial = true
		return design()
	}
	post, mixed := fit.post, fit.mix
	if inc := incumbent(fit.belief(), v.shown); inc != nil {
		q.Incumbent = v.code.option(inc)
	}
	if v.duels.Len()+len(v.pending) < s.cfg.Initial || undecided(v.duels) {
		return design()
	}
	// What other raters are about to tell is not worth asking once more.
	for _, p := range v.pending {
		noise := fit.noise(p.Rater)
		post = post.AwaitAt(p.a, p.b, noise)
		if mixed != nil {
			mixed = mixed.AwaitAt(p.a, p.b, noise)
		}
	}
	lower, upper := s.inside(v, r)
	task := acquisition.Task{
		Posterior: post, Mixture: mixed, Shown: v.shown, Domain: v.code.domain(), Lower: lower, Upper: upper,
		Allowed: rules.allowed, Hold: rules.hold,
		Seed: mix(s.cfg.Seed, uint64(v.count)), Sequence: s.cfg.Seed, Count: v.count,
		Noise: s.cfg.LookAhead, Rater: fit.noise(r.Rater) / fit.post.Noise(), Accept: rules.accept, Search: s.cfg.Search,
	}
	c, err := acquisition.Ask(ctx, s.cfg.Method, task)
	if err != nil {
		return Question{}, err
	}
	if r.also != nil {
		*r.also = c.Others
	}
	if rules.accept != nil && !rules.accept(c.A, c.B) { // nothing the method found may be asked
		if x, err := s.designPair(v, rules); err != nil || rules.accept(x[:v.code.dim], x[v.code.dim:]) {
			return design()
		}
		// The rules leave no pair at all, as when every pair of a short list was asked: ask again.
	}
	s.setPair(&q, v, slices.Concat(c.A, c.B), s.cfg.Method)
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
// corners"). Only real parameters keep the margin. Conditions hold their coordinates.
func (s *Study) inside(v view, r Request) (lower, upper []float64) {
	early := s.cfg.Margin > 0 && s.cfg.Method != "random" && v.count-v.design < marginQuestions*len(v.code.axes)
	if v.code.items != nil || !early && len(r.Fixed) == 0 {
		return nil, nil
	}
	lower, upper = make([]float64, v.code.dim), make([]float64, v.code.dim)
	for i := range upper {
		upper[i] = 1
	}
	for _, a := range v.code.axes {
		if value, fixed := r.Fixed[a.Name]; fixed {
			_ = a.encode(value, lower) // rules checked it
			copy(upper[a.at:a.at+a.width], lower[a.at:a.at+a.width])
		} else if early && a.continuous() {
			lower[a.at], upper[a.at] = s.cfg.Margin, 1-s.cfg.Margin
		}
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
	d := v.code.dim
	a, b := x[:d], x[d:2*d]
	if mix(s.cfg.Seed^0xc01, uint64(v.count))&1 == 1 {
		a, b = b, a
	}
	q.First, q.Second, q.Method = v.code.option(a), v.code.option(b), method
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
