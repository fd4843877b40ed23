package acquisition

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/internal/maximize"
)

// Batch is what questions are worth, as a program of one's own computes it: of the questions rows (k×2D, the two options of
// each side by side) it writes the values (k) and, unless grad is nil, the gradients (k×2D). An error ends the search.
type Batch func(rows, value, grad []float64) error

// Sizes of a search by batches.
const (
	batchRows = 4096 // questions at a time while candidates are ranked
	batchStep = 1e-5 // of central differences: their error is about the square of it, and that of rounding 1e-16 over it
)

// MaximizeBatch asks the question for which a function of one's own is highest, in the unit cube or the bounds of the task: Maximize for what is no formula on
// the moments. All pairs of the candidates of the posterior are evaluated, and L-BFGS-B climbs from the best distinct ones, all climbs at once, so that every call but the first few has a row of each. Without gradients
// they are central differences, at a bound one-sided ones, with step of the width of the cube (0 for 1e-5): a function with noise
// wants a larger one. Whatever a climb makes of it, the best question evaluated on the way is not lost.
//
// A question has no order, so neither should the function have: a pair of candidates is evaluated one way round.
// Calls are made one after the other, on this goroutine, the same ones for the same task whatever the number of workers.
func MaximizeBatch(ctx context.Context, t Task, f Batch, gradient bool, step float64) (Choice, error) {
	if f == nil {
		return Choice{}, errors.New("acquisition: MaximizeBatch has no function to maximise")
	}
	if step == 0 {
		step = batchStep
	}
	if !(step > 0 && step <= 0.1) {
		return Choice{}, fmt.Errorf("acquisition: step = %g, want more than 0 and at most 0.1, or 0 for %g", step, batchStep)
	}
	t, err := t.prepareAlone()
	if err != nil {
		return Choice{}, err
	}
	if t.Domain != nil || t.Allowed != nil {
		return Choice{}, errors.New("acquisition: MaximizeBatch searches real numbers alone: no Task.Domain, no Task.Allowed")
	}
	d := t.Posterior.Dim()
	peaks := newCube(d, t.Seed).recommend(ctx, t.Posterior, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	s := &batchSearch{t: t, d: d, f: f, gradient: gradient, step: step, top: math.Inf(-1)}
	s.bound()
	if err := s.rank(ctx, newCandidates(t, peaks, found{})); err != nil {
		return Choice{}, err
	}
	all, err := s.climb(ctx)
	if err != nil {
		return Choice{}, err
	}
	c := t.pair(ctx, s.best, all, peaks[0])
	c.Value = s.top
	return c, nil
}

// batchSearch is one search by batches.
type batchSearch struct {
	t        Task
	d        int
	f        Batch
	gradient bool
	step     float64
	lo, hi   []float64 // of the two options
	starts   []float64
	best     []float64 // best question evaluated, of two different options that may be asked
	top      float64   // and its value
}

// bound sets the bounds of the two options, the first of which may be held.
func (s *batchSearch) bound() {
	s.lo, s.hi = slices.Concat(s.t.Lower, s.t.Lower), slices.Concat(s.t.Upper, s.t.Upper)
	if s.t.Hold != nil {
		copy(s.lo, s.t.Hold)
		copy(s.hi, s.t.Hold)
	}
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
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("acquisition: the function is %g at %v, want a number", v, rows[i*2*s.d:(i+1)*2*s.d])
		}
		x := rows[i*2*s.d : (i+1)*2*s.d]
		if (v > s.top || s.best == nil) && !slices.Equal(x[:s.d], x[s.d:]) && s.t.accepts(x[:s.d], x[s.d:]) {
			s.top, s.best = v, clone(x)
		}
	}
	return value, nil
}

