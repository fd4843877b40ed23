package acquisition

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/prefer-bo/prefer/internal/maximize"
)

// ground is a domain made of parts, prepared for a search.
type ground struct {
	dom      *Domain
	d        int
	free     []int     // continuous coordinates
	discrete []Part    // the other parts
	sample   []float64 // quasi-random feasible options
}

// side says where one point of a search may be.
type side struct {
	lo, hi []float64              // bounds of all coordinates; only those of the continuous ones count
	ok     func(x []float64) bool // feasible and allowed; nil: everything is
	held   bool                   // the point stays where it is
	free   []int                  // coordinates that move continuously
}

func (s side) may(x []float64) bool { return s.held || s.ok == nil || s.ok(x) }

// groundSample is the number of quasi-random options a search works with, groundCover the number of
// combinations of levels up to which each of them gets its own starts.
const (
	groundSample = 256
	groundCover  = 32
)

// newGround prepares dom, or the unit cube in d dimensions if it is nil.
func newGround(dom *Domain, d int, seed uint64) *ground {
	if dom == nil {
		dom = Cube(d)
	}
	g := &ground{dom: dom, d: d, sample: dom.Points(groundSample, seed)}
	for _, p := range dom.Parts {
		if p.Levels == nil {
			g.free = append(g.free, p.At)
		} else {
			g.discrete = append(g.discrete, p)
		}
	}
	return g
}

// anywhere is the side of a point that is free in the whole domain.
func (g *ground) anywhere() side {
	return side{lo: make([]float64, g.d), hi: ones(g.d), ok: g.dom.Feasible, free: g.free}
}

// asked is the side of an option of the question.
func (g *ground) asked(t Task) side {
	s := side{lo: t.Lower, hi: t.Upper, ok: g.dom.Feasible, free: g.free}
	if t.Allowed != nil {
		s.ok = func(x []float64) bool { return g.dom.feasible(x) && t.Allowed(x) }
	}
	return s
}

// contains reports whether the side's point may be x, bounds included.
func (s side) contains(x []float64) bool {
	for _, j := range s.free {
		if !(x[j] >= s.lo[j] && x[j] <= s.hi[j]) {
			return false
		}
	}
	return s.may(x)
}

// clip moves the continuous coordinates of x into the bounds.
func (s side) clip(x []float64) {
	for _, j := range s.free {
		x[j] = min(max(x[j], s.lo[j]), s.hi[j])
	}
}

// ascent climbs a function of several options at once: a gradient search in the continuous coordinates,
// then every discrete part of every option at its other levels, until neither finds more.
type ascent struct {
	g     *ground
	sides []side
	pair  bool // points 0 and 1 are a question and must differ
}

// exchangeRounds bounds how often climbs and exchanges alternate; distances of ordered levels beyond
// exchangeAll are tried in powers of two only.
const (
	exchangeRounds = 6
	exchangeAll    = 12
	exchangeRise   = 1e-9 // relative rise that counts
)

// from climbs from every start (rows of len(sides)·D numbers) and returns the results, best first.
// newObjective is called once per start. An ended context leaves fewer, but never none.
func (a ascent) from(ctx context.Context, newObjective func() maximize.Objective, starts []float64, s maximize.Settings, rounds, workers int) []maximize.Result {
	q := len(a.sides) * a.g.d
	all := make([]maximize.Result, len(starts)/q)
	each(ctx, len(all), workers, func(i int) {
		all[i] = a.climb(ctx, newObjective(), clone(starts[i*q:(i+1)*q]), s, rounds)
	})
	all = slices.DeleteFunc(all, func(r maximize.Result) bool { return r.X == nil })
	slices.SortStableFunc(all, byValue)
	return all
}

// climb climbs from x, whose points are all where they may be, with up to rounds exchanges of levels.
func (a ascent) climb(ctx context.Context, f maximize.Objective, x []float64, s maximize.Settings, rounds int) maximize.Result {
	best := maximize.Result{X: x, Value: f(x, nil)}
	for round := 0; ; round++ {
		if up := a.slide(ctx, f, best.X, s); up.Value > best.Value && !a.same(up.X) {
			best = up
		}
		if round == rounds || len(a.g.discrete) == 0 || ctx.Err() != nil {
			return best
		}
		was := best.Value
		a.exchange(ctx, f, &best)
		if !(best.Value > was+exchangeRise*math.Abs(was)) {
			return best
		}
	}
}

// same reports whether the two options of the question are one.
func (a ascent) same(x []float64) bool {
	d := a.g.d
	return a.pair && slices.Equal(x[:d], x[d:2*d])
}

