package problem

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Link is the law of the noise on the difference.
type Link int

const (
	Probit   Link = iota // normal, the paper's (Eq. 2)
	Logistic             // heavier tails; Bradley and Terry's model
)

func (l Link) String() string { return nameOf(l, "probit", "logistic") }

// nameOf returns the name of a constant that counts from 0; of another number its type and the number.
func nameOf[T ~int](v T, names ...string) string {
	if v < 0 || int(v) >= len(names) {
		return fmt.Sprintf("%s(%d)", reflect.TypeFor[T]().Name(), int(v))
	}
	return names[v]
}

const unit = 0.551328895421792049511326498312 // the scale at which a logistic variable has variance 1: √3/π

// noise maps a standard normal to noise of mean 0 and variance 1 with the law of the link. The logistic one has the same uniform, Φ(z), hence the same sign:
//
//	(√3/π) logit Φ(z),   logit Φ(z) = log Φ(z) − log Φ(−z), good in both tails.
func (l Link) noise(z float64) float64 {
	if l == Logistic {
		return unit * (normal.LogCDF(z) - normal.LogCDF(-z))
	}
	return z
}

// cdf is the distribution function of noise, accurate in the left tail.
func (l Link) cdf(t float64) float64 {
	if l == Logistic {
		return 1 / (1 + math.Exp(-t/unit))
	}
	return normal.CDF(t)
}

// reach is the distance in units of σ at which cdf(−reach) no longer counts, about 1e-19.
func (l Link) reach() float64 {
	if l == Logistic {
		return 24
	}
	return 9
}

// Draw is the randomness of one answer.
type Draw struct {
	Normal  float64 // standard normal: the noise, before σ and the link
	Uniform float64 // in [0, 1): whether attention lapses, and to what
}

// At returns the draw for an answer of the rater with that seed. It depends on the two numbers alone, so answer 17 has the same noise whichever method asked
// the seventeenth question: common random numbers, which make methods comparable at few seeds.
func At(seed, answer uint64) Draw {
	c := stream("prefer/1", seed, answer)
	return Draw{
		Normal:  normal.Quantile(float64(c.Uint64()>>12)*0x1p-52 + 0x1p-53), // middles of cells: never 0 or 1
		Uniform: float64(c.Uint64()>>11) * 0x1p-53,
	}
}

// stream returns the random numbers of a use and two numbers.
func stream(use string, a, b uint64) *rand.ChaCha8 {
	var key [32]byte
	copy(key[:8], use)
	binary.LittleEndian.PutUint64(key[8:], a)
	binary.LittleEndian.PutUint64(key[16:], b)
	return rand.NewChaCha8(key)
}

// Rater answers questions about a problem, with mistakes. The zero values of the other fields make none.
type Rater struct {
	Problem
	Sigma   float64 // noise: the standard deviation of the noise on the difference, in units of the utility
	Link    Link
	Lapse   float64   // probability of an answer that has nothing to do with the question
	Delta   float64   // noisy differences smaller than this are ties to Reply
	Grades  []float64 // noisy differences beyond which preferences are one, two, … grades clearer, from Delta up; nil for Grading
	Grading           // when a preference is clear to Reply
}

// NewRater returns a probit rater who is wrong with that probability between good points of the
// problem: Sigma comes from Calibrate with its defaults, or is 0 for an errorRate of 0.
func NewRater(p Problem, errorRate float64) (Rater, error) {
	if errorRate == 0 {
		return Rater{Problem: p}, p.Validate()
	}
	sigma, err := Calibrate(p, errorRate, Calibration{})
	return Rater{Problem: p, Sigma: sigma}, err
}

// Validate reports a field out of range.
func (r Rater) Validate() error {
	switch {
	case !(r.Sigma >= 0) || math.IsInf(r.Sigma, 1):
		return fmt.Errorf("problem: Rater.Sigma = %g, want finite and at least 0", r.Sigma)
	case r.Link != Probit && r.Link != Logistic:
		return fmt.Errorf("problem: Rater.Link = %v, want probit or logistic", r.Link)
	case !(r.Lapse >= 0 && r.Lapse <= 1):
		return fmt.Errorf("problem: Rater.Lapse = %g, want 0 to 1", r.Lapse)
	case !(r.Delta >= 0) || math.IsInf(r.Delta, 1):
		return fmt.Errorf("problem: Rater.Delta = %g, want finite and at least 0", r.Delta)
	}
	return r.Problem.Validate()
}

