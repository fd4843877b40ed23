package compare

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// Summary is what the runs of a series come to at one position.
type Summary struct {
	Series               Series
	N                    int     // seeds with a row there
	Q1, Median, Q3, Mean float64 // the gaps, NaN if N is 0. Quartiles interpolate linearly (type 7)

	Error float64 // standard error of the mean, s/√N; NaN below two runs

	Stuck float64 // share of the N runs that are stuck; see [stuck] for what that means
}

// Summaries describes every series of a group at a position, in the order of [Table.Series]. Series without a row there have N = 0.
func (t *Table) Summaries(g Group, p Position) []Summary {
	series := t.Series(g)
	out := make([]Summary, len(series))
	best := math.Inf(1)
	for i, s := range series {
		gaps := t.gaps(g, s, p, t.common(g, p, s))
		slices.Sort(gaps)
		out[i] = Summary{
			Series: s, N: len(gaps),
			Q1: quantile(gaps, 0.25), Median: quantile(gaps, 0.5), Q3: quantile(gaps, 0.75), Mean: mean(gaps), Error: standardError(gaps),
		}
		if len(gaps) > 0 {
			best = min(best, out[i].Median)
		}
	}
	for i, s := range series {
		n := xslices.Count(slices.Collect(maps.Values(t.groups[g][s])), func(r *Run) bool { return stuck(g.Problem, r, p, best) })
		out[i].Stuck = float64(n) / float64(out[i].N)
	}
	return out
}

// quantile returns the p-quantile of increasing values, NaN if there are none.
//
//	h = (n−1)p,   x_⌊h⌋ + (h − ⌊h⌋)(x_⌊h⌋₊₁ − x_⌊h⌋)
//
// Type 7 of Hyndman and Fan (1996), the default of R and NumPy, so that numbers agree with those of people
// who check them there. Written as two weights the interpolation cannot overflow, nor leave the interval.
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	h := p * float64(len(sorted)-1)
	i := int(h)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	w := h - float64(i)
	return (1-w)*sorted[i] + w*sorted[i+1]
}

// median returns the median of values in any order, NaN if there are none.
func median(values []float64) float64 { return quantile(slices.Sorted(slices.Values(values)), 0.5) }

// mean returns the mean, NaN if there are no values.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// standardError returns the standard error of the mean, NaN below two values.
func standardError(values []float64) float64 {
	n, m, sum := float64(len(values)), mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / (n - 1) / n)
}

// Branin has three equal optima, the third of them 0.58 from the face x₁ = 10. A search that ends on that
// face beside it has a gap of 1.55, one that has found an optimum a gap well below 1.
const braninStuck = 1.0

// A run on another problem is stuck if it is far, its gap over 10 times the smallest median there, and flat, over 95 % of its gap half its questions ago.
const farFactor, flatShare = 10, 0.95

// stuck reports whether a run is stuck at a position where the smallest median of any series of its group is best. Medians hide that some runs of a series
// end in another optimum: where that happens the share of such runs says more.
//
// Elsewhere than on Branin the rule is far and flat: far alone would count runs on their way, flat alone runs that have arrived. A gap from half the
// questions ago that is not among the rows is taken from the last row before; a run without such a row, or before its first question, is not stuck. Which
// runs are far depends on the series in the table, so shares are comparable within one report only.
func stuck(problem string, r *Run, p Position, best float64) bool {
	i := r.find(p)
	if i < 0 {
		return false
	}
	gap := r.points[i].gap
	if problem == "branin2" {
		return gap > braninStuck
	}
	if gap <= farFactor*math.Max(best, floor) {
		return false
	}
	asked := r.points[i].iter
	for j := i - 1; j >= 0 && asked > 0; j-- {
		if 2*r.points[j].iter <= asked { // half the questions ago
			return gap > flatShare*r.points[j].gap
		}
	}
	return false
}

// Range is the questions From to To, both included, counted after the initial pairs.
type Range struct{ From, To int }

// allQuestions leaves the initial pairs out, which no method chose.
var allQuestions = Range{1, maxCount}

// Cost is seconds per question, NaN where the rows do not tell.
type Cost struct{ Median, Mean float64 }

// Timing is what the questions of a series took in a group, over all seeds.
type Timing struct {
	Questions int

	Fit, Ask, Recommend, Total Cost // on the clock: to learn from the answers, to choose the question, to find x̂, and the three together
	CPU                        Cost // processor seconds of the three together
}

// Timing returns the seconds per question of a series in a group over a range of questions.
func (t *Table) Timing(g Group, s Series, in Range) Timing {
	var all [5][]float64 // in the order of the fields
	for _, seed := range t.Seeds(g, s) {
		for _, p := range t.Run(g, s, seed).points {
			if int(p.iter) < in.From || int(p.iter) > in.To {
				continue
			}
			fit, ask, recommend := float64(p.fit), float64(p.ask), float64(p.recommend)
			for i, v := range [...]float64{fit, ask, recommend, fit + ask + recommend, float64(p.cpu)} {
				all[i] = append(all[i], v)
			}
		}
	}
	return Timing{len(all[0]), newCost(all[0]), newCost(all[1]), newCost(all[2]), newCost(all[3]), newCost(all[4])}
}

