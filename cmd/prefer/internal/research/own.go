package research

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// values answer a call.
type values struct {
	head
	Value    *Array `json:"value"`    // n
	Gradient *Array `json:"gradient"` // n×2d, if it was wanted
	Error    string `json:"error"`
}

// caller is the acquisition of the program that sent request id. Until it has its values the session serves on: to compute them, one may ask for
// the posterior, or for a search within the search.
func (s *session) caller(id uint64, m *model) batch {
	d := m.box.dim()
	return func(rows, value, grad []float64) error {
		pairs := matrix(m.box.out(append([]float64(nil), rows...)), 2*d)
		if err := s.write(reply{"id": id, "evaluate": "pairs", "pairs": pairs, "gradient": grad != nil}); err != nil {
			return err
		}
		v, raw, err := s.awaitValues(id)
		if err != nil {
			return err
		}
		if v.Error != "" {
			return wrong("", "the acquisition failed: %s", v.Error)
		}
		if err := v.Value.returned(raw, "value", value, len(value)); err != nil {
			return err
		}
		if grad == nil {
			return nil
		}
		if err := v.Gradient.returned(raw, "gradient", grad, len(value), 2*d); err != nil {
			return err
		}
		m.box.back(grad)
		return nil
	}
}

// awaitValues serves other requests until the values of request id come.
func (s *session) awaitValues(id uint64) (v values, raw []byte, err error) {
	for f := range s.frames {
		if f.Op == "" && f.ID == id {
			return v, f.raw, f.decode(&v)
		}
		if err := s.handle(f); err != nil {
			return v, nil, err
		}
	}
	return v, nil, fmt.Errorf("research: the input ended before the values of request %d came", id)
}

// returned copies an array of that shape that an acquisition returned. A value of −∞ is as good as none, and stays; a gradient there does not count.
func (a *Array) returned(raw []byte, name string, to []float64, shape ...int) error {
	if a == nil {
		return wrong(name, "the acquisition returned no %s, want %v numbers", name, shape)
	}
	if fmt.Sprint(a.Shape) != fmt.Sprint(shape) {
		return wrong(name, "the acquisition returned %ss of shape %v, want %v", name, a.Shape, shape)
	}
	if err := a.take(name, raw); err != nil {
		return err
	}
	for i, v := range a.Data {
		if math.IsNaN(v) || math.IsInf(v, 1) || name == "gradient" && math.IsInf(v, -1) {
			return wrong(name, "the acquisition returned %s[%d] = %g, want a number", name, i, v)
		}
	}
	copy(to, a.Data)
	return nil
}

// batch computes an acquisition outside this program: of the questions rows (k×2D, the two options of each side by side)
// it writes the values (k) and, unless grad is nil, the gradients (k×2D). An error ends the search.
type batch func(rows, value, grad []float64) error

// Sizes of a search by batches.
const (
	batchRows   = 4096 // questions per call while candidates are ranked
	batchStep   = 1e-5 // of central differences: their error is about its square, that of rounding 1e-16 over it
	batchKeep   = 256  // best pairs of candidates among which starts are chosen
	batchStarts = 6    // local searches
	batchSame   = 0.05 // distance below which two options are the same start
)