// rank evaluates the pairs of candidates and takes the best that differ for starts.
func (s *batchSearch) rank(ctx context.Context, c *candidates) error {
	d := s.d
	var pairs []ranked
	var rows []float64
	add := func(i, j int, a, b []float64) {
		if slices.Equal(a, b) {
			return
		}
		pairs, rows = append(pairs, ranked{i: i, j: j}), append(append(rows, a...), b...)
	}
	for i := range c.n {
		at := len(rows)
		if s.t.Hold != nil {
			add(i, i, s.t.Hold, c.row(i))
		}
		for j := 0; s.t.Hold == nil && j < i; j++ {
			add(i, j, c.row(i), c.row(j))
		}
		for k := at; k < len(rows); k++ { // x̂ may lie outside
			rows[k] = min(max(rows[k], s.lo[k%(2*d)]), s.hi[k%(2*d)])
		}
	}
	for at := 0; at < len(pairs); at += batchRows {
		to := min(at+batchRows, len(pairs))
		value, err := s.evaluate(ctx, rows[at*2*d:to*2*d], nil)
		if err != nil {
			return err
		}
		for k, v := range value {
			pairs[at+k].score = v
		}
	}
	if s.best == nil {
		return errOne
	}
	row := make(map[[2]int]int, len(pairs))
	for k, pr := range pairs {
		row[[2]int{pr.i, pr.j}] = k
	}
	slices.SortFunc(pairs, byScore)
	pairs = pairs[:min(len(pairs), rankKeep)]
	near := func(a, b int) bool { return closeTo(c.row(a), c.row(b), 0.05) }
	for _, pr := range spreadOut(pairs, pairStarts, func(a, b ranked) bool {
		return near(a.i, b.i) && near(a.j, b.j) || near(a.i, b.j) && near(a.j, b.i)
	}) {
		k := row[[2]int{pr.i, pr.j}]
		s.starts = append(s.starts, rows[k*2*d:(k+1)*2*d]...)
	}
	return nil
}

// point is where a climb wants to know the function.
type point struct {
	climb int
	x     []float64
	grad  []float64 // to be filled
	value chan float64
}

// climb climbs from all starts at once. Each climb runs on a goroutine of its own and waits for its values; when all that are
// not over wait, they get them from one call.
func (s *batchSearch) climb(ctx context.Context) ([]maximize.Result, error) {
	n := 2 * s.d
	count := len(s.starts) / n
	all := make([]maximize.Result, count)
	ask, over := make(chan point), make(chan int)
	inner, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	defer wg.Wait()
	for i := range count {
		wg.Go(func() {
			value := make(chan float64)
			local := maximize.NewLocal(n, maximize.Settings{MaxEvals: s.t.Search.Evals, GradTol: 1e-7, ValueTol: 1e-10})
			all[i] = local.Maximize(inner, func(x, grad []float64) float64 {
				ask <- point{i, x, grad, value}
				return <-value
			}, s.lo, s.hi, s.starts[i*n:(i+1)*n]).Clone()
			over <- i
		})
	}
	var failed error
	var waiting []point
	for active := count; active > 0; {
		select {
		case p := <-ask:
			waiting = append(waiting, p)
		case <-over:
			active--
		}
		if active == 0 || len(waiting) < active {
			continue
		}
		slices.SortFunc(waiting, func(a, b point) int { return a.climb - b.climb })
		if failed == nil {
			failed = s.answer(ctx, waiting)
		}
		if failed != nil { // the climbs end by themselves
			stop()
			for _, p := range waiting {
				p.value <- math.NaN()
			}
		}
		waiting = waiting[:0]
	}
	if failed != nil {
		return nil, failed
	}
	slices.SortStableFunc(all, byValue)
	return all, nil
}

// answer evaluates the function where climbs want to know it, gradients included, and lets them go on.
func (s *batchSearch) answer(ctx context.Context, waiting []point) error {
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
				p.grad[j] = 0 // of what is held
				if up > down {
					p.grad[j] = (value[at+2+2*j] - value[at+1+2*j]) / (up - down)
				}
			}
		}
		p.value <- value[at]
	}
	return nil
}

// sides returns the two values of coordinate j between which a derivative at x is taken.
func (s *batchSearch) sides(x float64, j int) (down, up float64) {
	return max(x-s.step, s.lo[j]), min(x+s.step, s.hi[j])
}
