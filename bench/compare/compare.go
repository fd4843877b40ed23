package compare

import "math"

// Verdicts on the first of two series. A smaller gap is better.
const (
	Better = "better"
	Worse  = "worse"
	Same   = "~" // no difference that these seeds can show
)

const (
	// minSeeds is the fewest seeds in common that may make a verdict. Four differences have the same sign
	// by chance one time in eight, and no resample of such contains 0.
	minSeeds = 5
	// floor is the smallest gap in a ratio. Optima are known to about 1e-12, and beside them rounding
	// makes gaps zero or negative; below it two runs are as good as each other.
	floor = 1e-12
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
	// times smaller. MedianRatio is our median gap over theirs.
	LogRatio, MedianRatio Interval

	// Verdict is Better or Worse if the interval of LogRatio lies on one side of 0 and there are 5 seeds
	// or more, else Same.
	Verdict string
}

// Compare compares ours with theirs seed by seed. Intervals come from 10,000 resamples of the seeds, a
// seed bringing both its gaps.
func (t *Table) Compare(g Group, ours, theirs Series, p Position) Comparison {
	seeds := t.common(g, p, ours, theirs)
	nan := Interval{math.NaN(), math.NaN(), math.NaN()}
	c := Comparison{Group: g, Ours: ours, Theirs: theirs, Position: p, N: len(seeds), LogRatio: nan, MedianRatio: nan, Verdict: Same}
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
	sa, sb := newSample(a), newSample(b)
	logs, ratios := make([]float64, resamples), make([]float64, resamples)
	index := t.draws.of(c.N)
	for k := range resamples {
		draw := index[k*c.N : (k+1)*c.N]
		for _, i := range draw {
			logs[k] += diff[i]
		}
		logs[k] /= float64(c.N)
		ratios[k] = sa.median(draw) / sb.median(draw)
	}
	c.LogRatio = interval(mean(diff), logs)
	c.MedianRatio = interval(median(a)/median(b), ratios)
	switch {
	case c.N < minSeeds:
	case c.LogRatio.Upper < 0:
		c.Verdict = Better
	case c.LogRatio.Lower > 0:
		c.Verdict = Worse
	}
	return c
}

// Comparisons compares Ours with every other series of the report, in every group and at every position
// where both have a seed in common.
func Comparisons(t *Table, o Options) []Comparison {
	o = o.withDefaults(t)
	var out []Comparison
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
	gaps := t.gaps(g, s, p, seeds)
	for i := range gaps {
		gaps[i] = max(gaps[i], floor)
	}
	return gaps
}