// slide climbs in the continuous coordinates, along constraints where these are in the way.
func (a ascent) slide(ctx context.Context, f maximize.Objective, x []float64, s maximize.Settings) maximize.Result {
	d := a.g.d
	lo, hi := clone(x), clone(x) // equal bounds hold a coordinate
	moving, walled := false, false
	for i, side := range a.sides {
		if side.held {
			continue
		}
		for _, j := range side.free {
			// A start outside its bounds, such as x̂ outside those of the question, may stay there.
			lo[i*d+j], hi[i*d+j] = min(side.lo[j], x[i*d+j]), max(side.hi[j], x[i*d+j])
			moving = true
		}
		walled = walled || side.ok != nil
	}
	if !moving {
		return maximize.Result{X: x, Value: math.Inf(-1)}
	}
	l := maximize.NewLocal(len(x), s)
	if !walled {
		return l.Maximize(ctx, f, lo, hi, x).Clone()
	}
	r := newRepair(a.sides, d, a.anchors(x))
	up := l.Maximize(ctx, r.objective(f), lo, hi, x)
	y := r.points(up.X)
	return maximize.Result{X: y, Value: f(y, nil)}
}

// anchorChecks is the number of places at which the way to an anchor is looked at.
const anchorChecks = 8

// anchors returns, for every point of x, a place well inside from which it is seen: the middle of the
// sample, else the first option of the sample that is, both with the point's own levels, else itself.
func (a ascent) anchors(x []float64) []float64 {
	d := a.g.d
	out := clone(x)
	n := len(a.g.sample) / d
	middle := make([]float64, d)
	for i, v := range a.g.sample {
		middle[i%d] += v / float64(n)
	}
	try, way := make([]float64, d), make([]float64, d)
	for i, side := range a.sides {
		if side.held || side.ok == nil {
			continue
		}
		at := x[i*d : (i+1)*d]
		seen := func(c []float64) bool {
			copy(try, at)
			for _, j := range side.free {
				try[j] = min(max(c[j], side.lo[j]), side.hi[j])
			}
			for k := range anchorChecks {
				t := float64(k) / anchorChecks
				for j := range way {
					way[j] = along(try[j], at[j], t)
				}
				if !side.may(way) {
					return false
				}
			}
			return true
		}
		ok := seen(middle)
		for k := 0; k < n && !ok; k++ {
			ok = seen(a.g.sample[k*d : (k+1)*d])
		}
		if ok {
			copy(out[i*d:(i+1)*d], try)
		}
	}
	return out
}

// exchange tries every discrete part of every point at other levels and keeps what is best, part by part.
// An option of the question takes along the fantasy points that share its level, if that is better.
func (a ascent) exchange(ctx context.Context, f maximize.Objective, best *maximize.Result) {
	d := a.g.d
	trial := make([]float64, len(best.X))
	consider := func() {
		if a.same(trial) {
			return
		}
		for i, side := range a.sides {
			if !side.may(trial[i*d : (i+1)*d]) {
				return
			}
		}
		if v := f(trial, nil); v > best.Value {
			*best = maximize.Result{X: clone(trial), Value: v}
		}
	}
	for i, side := range a.sides {
		if side.held {
			continue
		}
		for _, p := range a.g.discrete {
			if ctx.Err() != nil {
				return
			}
			base := best.X
			from := p.find(base[i*d : (i+1)*d])
			for l := range p.count() {
				if away := max(l-from, from-l); away == 0 || p.Ordered && away > exchangeAll && away&(away-1) != 0 {
					continue
				}
				copy(trial, base)
				copy(p.of(trial[i*d:(i+1)*d]), p.level(l))
				consider()
				if i > 1 || len(a.sides) < 3 {
					continue
				}
				for k := 2; k < len(a.sides); k++ {
					if y := trial[k*d : (k+1)*d]; slices.Equal(p.of(y), p.level(max(from, 0))) {
						copy(p.of(y), p.level(l))
					}
				}
				consider()
			}
		}
	}
}

// each calls task(0) … task(count−1), each once, on up to workers goroutines. When ctx ends, tasks not
// begun are left out, but task(0) is always called.
func each(ctx context.Context, count, workers int, task func(i int)) {
	var next atomic.Int64
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= count || i > 0 && ctx.Err() != nil {
				return
			}
			task(i)
		}
	}
	if workers = min(workers, count); workers <= 1 {
		work()
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	wg.Wait()
}
