package acquisition

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/sobol"
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

// Recommend returns the local maxima of the posterior mean it finds, highest first: the first is the
// estimated maximiser x̂ of §4. shown are options to start from (row by row), previous an earlier x̂;
// both may be nil. The result depends on the arguments alone. When ctx ends early the peaks are those
// found so far; there is always at least one.
func Recommend(ctx context.Context, p Utility, shown, previous []float64, seed uint64, workers int) []Peak {
	d := p.Dim()
	starts := make([]float64, 0, (peakStarts+1)*d)
	if previous != nil {
		starts = append(starts, previous...)
	}
	starts = append(starts, Top(p, shown, peakShown, startApart)...)
	starts = append(starts, Top(p, sobol.Points(d, peakRaw, seed), peakStarts-peakShown, startApart)...)
	newObjective := func() maximize.Objective {
		m := gp.NewMoments(1)
		return func(x, grad []float64) float64 { return p.MeanGradient(m, x, grad) }
	}
	ms := maximize.MultiStart{Workers: max(1, workers), Settings: maximize.Settings{MaxEvals: 100, GradTol: 1e-7, ValueTol: 1e-13}}
	_, all, _ := ms.From(ctx, newObjective, make([]float64, d), ones(d), starts) // an ended context leaves fewer climbs
	var peaks []Peak
	for _, r := range all {
		if len(r.X) == d && !math.IsNaN(r.Value) {
			peaks = append(peaks, Peak{clone(r.X), r.Value})
		}
	}
	if len(peaks) == 0 {
		peaks = []Peak{{clone(starts[:d]), p.MeanGradient(gp.NewMoments(1), starts[:d], nil)}}
	}
	return distinctPeaks(peaks)
}

// Top returns the points of x (row by row) with the highest posterior means, best first, at most count
// and none closer than apart in every coordinate to a better one.
func Top(p Utility, x []float64, count int, apart float64) []float64 {
	d := p.Dim()
	n := len(x) / d
	m := gp.NewMoments(1)
	order, mean := make([]int, n), make([]float64, n)
	for i := range n {
		order[i], mean[i] = i, p.MeanGradient(m, x[i*d:(i+1)*d], nil)
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
next:
	for _, p := range peaks {
		for _, k := range kept {
			if closeTo(p.X, k.X, samePeak) {
				continue next
			}
		}
		kept = append(kept, p)
	}
	return kept
}
