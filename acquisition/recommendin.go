package acquisition

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// listPeaks is the number of rows of a list that are returned as its peaks.
const listPeaks = 12

// RecommendIn is Recommend on a domain; nil is the unit cube. On a list, and on any domain with few
// options, it is exact: the peaks are the options with the highest means. Elsewhere options are climbed
// to as in Recommend, every combination of levels having its own climb if there are few. There is no
// peak if the feasible set looks empty.
func RecommendIn(ctx context.Context, dom *Domain, p Utility, shown, previous []float64, seed uint64, workers int) []Peak {
	if dom == nil {
		return Recommend(ctx, p, shown, previous, seed, workers)
	}
	if rows := dom.listed(); rows != nil {
		return rowPeaks(p, rows, workers)
	}
	return newGround(dom, p.Dim(), seed).recommend(ctx, p, shown, previous, seed, workers)
}

// listed returns the options row by row if they are a list or few, else nil.
func (d *Domain) listed() []float64 {
	if d.List != nil {
		return d.List
	}
	rows, ok := d.enumerate()
	if !ok {
		return nil
	}
	return rows
}

// rowPeaks returns the rows with the highest means.
func rowPeaks(p Utility, rows []float64, workers int) []Peak {
	d := p.Dim()
	mean := make([]float64, len(rows)/d)
	p.Means(mean, rows, workers)
	var peaks []Peak
	for _, i := range topRows(mean, listPeaks) {
		peaks = append(peaks, Peak{clone(rows[i*d : (i+1)*d]), mean[i]})
	}
	return peaks
}

// recommend climbs the mean from the previous best, the best options shown and the best of the sample.
func (g *ground) recommend(ctx context.Context, p Utility, shown, previous []float64, seed uint64, workers int) []Peak {
	if len(g.sample) == 0 {
		return nil
	}
	d := g.d
	a := ascent{g: g, sides: []side{g.anywhere()}}
	var starts []float64
	if previous != nil && g.dom.Contains(previous) {
		starts = append(starts, previous...)
	}
	var inside []float64
	for i := 0; i < len(shown); i += d {
		if g.dom.Contains(shown[i : i+d]) {
			inside = append(inside, shown[i:i+d]...)
		}
	}
	starts = append(starts, Top(p, inside, peakShown, startApart)...)
	starts = append(starts, Top(p, g.sample, peakStarts-peakShown, startApart)...)
	if len(g.discrete) > 0 && g.dom.combinations(groundCover) <= groundCover {
		starts = append(starts, g.cover(p, starts)...)
	}
	newObjective := func() maximize.Objective {
		m := gp.NewMoments(1)
		return func(x, grad []float64) float64 { return p.MeanGradient(m, x, grad) }
	}
	s := maximize.Settings{MaxEvals: 100, GradTol: 1e-7, ValueTol: 1e-13}
	var peaks []Peak
	for _, r := range a.from(ctx, newObjective, starts, s, exchangeRounds, max(1, workers)) {
		if !math.IsNaN(r.Value) {
			peaks = append(peaks, Peak{r.X, r.Value})
		}
	}
	peaks = distinctPeaks(peaks)
	if len(g.discrete) > 0 && len(peaks) > 0 { // a look at the neighbours, which also crosses diagonally
		near := g.dom.Around(p, peaks[0].X, candidateNear, rand.New(rand.NewPCG(seed, 0xa40d)))
		if near = Top(p, near, 2, samePeak); len(near) > 0 {
			for _, r := range a.from(ctx, newObjective, near, s, exchangeRounds, max(1, workers)) {
				peaks = append(peaks, Peak{r.X, r.Value})
			}
			peaks = distinctPeaks(peaks)
		}
	}
	return peaks
}

// cover returns, for every combination of levels, the option of the sample's continuous coordinates with
// the highest mean that is feasible there.
func (g *ground) cover(p Utility, starts []float64) []float64 {
	const tries = 16
	d := g.d
	m := gp.NewMoments(1)
	var out []float64
	g.dom.eachCombination(make([]float64, d), func(x []float64) bool {
		top, best := math.Inf(-1), []float64(nil)
		try := func(from []float64) {
			y := clone(x)
			for _, j := range g.free {
				y[j] = from[j]
			}
			if !g.dom.feasible(y) {
				return
			}
			if v := p.MeanGradient(m, y, nil); v > top {
				top, best = v, y
			}
		}
		for i := 0; i < len(starts); i += d {
			try(starts[i : i+d])
		}
		for i := 0; i < len(g.sample) && (i < tries*d || best == nil); i += d {
			try(g.sample[i : i+d])
		}
		out = append(out, best...)
		return true
	})
	return out
}
