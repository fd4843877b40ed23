package acquisition

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// ascent climbs a function of several options at once: a gradient search in the continuous coordinates,
// then every discrete part of every option at its other levels, until neither finds more.
type ascent struct {
	in     *region
	limits []limits
	units  units // of the variables
	pair   bool  // points 0 and 1 are a question and must differ
	short  bool  // of large parts the promising levels alone are tried (region.promising)
}

// exchangeRounds bounds how often climbs and exchanges alternate; distances of ordered levels beyond exchangeAll are tried in powers of two only.
const (
	exchangeRounds = 6
	exchangeAll    = 12
	exchangeRise   = 1e-9 // relative rise that counts
)

// from climbs from every start (rows of len(limits)·D numbers) and returns the results, best first.
// newObjective is called once per start. An ended context leaves fewer, but never none.
func (a ascent) from(ctx context.Context, newObjective func() maximize.Objective, starts []float64, s maximize.Settings, rounds, workers int) []maximize.Result {
	if a.in.plain {
		return a.fromPlain(ctx, newObjective, starts, s, workers)
	}
	q := len(a.limits) * a.in.d
	all := make([]maximize.Result, len(starts)/q)
	cooperate.Parallel(ctx, len(all), workers, func(int) func(int) {
		return func(i int) { all[i] = a.climb(ctx, newObjective(), clone(starts[i*q:(i+1)*q]), s, rounds) }
	})
	all = slices.DeleteFunc(all, func(r maximize.Result) bool { return r.X == nil })
	slices.SortStableFunc(all, byValue)
	return all
}

// fromPlain is from on the cube.
func (a ascent) fromPlain(ctx context.Context, newObjective func() maximize.Objective, starts []float64, s maximize.Settings, workers int) []maximize.Result {
	var lo, hi []float64
	for _, l := range a.limits {
		lo, hi = append(lo, l.lo...), append(hi, l.hi...)
	}
	inUnits := func() maximize.Objective { return a.units.objective(newObjective()) }
	_, all := maximize.MultiStart{Workers: workers, Settings: s}.From(ctx, inUnits, a.units.in(lo), a.units.in(hi), a.units.in(starts)) // an ended context leaves fewer
	for _, r := range all {
		a.units.out(r)
	}
	slices.SortStableFunc(all, byValue)
	return all
}

// byValue orders results from the highest value down.
func byValue(a, b maximize.Result) int { return cmp.Compare(b.Value, a.Value) }

