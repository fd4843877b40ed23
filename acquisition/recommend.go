package acquisition

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Utility is what the search for the best option sees of f: a *gp.Posterior or a *gp.Mixture.
type Utility interface {
	Dim() int
	Noise() float64
	Hyper() gp.Hyper
	MeanGradient(m *gp.Moments, x, grad []float64) float64
	MeanHessian(m *gp.Moments, x, dst []float64)
	Means(dst, x []float64, workers int)
}

var (
	_ Utility = (*gp.Posterior)(nil)
	_ Utility = (*gp.Mixture)(nil)
)

// Peak is a local maximum of the posterior mean in the unit cube.
type Peak struct {
	X    []float64
	Mean float64
}

// Effort of Recommend: raw points, local searches, and how many of the best shown options join.
const (
	peakRaw    = 64
	peakStarts = 12
	peakShown  = 8
	startApart = 0.03 // starts closer than this in every coordinate are one
	samePeak   = 1e-3 // and peaks
)

// listPeaks is the number of rows of a list that are returned as its peaks.
const listPeaks = 12

// Recommend returns the local maxima of the posterior mean on a domain (nil: the unit cube) that it finds, highest first: the first is the estimated
// maximiser x̂ of §4. shown are options to start from (row by row), previous an earlier x̂; both may be nil. On a list, and on any domain with few options,
// it is exact: the peaks are the options with the highest means. The result depends on the arguments alone. When ctx ends early the peaks are those found so
// far; there is always at least one, unless the feasible set looks empty.
func Recommend(ctx context.Context, dom *Domain, p Utility, shown, previous []float64, seed uint64, workers int) []Peak {
	if dom == nil {
		return newCube(p.Dim(), seed).recommend(ctx, p, shown, previous, seed, workers)
	}
	if rows := dom.listed(); rows != nil {
		d := p.Dim()
		mean := make([]float64, len(rows)/d)
		p.Means(mean, rows, workers)
		var peaks []Peak
		for _, i := range topRows(mean, listPeaks) {
			peaks = append(peaks, Peak{clone(rows[i*d : (i+1)*d]), mean[i]})
		}
		return peaks
	}
	return newRegion(dom, p.Dim(), seed).recommend(ctx, p, shown, previous, seed, workers)
}

// listed returns the options row by row if they are a list or few, else nil.
func (d *Domain) listed() []float64 {
	if d.List == nil {
		if rows, ok := d.enumerate(); ok {
			return rows
		}
	}
	return d.List
}

// recommend climbs the mean from the previous best, the best options shown and the best of the sample; every
// combination of levels has its own climb if there are few.
func (r *region) recommend(ctx context.Context, p Utility, shown, previous []float64, seed uint64, workers int) []Peak {
	if len(r.sample) == 0 {
		return nil
	}
	var starts []float64
	if previous != nil && r.dom.Contains(previous) {
		starts = append(starts, previous...)
	}
	starts = append(starts, Top(p, r.dom.among(shown), peakShown, startApart, workers)...)
	starts = append(starts, Top(p, r.sample, peakStarts-peakShown, startApart, workers)...)
	if len(r.discrete) > 0 && r.dom.combinations(regionCover) <= regionCover {
		starts = append(starts, r.cover(p, starts)...)
	}
	peaks := r.climbMean(ctx, p, starts, workers)
	if len(r.discrete) > 0 { // a look at the neighbours, which also crosses diagonally
		near := r.dom.Around(p, peaks[0].X, candidateNear, rand.New(rand.NewPCG(seed, 0xa40d)))
		if near = Top(p, near, 2, samePeak, workers); len(near) > 0 {
			peaks = distinctPeaks(append(peaks, r.climbMean(ctx, p, near, workers)...))
		}
	}
	return peaks
}

// climbMean climbs the mean from every start and returns where the climbs ended, highest first.
func (r *region) climbMean(ctx context.Context, p Utility, starts []float64, workers int) []Peak {
	newObjective := func() maximize.Objective {
		m := gp.NewMoments(1)
		return func(x, grad []float64) float64 { return p.MeanGradient(m, x, grad) }
	}
	a := ascent{in: r, limits: []limits{r.anywhere()}}
	s := maximize.Settings{MaxEvals: 100, GradTol: 1e-7, ValueTol: 1e-13}
	var peaks []Peak
	for _, up := range a.from(ctx, newObjective, starts, s, exchangeRounds, workers) {
		if !math.IsNaN(up.Value) {
			peaks = append(peaks, Peak{up.X, up.Value})
		}
	}
	if len(peaks) == 0 {
		peaks = []Peak{{clone(starts[:r.d]), newObjective()(starts[:r.d], nil)}}
	}
	return distinctPeaks(peaks)
}

// cover returns, for every combination of levels, the option of the sample's continuous coordinates with the highest mean that is feasible there.
func (r *region) cover(p Utility, starts []float64) []float64 {
	const tries = 16
	d := r.d
	m := gp.NewMoments(1)
	var out []float64
	r.dom.eachCombination(make([]float64, d), func(x []float64) bool {
		top, best := math.Inf(-1), []float64(nil)
		try := func(from []float64) {
			y := clone(x)
			for _, j := range r.free {
				y[j] = from[j]
			}
			for _, j := range r.circles {
				copy(y[j:j+2], from[j:j+2])
			}
			if !r.dom.feasible(y) {
				return
			}
			if v := p.MeanGradient(m, y, nil); v > top {
				top, best = v, y
			}
		}
		for i := 0; i < len(starts); i += d {
			try(starts[i : i+d])
		}
		for i := 0; i < len(r.sample) && (i < tries*d || best == nil); i += d {
			try(r.sample[i : i+d])
		}
		out = append(out, best...)
		return true
	})
	return out
}

// Top returns the points of x (row by row) with the highest posterior means, best first, at most count
// and none closer than apart in every coordinate to a better one.
func Top(p Utility, x []float64, count int, apart float64, workers int) []float64 {
	d := p.Dim()
	n, m := len(x)/d, gp.NewMoments(1)
	order, mean := xslices.Times(n, func(i int) int { return i }), make([]float64, n)
	if n > topMany {
		p.Means(mean, x, workers)
	} else {
		for i := range mean {
			mean[i] = p.MeanGradient(m, x[i*d:(i+1)*d], nil)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(mean[b], mean[a]) })
	var top []float64
	for _, i := range order {
		if len(top) == count*d {
			break
		}
		if row := x[i*d : (i+1)*d]; !closeToAny(row, top, d, apart) {
			top = append(top, row...)
		}
	}
	return top
}

// topMany is from how many rows on blocks of them take less time than one after the other.
const topMany = 128

func closeToAny(x, rows []float64, d int, tol float64) bool {
	for i := 0; i < len(rows); i += d {
		if closeTo(x, rows[i:i+d], tol) {
			return true
		}
	}
	return false
}

func closeTo(a, b []float64, tol float64) bool {
	for j := range a {
		if math.Abs(a[j]-b[j]) > tol {
			return false
		}
	}
	return true
}

func distinctPeaks(peaks []Peak) []Peak {
	slices.SortStableFunc(peaks, func(a, b Peak) int { return cmp.Compare(b.Mean, a.Mean) })
	kept := peaks[:0:0]
	for _, p := range peaks {
		if !slices.ContainsFunc(kept, func(k Peak) bool { return closeTo(p.X, k.X, samePeak) }) {
			kept = append(kept, p)
		}
	}
	return kept
}