// Answer reports whether the rater prefers the first of two points of the unit cube.
func (r Rater) Answer(u1, u2 []float64, d Draw) bool {
	return r.Prefers(r.UnitUtility(u1), r.UnitUtility(u2), d)
}

// Reply returns what the rater says about two points of the unit cube where ties and grades are offered, and how clear it is.
func (r *Rater) Reply(u1, u2 []float64, d Draw) (Reply, int) {
	return r.Compare(r.UnitUtility(u1), r.UnitUtility(u2), d)
}

// Compare returns what the rater says about options of two utilities where ties and grades are offered, and how clear it is: 0, or 1
// for "clearly", or more with more Grades. The rater remembers the question if that decides what is clear.
func (r *Rater) Compare(f1, f2 float64, d Draw) (Reply, int) {
	up := append([]float64{r.Delta}, r.Grades...)
	n, edges := len(up), preference // from clearly "second" to clearly "first"
	if n > 1 || r.Delta > 0 {
		edges = nil
		for _, e := range slices.Backward(up) {
			if e > 0 {
				edges = append(edges, -e)
			}
		}
		edges = append(edges, up...)
	}
	k := r.Outcome(f1, f2, edges, d)
	reply, grade := First, k-(len(edges)+1-n)
	switch {
	case k < n:
		reply, grade = Second, n-1-k
	case k == n && len(edges) == 2*n: // between −δ and δ
		return Tie, 0
	}
	if n == 1 {
		grade = r.Strength(r.difference(f1, f2, d), d.Uniform < r.Lapse, d)
	}
	return reply, grade
}

// difference returns what the rater hears of f₁ − f₂.
func (r Rater) difference(f1, f2 float64, d Draw) float64 {
	g := f1 - f2
	if r.Sigma != 0 {
		g += r.Sigma * r.Link.noise(d.Normal)
	}
	return g
}

// preference cuts the line of the noisy difference into "second wins" and "first wins".
var preference = []float64{0}

// Prefers reports whether the rater prefers an option of utility f1 to one of utility f2.
//
//	f₁ − f₂ + σε > 0
//
// Without noise equal utilities are decided by the sign of the draw: a coin, not a habit.
func (r Rater) Prefers(f1, f2 float64, d Draw) bool { return r.Outcome(f1, f2, preference, d) == 1 }

// Outcome returns the number of the interval in which the noisy difference f₁ − f₂ + σε falls, for answers with ties and grades. The edges are strictly
// increasing, in units of the utility; interval i is (edges[i−1], edges[i]), open to infinity at both ends. So −δ, δ give 0 "second wins", 1 "can't tell", 2
// "first wins", and a single edge at 0 is Prefers.
//
// A lapse picks any of the intervals with equal probability. A difference exactly on an edge, which happens only without noise, goes up or down with the sign
// of the draw. It panics if the edges do not increase or the difference is NaN.
func (r Rater) Outcome(f1, f2 float64, edges []float64, d Draw) int {
	for i, e := range edges {
		if math.IsNaN(e) || i > 0 && e <= edges[i-1] {
			panic("problem: edges do not increase")
		}
	}
	if d.Uniform < r.Lapse { // the uniform, given a lapse, is uniform on [0, Lapse)
		n := len(edges) + 1
		return min(int(float64(n)*(d.Uniform/r.Lapse)), n-1)
	}
	g := r.difference(f1, f2, d)
	if math.IsNaN(g) {
		panic("problem: the difference of utilities is NaN")
	}
	return xslices.Count(edges, func(e float64) bool { return g > e || g == e && d.Normal > 0 })
}

