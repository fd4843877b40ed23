package compare

import (
	"math"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Verdicts on the first of two series. A smaller gap is better.
const (
	Better   = "better"
	Worse    = "worse"
	Same     = "~"   // no difference that these seeds can show
	minSeeds = 5     // the fewest seeds in common that may make a verdict: four differences have the same sign by chance one time in eight
	floor    = 1e-12 // the smallest gap in a ratio. Optima are known to about 1e-12: below it two runs are as good as each other
)

// Comparison is one series against another in one group, at one position, over the seeds both have. With
// the same initial pairs and the same rater per seed this takes the luck of the seed out.
type Comparison struct {
	Group        Group
	Ours, Theirs Series
	Position     Position

	N            int // seeds in common; the intervals are NaN if there are none
	Wins, Losses int // seeds at which our gap is smaller, and larger; equal ones are neither

	// LogRatio is the mean over seeds of log₁₀(our gap / theirs), gaps floored at 1e-12: −1 is a gap ten
	// times smaller.
	LogRatio Interval

	Verdict string // Better or Worse if the interval of LogRatio lies on one side of 0 and there are 5 seeds or more, else Same
}

// Compare compares ours with theirs seed by seed. Intervals come from 10,000 resamples of the seeds, a seed bringing both its gaps.
func (t *Table) Compare(g Group, ours, theirs Series, p Position) Comparison {
	seeds := t.common(g, p, ours, theirs)
	c := Comparison{Group: g, Ours: ours, Theirs: theirs, Position: p, N: len(seeds), LogRatio: Interval{math.NaN(), math.NaN(), math.NaN()}, Verdict: Same}
	if c.N == 0 {
		return c
	}
	a, b := t.floored(g, ours, p, seeds), t.floored(g, theirs, p, seeds)
	diff := make([]float64, c.N)
	for i := range diff {
		diff[i] = math.Log10(a[i]) - math.Log10(b[i])
		switch {
		case a[i] < b[i]:
			c.Wins++
		case a[i] > b[i]:
			c.Losses++
		}
	}
	c.LogRatio = t.draws.Mean(diff)
	switch {
	case c.N < minSeeds:
	case c.LogRatio.Upper < 0:
		c.Verdict = Better
	case c.LogRatio.Lower > 0:
		c.Verdict = Worse
	}
	return c
}

// Comparisons compares Ours with every other series of the report, in every group and at every position where both have a seed in common.
func Comparisons(t *Table, o Options) (out []Comparison) {
	o = o.withDefaults(t)
	for _, g := range t.Groups() {
		for _, s := range o.others() {
			for _, p := range o.positions() {
				if c := t.Compare(g, o.Ours, s, p); c.N > 0 {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// Ratio returns the geometric mean over seeds of our gap / theirs: 10 to the LogRatio.
func (c Comparison) Ratio() Interval {
	return Interval{math.Pow(10, c.LogRatio.Value), math.Pow(10, c.LogRatio.Lower), math.Pow(10, c.LogRatio.Upper)}
}

// floored returns the gaps of a series with the given seeds, none below the floor.
func (t *Table) floored(g Group, s Series, p Position, seeds []uint64) []float64 {
	return xslices.Map(t.gaps(g, s, p, seeds), func(gap float64) float64 { return max(gap, floor) })
}

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
	all := xslices.Map(o.positions(), func(p Position) Measure { return t.Against(o.Ours, o.Baseline, p) })
	return xslices.Filter(all, func(m Measure) bool { return len(m.Groups) > 0 })
}

// Against compares ours with the best of the baseline at a position. Series of the baseline that have no row there are left out of the group. Use a position
// in answers to compare what a person has to do in all, one in iter to compare what is made of the same initial pairs.
//
// Seeds are resampled jointly: a seed brings the gaps of all series. The smallest median of the baseline is taken inside every resample, so that the freedom
// to choose the best method afterwards is counted for the baseline and paid for by the interval, which may therefore lie higher than the ratio it belongs to.
//
// For the mean, a resample takes the same seeds in all groups that have as many in common, because runs of one seed share initial pairs and noise across
// groups of one dimension; groups with other numbers of seeds are resampled independently. Gaps are floored at 1e-12.
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
	theirs := make([][]float64, len(present))
	for i, s := range present {
		b := t.floored(g, s, p, seeds)
		theirs[i] = b
		if m := median(b); m < r.BestMedian {
			r.Best, r.BestMedian = s, m
		}
	}
	r.Ratio.Value = r.OurMedian / r.BestMedian
	return r, t.draws.each(r.N, func(draw []int32) float64 {
		best := math.Inf(1)
		for _, b := range theirs {
			best = min(best, drawnMedian(b, draw))
		}
		return math.Log(drawnMedian(a, draw) / best)
	}), true
}

// Missed is the mean share of the possible improvement that a series misses at a position,
//
//	(f* − f(x̂)) / (f* − mean f),
//
// over seeds and then over settings: 0 at the optimum, 1 for a point drawn blindly. Unlike a mean of log ratios it is not ruled by
// runs whose gaps are too small to notice. It has a problem of the catalogue in each setting; of others the mean is not known.
type Missed struct {
	Series   Series
	Position Position
	Groups   []Group    // settings
	Shares   []Interval // in each
	Mean     Interval   // over them
}

// Missed returns what a series misses at a position. For the mean the same seeds are resampled in all settings that have as many, as in Against.
func (t *Table) Missed(s Series, p Position) Missed {
	m := Missed{Series: s, Position: p}
	boot, sum := make([]float64, resamples), 0.0
	for _, g := range t.Groups() {
		span, known := t.span(g.Problem)
		seeds := t.common(g, p, s)
		if !known || len(seeds) == 0 {
			continue
		}
		shares, n := t.gaps(g, s, p, seeds), len(seeds)
		for i := range shares {
			shares[i] /= span
		}
		each := t.draws.each(n, func(draw []int32) (sum float64) {
			for _, i := range draw {
				sum += shares[i] / float64(n)
			}
			return sum
		})
		for k, v := range each {
			boot[k] += v
		}
		sum += mean(shares)
		m.Groups, m.Shares = append(m.Groups, g), append(m.Shares, interval(mean(shares), each))
	}
	n := float64(len(m.Groups)) // 0/0 below is the NaN of no settings
	v := interval(sum, boot)
	m.Mean = Interval{v.Value / n, v.Lower / n, v.Upper / n}
	return m
}

// span returns f* − mean f of a problem of the catalogue.
func (t *Table) span(name string) (float64, bool) {
	if t.spans == nil {
		t.spans = map[string]float64{}
	}
	if _, seen := t.spans[name]; !seen {
		t.spans[name] = 0
		if p, err := problem.ByName(name); err == nil {
			t.spans[name] = p.Optimum - p.Mean()
		}
	}
	return t.spans[name], t.spans[name] > 0
}

// MissedShares returns what every series of a report misses at its positions in answers, where there is something to tell.
func MissedShares(t *Table, o Options) (out []Missed) {
	o = o.withDefaults(t)
	for _, s := range o.Series {
		for _, p := range positions(Answers, o.Answers) {
			if m := t.Missed(s, p); len(m.Groups) > 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

// missedGrids makes one grid of the means over settings, and one with the settings.
func missedGrids(t *Table, o Options) []Grid {
	means := Grid{Caption: "Mean over settings", Labels: 2, Head: []string{"at", "series", "settings", "share missed", "95 % interval"}}
	each := Grid{Caption: "By setting", Labels: 3, Head: []string{"setting", "at", "series", "share missed", "95 % interval"}}
	all := MissedShares(t, o)
	slices.SortStableFunc(all, func(a, b Missed) int { return a.Position.At - b.Position.At })
	for _, m := range all {
		means.Rows = append(means.Rows, text(m.Position.String(), m.Series.String(), strconv.Itoa(len(m.Groups)), number(m.Mean.Value, 2), m.Mean.bounds()))
	}
	for _, g := range t.Groups() {
		for _, m := range all {
			if i := slices.Index(m.Groups, g); i >= 0 {
				each.Rows = append(each.Rows, text(g.String(), m.Position.String(), m.Series.String(), number(m.Shares[i].Value, 2), m.Shares[i].bounds()))
			}
		}
	}
	return []Grid{means, each}
}