// climb climbs from x, whose points are all where they may be, with up to rounds exchanges of levels.
func (a ascent) climb(ctx context.Context, f maximize.Objective, x []float64, s maximize.Settings, rounds int) maximize.Result {
	best := maximize.Result{X: x, Value: f(x, nil)}
	for round := 0; ; round++ {
		for try, idle := 0, 0; idle < 2 && try < slides; try++ {
			up := a.slide(ctx, f, best.X, s, try%2 == 1)
			if idle++; up.Value > best.Value && !a.same(up.X) {
				if up.Value > best.Value+slideRise*math.Max(1, math.Abs(best.Value)) {
					idle = 0
				}
				best = up
			}
			if rounds < exchangeRounds || !a.walled() {
				break
			}
		}
		if round == rounds || len(a.in.discrete) == 0 || ctx.Err() != nil {
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
	d := a.in.d
	return a.pair && slices.Equal(x[:d], x[d:2*d])
}

// A climb that meets a wall ends early now and then: the bend of the function there spoils the curvature it has learnt. So it is begun again, at most so
// often and while that helps, by turns from where it was and from a little beyond the walls that points touch, where the function has no bend.
const (
	slides    = 8
	slideRise = 1e-4
	beyondBy  = 1e-2 // of the distance from the anchor
	touching  = 1e-5
)

// walled reports whether a constraint may be in the way.
func (a ascent) walled() bool {
	return slices.ContainsFunc(a.limits, func(l limits) bool { return l.ok != nil && !l.held })
}

// slide climbs in the continuous coordinates, along constraints where these are in the way. If outside is set, points that touch a wall start beyond it.
func (a ascent) slide(ctx context.Context, f maximize.Objective, x []float64, s maximize.Settings, outside bool) maximize.Result {
	d := a.in.d
	flat := newChart(a.limits, d, x)
	z := flat.flat(0, x)
	lo, hi := clone(z), clone(z) // equal bounds hold a coordinate
	moving := flat.turns != nil
	for i, l := range a.limits {
		if l.held {
			continue
		}
		for _, j := range l.free {
			// A start outside its bounds, such as x̂ outside those of the question, may stay there.
			lo[i*d+j], hi[i*d+j] = min(l.lo[j], x[i*d+j]), max(l.hi[j], x[i*d+j])
			moving = true
		}
	}
	if !moving {
		return maximize.Result{X: x, Value: math.Inf(-1)}
	}
	local := maximize.NewLocal(len(x), s)
	if !a.walled() {
		for _, k := range flat.turns {
			lo[k], hi[k] = -0.5, 1.5
		}
		up := a.units.out(local.Maximize(ctx, a.units.objective(flat.objective(f)), a.units.in(lo), a.units.in(hi), a.units.in(z)).Clone())
		up.X = flat.rounded(up.X)
		return up
	}
	for _, k := range flat.turns {
		lo[k], hi[k] = 0, 1
	}
	limits := flat.limits(a.limits)
	r := newRepair(limits, d, a.anchors(z, limits, flat))
	start := clone(z)
	for i, l := range a.limits {
		c, y := r.anchors[i*d:(i+1)*d], start[i*d:(i+1)*d]
		if outside && !l.held && !r.inside(i, y, 1+touching) {
			for j := range y {
				y[j] = along(c[j], y[j], 1+beyondBy)
			}
		}
	}
	up := a.units.out(local.Maximize(ctx, a.units.objective(r.objective(flat.objective(f))), a.units.in(lo), a.units.in(hi), a.units.in(start)))
	y := flat.rounded(r.points(up.X))
	return maximize.Result{X: y, Value: f(y, nil)}
}

// anchorChecks is the number of places at which the way to an anchor is looked at.
const anchorChecks = 8

// anchors returns, for every point of x, a place well inside from which it is seen: the middle of the sample, else the first option of the sample that is,
// both with the point's own levels, else itself. Points and limits have their circles laid out.
func (a ascent) anchors(x []float64, limits []limits, flat chart) []float64 {
	d := a.in.d
	out := clone(x)
	n := len(a.in.sample) / d
	try, way := make([]float64, d), make([]float64, d)
	for i, l := range limits {
		if l.held || l.ok == nil {
			continue
		}
		sample := a.in.sample
		if flat.turns != nil {
			sample = nil
			for k := range n {
				sample = append(sample, flat.flat(i, a.in.sample[k*d:(k+1)*d])...)
			}
		}
		middle := make([]float64, d)
		for i, v := range sample {
			middle[i%d] += v / float64(n)
		}
		at := x[i*d : (i+1)*d]
		seen := func(c []float64) bool {
			copy(try, at)
			for _, j := range l.free {
				try[j] = min(max(c[j], l.lo[j]), l.hi[j])
			}
			for k := range anchorChecks {
				t := float64(k) / anchorChecks
				for j := range way {
					way[j] = along(try[j], at[j], t)
				}
				if !l.may(way) {
					return false
				}
			}
			return true
		}
		ok := seen(middle)
		for k := 0; k < n && !ok; k++ {
			ok = seen(sample[k*d : (k+1)*d])
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
	d := a.in.d
	trial := make([]float64, len(best.X))
	consider := func() {
		if a.same(trial) {
			return
		}
		for i, l := range a.limits {
			if !l.may(trial[i*d : (i+1)*d]) {
				return
			}
		}
		if v := f(trial, nil); v > best.Value {
			*best = maximize.Result{X: clone(trial), Value: v}
		}
	}
	for i, l := range a.limits {
		if l.held {
			continue
		}
		for k, p := range a.in.discrete {
			if ctx.Err() != nil {
				return
			}
			base := best.X
			from := p.find(base[i*d : (i+1)*d])
			levels := a.in.every[k]
			if a.short {
				levels = a.in.tried[k]
			}
			for _, l := range levels {
				if away := p.away(l, from); away == 0 || p.Ordered && away > exchangeAll && away&(away-1) != 0 {
					continue
				}
				copy(trial, base)
				copy(p.of(trial[i*d:(i+1)*d]), p.level(l))
				consider()
				if i > 1 || len(a.limits) < 3 {
					continue
				}
				for k := 2; k < len(a.limits); k++ {
					if y := trial[k*d : (k+1)*d]; slices.Equal(p.of(y), p.level(max(from, 0))) {
						copy(p.of(y), p.level(l))
					}
				}
				consider()
			}
		}
	}
}