// Noise returns the error rate a level of noise stands for, as NewRater and Calibrate take it: "low" is 0.1 and "high" 0.3, the paper's two settings; "none"
// and "0" are a rater without mistakes; any other number between 0 and 0.5 is itself.
func Noise(level string) (errorRate float64, err error) {
	if rate, named := map[string]float64{"none": 0, "0": 0, "low": 0.1, "high": 0.3}[level]; named {
		return rate, nil
	}
	rate, err := strconv.ParseFloat(level, 64)
	if err != nil || checkRate(rate) != nil {
		return 0, fmt.Errorf("problem: noise %q, want none, low, high or an error rate between 0 and 0.5", level)
	}
	return rate, nil
}

// Clearly is when a rater calls a preference clear.
type Clearly int

const (
	ClearNever    Clearly = iota
	ClearBeyond           // when the noisy difference is beyond a cut that stays where it is
	ClearOfSeen           // when it is beyond the median of those met before: Weber's and Parducci's people, who judge by what they have seen
	ClearAlways           // whatever it is
	ClearByChance         // every other time, whatever it is
)

var clearNames = []string{"never", "median", "seen", "always", "random"} // the names of the kinds, in their order

// String returns the name of the kind, as ParseClearly reads it.
func (c Clearly) String() string { return nameOf(c, clearNames...) }

// ParseClearly reads "never", "median", "seen", "always" or "random".
func ParseClearly(text string) (Clearly, error) {
	if i := slices.Index(clearNames, text); i >= 0 {
		return Clearly(i), nil
	}
	return 0, fmt.Errorf("problem: clearly %q, want never, median, seen, always or random", text)
}

// Grading is how a rater grades preferences, with what was met so far: a copy made before the first answer has a memory of its own.
type Grading struct {
	Clearly Clearly
	Cut     float64 // of ClearBeyond, in units of the utility
	met     []float64
}

// Strength returns 1 if a preference at a noisy difference g is said to be clear, else 0, and remembers it. A lapse is graded by a coin.
func (r *Grading) Strength(g float64, lapse bool, d Draw) int {
	clear := r.Clearly == ClearAlways
	switch {
	case lapse || r.Clearly == ClearByChance:
		clear = r.Clearly != ClearNever && math.Mod(d.Uniform*(1<<20), 1) < 0.5 // bits that decided nothing yet
	case r.Clearly == ClearBeyond:
		clear = math.Abs(g) > r.Cut
	case r.Clearly == ClearOfSeen:
		n := len(r.met)
		clear = n > 0 && math.Abs(g) > (r.met[(n-1)/2]+r.met[n/2])/2
		at, _ := slices.BinarySearch(r.met, math.Abs(g))
		r.met = slices.Insert(r.met, at, math.Abs(g))
	}
	if clear {
		return 1
	}
	return 0
}

// MedianDifference returns the median of |f(x) − f(x')| over random pairs of the domain, where "clearly" may begin.
func MedianDifference(p Problem) float64 {
	const medianPairs = 2048 // errs by about 2 %
	x := sobol.Points(2*p.Dim, medianPairs, 0xc1ea)
	diffs := make([]float64, medianPairs)
	for i := range diffs {
		at := x[2*i*p.Dim:]
		diffs[i] = math.Abs(p.UnitUtility(at[:p.Dim]) - p.UnitUtility(at[p.Dim:2*p.Dim]))
	}
	slices.Sort(diffs)
	return diffs[medianPairs/2]
}

// MedianOf is the same over pairs of utilities that are known; 0 if there is one alone.
func MedianOf(values []float64) float64 {
	diffs := differences(slices.Sorted(slices.Values(values)))
	if len(diffs) == 0 {
		return 0
	}
	slices.Sort(diffs)
	return diffs[len(diffs)/2]
}

// differences returns those of every two of increasing values, of many values some 30,000.
func differences(values []float64) (out []float64) {
	stride := 1 + len(values)/256
	for i := stride / 2; i < len(values); i += stride {
		for k := stride / 2; k < i; k += stride {
			out = append(out, values[i]-values[k])
		}
	}
	return out
}
