package acquisition

import (
	"context"
	"math"
	"sort"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/sobol"
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
func Recommend(ctx context.Context, p *gp.Posterior, shown, previous []float64, seed uint64, workers int) []Peak {
	d := p.Dim()
	starts := make([]float64, 0, (peakStarts+1)*d)
	if previous != nil {
		starts = append(starts, previous...)
	}
	m := gp.NewMoments(1)
	mean := func(x []float64) float64 { return p.MeanGradient(m, x, nil) }
	starts = append(starts, topByMean(shown, d, peakShown, startApart, mean)...)
	starts = append(starts, topByMean(sobol.Points(d, peakRaw, seed), d, peakStarts-peakShown, startApart, mean)...)
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
		peaks = []Peak{{clone(starts[:d]), mean(starts[:d])}}
	}
	return distinctPeaks(peaks)
}

// topByMean returns the rows of x with the highest means, best first, at most count and none closer
// than tol in every coordinate to a better one.
func topByMean(x []float64, d, count int, tol float64, mean func([]float64) float64) []float64 {
	n := len(x) / d
	order, value := make([]int, n), make([]float64, n)
	for i := range n {
		order[i], value[i] = i, mean(x[i*d:(i+1)*d])
	}
	sort.SliceStable(order, func(a, b int) bool { return value[order[a]] > value[order[b]] })
	var top []float64
	for _, i := range order {
		if len(top) == count*d {
			break
		}
		if row := x[i*d : (i+1)*d]; !closeToAny(row, top, d, tol) {
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
	sort.SliceStable(peaks, func(a, b int) bool { return peaks[a].Mean > peaks[b].Mean })
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