// newCost sorts the seconds. Rows leave out what they do not know, so all of them 0 is not a time.
func newCost(seconds []float64) Cost {
	slices.Sort(seconds)
	if len(seconds) == 0 || seconds[len(seconds)-1] == 0 {
		return Cost{math.NaN(), math.NaN()}
	}
	return Cost{quantile(seconds, 0.5), mean(seconds)}
}

// Against returns how many times the median seconds of another timing these are, on the clock and of the
// processor; NaN where either is not known. Both should come from one machine.
func (t Timing) Against(other Timing) (clock, cpu float64) {
	return t.Total.Median / other.Total.Median, t.CPU.Median / other.CPU.Median
}

// dash stands where there is nothing.
const dash = "–"

// number writes v with so many significant digits: 0.0123, 12.3, 1234, 1.2e−5; a dash for NaN.
func number(v float64, digits int) string {
	if math.IsNaN(v) {
		return dash
	}
	short := strconv.FormatFloat(v, 'e', digits-1, 64) // rounds first, so that 9.99 is 10 and not 10.0
	mantissa, exponent, ok := strings.Cut(short, "e")
	e, err := strconv.Atoi(exponent)
	switch {
	case !ok || err != nil: // ±Inf
		return strings.Replace(short, "-", "−", 1)
	case v == 0:
		return "0"
	case e < -3 || e > 5:
		short = mantissa + "e" + strconv.Itoa(e)
	default:
		short = strconv.FormatFloat(v, 'f', max(0, digits-1-e), 64)
	}
	return strings.ReplaceAll(short, "-", "−")
}

// percent writes a share as "12.5 %" or "10 %"; a dash for NaN.
func percent(share float64) string {
	if math.IsNaN(share) {
		return dash
	}
	return strings.ReplaceAll(strconv.FormatFloat(math.Round(1000*share)/10, 'f', -1, 64), "-", "−") + " %"
}

const (
	resamples = 10_000 // the ends of a 95 % interval then vary by about 0.7 % of its length between generators
	level     = 0.95
)

// Interval is an estimate with its 95 % bootstrap interval.
type Interval struct {
	Value float64 `json:"value"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// String returns "0.45 [0.30, 0.70]".
func (v Interval) String() string { return number(v.Value, 2) + " " + v.bounds() }

// Text writes "0.45 [0.30, 0.70]" with a format of each of the numbers.
func (v Interval) Text(format string) string {
	return fmt.Sprintf(format+" ["+format+", "+format+"]", v.Value, v.Lower, v.Upper)
}

// Percent writes "45 % [30, 70]".
func (v Interval) Percent() string {
	return fmt.Sprintf("%.0f %% [%.0f, %.0f]", 100*v.Value, 100*v.Lower, 100*v.Upper)
}

func (v Interval) bounds() string { return "[" + number(v.Lower, 2) + ", " + number(v.Upper, 2) + "]" }

// interval makes the percentile interval (Efron and Tibshirani 1993, ch. 13) of an estimate from its values in the resamples, which it sorts. The percentile
// interval respects transformations: that of a ratio is that of its logarithm, exponentiated.
func interval(value float64, boot []float64) Interval {
	slices.Sort(boot)
	return Interval{value, quantile(boot, (1-level)/2), quantile(boot, (1+level)/2)}
}

// Draws are the resamples of n seeds, or of n tastes, for each n in use. They depend on n alone, so that two statistics of
// the same seeds meet the same resamples, whatever else is in the report.
type Draws map[int][]int32

// of returns resamples × n indices below n, drawn with replacement.
func (d *Draws) of(n int) []int32 {
	if *d == nil {
		*d = Draws{}
	}
	if (*d)[n] == nil {
		src := rand.New(rand.NewPCG(uint64(n), 0))
		(*d)[n] = xslices.Times(resamples*n, func(int) int32 { return src.Int32N(int32(n)) })
	}
	return (*d)[n]
}

// Mean returns the mean of values that are independent of each other, NaN if there are none.
func (d *Draws) Mean(values []float64) Interval {
	n := len(values)
	if n == 0 {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	return interval(mean(values), d.each(n, func(draw []int32) (sum float64) {
		for _, i := range draw {
			sum += values[i]
		}
		return sum / float64(len(draw))
	}))
}

// each returns a statistic in every resample of n.
func (d *Draws) each(n int, statistic func(draw []int32) float64) []float64 {
	index := d.of(n)
	return xslices.Times(resamples, func(k int) float64 { return statistic(index[k*n : (k+1)*n]) })
}

// drawnMedian returns the median of the values with the given indices.
func drawnMedian(values []float64, index []int32) float64 {
	drawn := xslices.Map(index, func(i int32) float64 { return values[i] })
	slices.Sort(drawn)
	return (drawn[(len(drawn)-1)/2] + drawn[len(drawn)/2]) / 2
}