// maximizeBatch returns the question for which f is highest, in the unit cube or the bounds of the task. It evaluates all pairs of candidates, then climbs
// with L-BFGS-B from the best distinct ones, all climbs in step, so that one call has a row of each. Without gradients it takes differences, central ones or
// one-sided ones at a bound, with step of the width of the cube (0 for 1e-5). It returns the best question evaluated on the way.
//
// A pair of candidates is evaluated in one order only: f must not depend on it. All calls are made on this goroutine, and
// they do not depend on the number of workers.
func maximizeBatch(ctx context.Context, t acquisition.Task, f batch, gradient bool, step float64) (acquisition.Choice, error) {
	step = cmp.Or(step, batchStep)
	if !(step > 0 && step <= 0.1) {
		return acquisition.Choice{}, wrong("step", "step = %g, want more than 0 and at most 0.1, or 0 for %g", step, batchStep)
	}
	t, err := t.Prepare()
	if err != nil {
		return acquisition.Choice{}, err
	}
	peaks := acquisition.Recommend(ctx, nil, t.Posterior, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	s := &batchSearch{t: t, d: t.Posterior.Dim(), f: f, gradient: gradient, step: step, top: math.Inf(-1)}
	s.lo, s.hi = slices.Concat(t.Lower, t.Lower), slices.Concat(t.Upper, t.Upper)
	if t.Hold != nil {
		copy(s.lo, t.Hold)
		copy(s.hi, t.Hold)
	}
	if err := s.rank(ctx, slices.Collect(slices.Chunk(acquisition.Candidates(t, peaks), s.d))); err != nil {
		return acquisition.Choice{}, err
	}
	if err := s.climb(ctx); err != nil {
		return acquisition.Choice{}, err
	}
	return acquisition.Choice{A: s.best[:s.d], B: s.best[s.d:], Value: s.top, Best: peaks[0].X, Mean: peaks[0].Mean, Partial: ctx.Err() != nil}, nil
}

// batchSearch is one search by batches.
type batchSearch struct {
	t        acquisition.Task
	d        int
	f        batch
	gradient bool
	step     float64
	lo, hi   []float64 // bounds of the two options, the first of which may be held
	starts   []float64
	best     []float64 // best question evaluated, of two different options
	top      float64   // its value
}

// evaluate calls the function and remembers the best question.
func (s *batchSearch) evaluate(ctx context.Context, rows, grad []float64) ([]float64, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	value := make([]float64, len(rows)/(2*s.d))
	if err := s.f(rows, value, grad); err != nil {
		return nil, err
	}
	for i, v := range value {
		x := rows[i*2*s.d : (i+1)*2*s.d]
		if (v > s.top || s.best == nil) && !slices.Equal(x[:s.d], x[s.d:]) {
			s.top, s.best = v, slices.Clone(x)
		}
	}
	return value, nil
}

// rank evaluates the pairs of candidates and takes the best that differ for starts.
func (s *batchSearch) rank(ctx context.Context, options [][]float64) error {
	type pair struct {
		a, b  []float64 // candidates
		row   []float64 // both within the bounds
		score float64
	}
	var pairs []pair
	var rows []float64
	add := func(a, b []float64) {
		if slices.Equal(a, b) {
			return
		}
		pairs, rows = append(pairs, pair{a: a, b: b}), append(append(rows, a...), b...)
	}
	for i, x := range options {
		if s.t.Hold != nil {
			add(s.t.Hold, x)
			continue
		}
		for _, y := range options[:i] {
			add(x, y)
		}
	}
	n := 2 * s.d
	for k := range rows { // x̂ may lie outside
		rows[k] = min(max(rows[k], s.lo[k%n]), s.hi[k%n])
	}
	for at := 0; at < len(pairs); at += batchRows {
		to := min(at+batchRows, len(pairs))
		value, err := s.evaluate(ctx, rows[at*n:to*n], nil)
		if err != nil {
			return err
		}
		for k, v := range value {
			pairs[at+k].row, pairs[at+k].score = rows[(at+k)*n:(at+k+1)*n], v
		}
	}
	if s.best == nil {
		return wrong("", "there is one option only, a question needs two")
	}
	slices.SortStableFunc(pairs, func(p, q pair) int { return cmp.Compare(q.score, p.score) })
	near := func(x, y []float64) bool {
		return slices.EqualFunc(x, y, func(a, b float64) bool { return math.Abs(a-b) <= batchSame })
	}
	var chosen, rest []pair
	for _, p := range pairs[:min(len(pairs), batchKeep)] {
		if slices.ContainsFunc(chosen, func(q pair) bool { return near(p.a, q.a) && near(p.b, q.b) || near(p.a, q.b) && near(p.b, q.a) }) {
			rest = append(rest, p)
		} else {
			chosen = append(chosen, p)
		}
	}
	for _, p := range slices.Concat(chosen, rest)[:min(batchStarts, len(chosen)+len(rest))] {
		s.starts = append(s.starts, p.row...)
	}
	return nil
}

// point is where a climb waits for the function's value.
type point struct {
	x     []float64
	grad  []float64 // to be filled
	value float64   // likewise
}

// climb climbs from all starts in step: one call computes the values that the climbs which are not over wait for.
func (s *batchSearch) climb(ctx context.Context) error {
	inner, stop := context.WithCancel(ctx)
	var climbs []func() (*point, bool)
	for start := range slices.Chunk(s.starts, 2*s.d) {
		next, end := iter.Pull(func(yield func(*point) bool) {
			local := maximize.NewLocal(2*s.d, maximize.Settings{MaxEvals: s.t.Search.Evals, GradTol: 1e-7, ValueTol: 1e-10})
			local.Maximize(inner, func(x, grad []float64) float64 {
				p := point{x: x, grad: grad, value: math.NaN()} // which ends a climb that is called off
				yield(&p)
				return p.value
			}, s.lo, s.hi, start)
		})
		defer end()
		climbs = append(climbs, next)
	}
	defer stop() // before the climbs are ended
	for {
		var waiting []*point
		for _, next := range climbs {
			if p, more := next(); more {
				waiting = append(waiting, p)
			}
		}
		if len(waiting) == 0 {
			return nil
		}
		if err := s.answer(ctx, waiting); err != nil {
			return err
		}
	}
}

// answer evaluates the function and its gradients where climbs wait for them.
func (s *batchSearch) answer(ctx context.Context, waiting []*point) error {
	n := 2 * s.d
	var rows []float64
	for _, p := range waiting {
		rows = append(rows, p.x...)
		if s.gradient {
			continue
		}
		for j := range n {
			down, up := s.sides(p.x[j], j)
			at := len(rows)
			rows = append(append(rows, p.x...), p.x...)
			rows[at+j], rows[at+n+j] = down, up
		}
	}
	var grad []float64
	if s.gradient {
		grad = make([]float64, len(rows))
	}
	value, err := s.evaluate(ctx, rows, grad)
	if err != nil {
		return err
	}
	for k, p := range waiting {
		if p.grad != nil && s.gradient {
			copy(p.grad, grad[k*n:(k+1)*n])
		}
		at := k
		if !s.gradient {
			at = k * (2*n + 1)
			for j := range p.grad {
				down, up := s.sides(p.x[j], j)
				p.grad[j] = 0 // of the held option
				if up > down {
					p.grad[j] = (value[at+2+2*j] - value[at+1+2*j]) / (up - down)
				}
			}
		}
		p.value = value[at]
	}
	return nil
}

// sides returns the two values of coordinate j between which a derivative at x is taken.
func (s *batchSearch) sides(x float64, j int) (down, up float64) {
	return max(x-s.step, s.lo[j]), min(x+s.step, s.hi[j])
}
