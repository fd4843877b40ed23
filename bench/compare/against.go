package compare

import (
	"math"
	"slices"
)

// Measure is one series against the best of a baseline's, group by group and over all groups.
type Measure struct {
	Ours     Series
	Baseline []Series
	Position Position

	Groups []BestRatio // groups with 5 seeds or more in common
	Thin   []Group     // groups with fewer, which are not part of the mean

	Mean  Interval // geometric mean of the groups' ratios; NaN if there are none
	Above []Group  // groups whose interval lies wholly above 1: there the baseline's best is better
}

// BestRatio is the ratio of medians in one group.
type BestRatio struct {
	Group Group
	N     int    // seeds in common
	Best  Series // of the baseline: the smallest median over these seeds

	OurMedian, BestMedian float64
	OurStuck, BestStuck   float64 // shares of stuck runs over all seeds of the series, for groups where medians hide two modes
	Ratio                 Interval
}

// Measures returns the measure of a report at each of its positions where there are groups to measure.
func Measures(t *Table, o Options) []Measure {
	o = o.withDefaults(t)
	var out []Measure
	for _, p := range o.positions() {
		if m := t.Against(o.Ours, o.Baseline, p); len(m.Groups) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// Against compares ours with the best of the baseline at a position. Series of the baseline that have no
// row there are left out of the group. Use a position in answers to compare what a person has to do in
// all, one in iter to compare what is made of the same initial pairs.
//
// Seeds are resampled jointly: a seed brings the gaps of all series. The smallest median of the baseline
// is taken inside every resample, so that the freedom to choose the best method afterwards is counted for
// the baseline and paid for by the interval, which may therefore lie higher than the ratio it belongs to.
//
// For the mean, a resample takes the same seeds in all groups that have as many in common, because runs
// of one seed share initial pairs and noise across groups of one dimension; groups with other numbers of
// seeds are resampled independently. Gaps are floored at 1e-12.
func (t *Table) Against(ours Series, baseline []Series, p Position) Measure {
	m := Measure{Ours: ours, Baseline: baseline, Position: p}
	value, boot := 0.0, make([]float64, resamples)
	for _, g := range t.Groups() {
		r, logs, ok := t.bestRatio(g, ours, baseline, p)
		if !ok {
			m.Thin = append(m.Thin, g)
			continue
		}
		for k, v := range logs {
			boot[k] += v
		}
		value += math.Log(r.Ratio.Value)
		iv := interval(math.Log(r.Ratio.Value), logs)
		r.Ratio.Lower, r.Ratio.Upper = math.Exp(iv.Lower), math.Exp(iv.Upper)
		for _, s := range t.Summaries(g, p) {
			if s.Series == ours {
				r.OurStuck = s.Stuck
			}
			if s.Series == r.Best {
				r.BestStuck = s.Stuck
			}
		}
		if r.Ratio.Lower > 1 {
			m.Above = append(m.Above, g)
		}
		m.Groups = append(m.Groups, r)
	}
	n := float64(len(m.Groups)) // 0/0 below is the NaN of no groups
	iv := interval(value, boot)
	m.Mean = Interval{math.Exp(iv.Value / n), math.Exp(iv.Lower / n), math.Exp(iv.Upper / n)}
	return m
}

// bestRatio returns the ratio without its interval, and its logarithm in every resample.
func (t *Table) bestRatio(g Group, ours Series, baseline []Series, p Position) (r BestRatio, logs []float64, ok bool) {
	present := slices.DeleteFunc(slices.Clone(baseline), func(s Series) bool { return len(t.common(g, p, s)) == 0 })
	seeds := t.common(g, p, append([]Series{ours}, present...)...)
	if len(present) == 0 || len(seeds) < minSeeds {
		return r, nil, false
	}
	a := t.floored(g, ours, p, seeds)
	r = BestRatio{Group: g, N: len(seeds), OurMedian: median(a), BestMedian: math.Inf(1)}
	our, theirs := newSample(a), make([]*sample, len(present))
	for i, s := range present {
		b := t.floored(g, s, p, seeds)
		theirs[i] = newSample(b)
		if m := median(b); m < r.BestMedian {
			r.Best, r.BestMedian = s, m
		}
	}
	r.Ratio.Value = r.OurMedian / r.BestMedian
	logs = make([]float64, resamples)
	index := t.draws.of(r.N)
	for k := range logs {
		draw := index[k*r.N : (k+1)*r.N]
		best := math.Inf(1)
		for _, s := range theirs {
			best = min(best, s.median(draw))
		}
		logs[k] = math.Log(our.median(draw) / best)
	}
	return r, logs, true
}
