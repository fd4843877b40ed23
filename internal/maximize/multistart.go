package maximize

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// A MultiStart searches a box for the global maximum: it climbs from several starts and keeps the best. The zero value works.
type MultiStart struct {
	// Settings of every local search.
	Settings Settings

	// Starts is the number of raw points to climb from. Defaults to 8.
	Starts int

	// Spread is how far apart the starts are to be, in the coordinate where they differ most and as a part of its
	// range; see Maximize. Defaults to 0.05. Negative: no such rule.
	Spread float64

	// Workers is the number of goroutines. Defaults to GOMAXPROCS. Results do not depend on it.
	Workers int
}

// Maximize evaluates the raw points (k × d, row-major, d = len(lo), k ≥ 1, moved into the box where outside), picks
// Starts of them and climbs from each. Picked are the best values first, ties by the lowest row, passing over a point
// closer than Spread to one already picked; should these run out, the best of those passed over follow.
//
// newObjective is called once per worker, from any goroutine, so an Objective may own scratch memory. All of them must be the same function of x.
//
// all holds one result per start, in the order picked; best is the one of highest value, ties to the earlier start. NaN and +Inf never win over a finite value.
// When ctx ends early, best is the best point evaluated so far (there is always one) with status Cancelled, and all holds what was climbed. When nothing
// finite was seen best is just one of the points. All results are the caller's own.
func (m MultiStart) Maximize(ctx context.Context, newObjective func() Objective, lo, hi, raw []float64) (best Result, all []Result) {
	m = m.withDefaults()
	points := m.prepare(lo, hi, raw)
	d := len(lo)
	count := len(points) / d
	values := make([]float64, count)
	done := make([]bool, count)
	objectives := m.objectives(newObjective)
	cooperate.Parallel(ctx, count, m.Workers, func(worker int) func(int) {
		f := objectives(worker)
		return func(i int) {
			values[i] = f(points[i*d:][:d:d], nil)
			done[i] = true
		}
	})

	if slices.Contains(done, false) {
		// Cut short. The best of what was evaluated is all there is.
		top := 0 // which is always evaluated
		for i, ok := range done {
			if ok && better(values[i], values[top]) {
				top = i
			}
		}
		evals := xslices.Count(done, func(ok bool) bool { return ok })
		return Result{X: slices.Clone(points[top*d:][:d]), Value: values[top], Evals: evals, Status: Cancelled}, nil
	}

	picked := selectStarts(points, values, lo, hi, m.Starts, m.Spread)
	chosen := make([]float64, 0, len(picked)*d)
	for _, i := range picked {
		chosen = append(chosen, points[i*d:][:d]...)
	}
	return m.climb(ctx, objectives, lo, hi, chosen)
}

// From climbs from every one of the starts (k × d, row-major, k ≥ 1), all of them chosen by the caller; Starts and
// Spread are not used. The rest is as in Maximize.
func (m MultiStart) From(ctx context.Context, newObjective func() Objective, lo, hi, starts []float64) (best Result, all []Result) {
	m = m.withDefaults()
	return m.climb(ctx, m.objectives(newObjective), lo, hi, m.prepare(lo, hi, starts))
}

// withDefaults returns m with every zero replaced by its default. It panics on settings that make no sense.
func (m MultiStart) withDefaults() MultiStart {
	if m.Starts < 0 || m.Workers < 0 || math.IsNaN(m.Spread) {
		panic(fmt.Sprintf("maximize: Starts = %d, Workers = %d, Spread = %v", m.Starts, m.Workers, m.Spread))
	}
	m.Starts, m.Spread, m.Workers = cmp.Or(m.Starts, 8), cmp.Or(m.Spread, 0.05), cmp.Or(m.Workers, runtime.GOMAXPROCS(0))
	m.Settings = m.Settings.withDefaults()
	return m
}

// prepare checks the box and returns a copy of the points, moved into it.
func (m MultiStart) prepare(lo, hi, points []float64) []float64 {
	d := len(lo)
	checkBox(d, lo, hi)
	if d == 0 || len(points) == 0 || len(points)%d != 0 {
		panic(fmt.Sprintf("maximize: %d numbers are not one or more points of %d variables", len(points), d))
	}
	out := make([]float64, len(points))
	for i := 0; i < len(out); i += d {
		clipTo(out[i:][:d], points[i:][:d], lo, hi)
	}
	return out
}

func (m MultiStart) climb(ctx context.Context, objectives func(worker int) Objective, lo, hi, starts []float64) (best Result, all []Result) {
	d := len(lo)
	all = make([]Result, len(starts)/d)
	cooperate.Parallel(ctx, len(all), m.Workers, func(worker int) func(int) {
		f := objectives(worker)
		l := NewLocal(d, m.Settings)
		return func(i int) {
			all[i] = l.Maximize(ctx, f, lo, hi, starts[i*d:][:d]).Clone()
		}
	})
	cut := false
	all = slices.DeleteFunc(all, func(r Result) bool {
		cut = cut || r.Status == 0 || r.Status == Cancelled
		return r.Status == 0
	})
	best = all[0]
	for _, r := range all[1:] {
		if better(r.Value, best.Value) {
			best = r
		}
	}
	best = best.Clone()
	if cut {
		best.Status = Cancelled
	}
	return best, all
}

// objectives returns a function that makes each worker's objective when it is first asked for it. Different workers may call it at the same time.
func (m MultiStart) objectives(newObjective func() Objective) func(worker int) Objective {
	made := make([]Objective, m.Workers)
	return func(worker int) Objective {
		if made[worker] == nil {
			made[worker] = newObjective()
		}
		return made[worker]
	}
}

// selectStarts picks count of the rows of raw (n × d) to climb from: the best value first, ties by the lowest index, passing over a row closer than spread to
// one already picked. Two starts in one basin find one maximum; the second is better spent elsewhere. If fewer than count are left that way, the rows passed
// over fill up, best first. Rows without a finite value come last.
//
// Distance is the largest coordinate difference, in units of the box's width: 0.05 means that some coordinate differs
// by a twentieth of its range. A variable that is fixed does not count, and one without bounds has width 1.
func selectStarts(raw, values, lo, hi []float64, count int, spread float64) []int {
	d := len(lo)
	order := xslices.Times(len(values), func(i int) int { return i })
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case better(values[a], values[b]):
			return -1
		case better(values[b], values[a]):
			return 1
		}
		return 0
	})

	count = min(count, len(order))
	picked := make([]int, 0, count)
	var passed []int
	for _, i := range order {
		if len(picked) == count {
			break
		}
		near := slices.ContainsFunc(picked, func(p int) bool {
			return distance(raw[i*d:][:d], raw[p*d:][:d], lo, hi) < spread
		})
		if near {
			passed = append(passed, i)
		} else {
			picked = append(picked, i)
		}
	}
	return append(picked, passed[:min(len(passed), count-len(picked))]...)
}

// distance returns max |aⱼ − bⱼ| / (hiⱼ − loⱼ), as selectStarts describes.
func distance(a, b, lo, hi []float64) float64 {
	var far float64
	for j := range a {
		width := hi[j] - lo[j]
		switch {
		case width == 0:
			continue
		case math.IsInf(width, 1):
			width = 1
		}
		far = max(far, math.Abs(a[j]-b[j])/width)
	}
	return far
}
