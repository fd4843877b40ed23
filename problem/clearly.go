package problem

import (
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/sobol"
)

// Clearly is when somebody calls a preference clear.
type Clearly int

const (
	ClearNever    Clearly = iota
	ClearBeyond           // when the noisy difference is beyond a cut that stays where it is
	ClearOfSeen           // when it is beyond the median of those met before: Weber's and Parducci's people, who judge by what they have seen
	ClearAlways           // whatever it is
	ClearByChance         // every other time, whatever it is
)

// clearNames are the names of the kinds, in their order.
var clearNames = []string{"never", "median", "seen", "always", "random"}

// String returns the name of the kind, as ParseClearly reads it.
func (c Clearly) String() string {
	if c < ClearNever || int(c) >= len(clearNames) {
		return fmt.Sprintf("Clearly(%d)", int(c))
	}
	return clearNames[c]
}

// ParseClearly reads "never", "median", "seen", "always" or "random".
func ParseClearly(text string) (Clearly, error) {
	if i := slices.Index(clearNames, text); i >= 0 {
		return Clearly(i), nil
	}
	return 0, fmt.Errorf("problem: clearly %q, want never, median, seen, always or random", text)
}

// Grading is how a rater grades preferences, with what was met so far: a copy made before the first answer has
// a memory of its own.
type Grading struct {
	Clearly Clearly
	Cut     float64 // of ClearBeyond, in units of the utility
	met     []float64
}

// Strength returns 1 if a preference at a noisy difference g is said to be clear, else 0, and remembers it. A lapse is graded by a coin.
func (r *Grading) Strength(g float64, lapse bool, d Draw) int {
	clear := false
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
	default:
		clear = r.Clearly == ClearAlways
	}
	if clear {
		return 1
	}
	return 0
}

// medianPairs is the number of random pairs whose median difference is a cut: it errs by about 2 %.
const medianPairs = 2048

// MedianDifference returns the median of |f(x) − f(x')| over random pairs of the domain, where "clearly" may begin.
func MedianDifference(p Problem) float64 {
	x := sobol.Points(2*p.Dim, medianPairs, 0xc1ea)
	diffs := make([]float64, medianPairs)
	for i := range diffs {
		at := x[2*i*p.Dim:]
		diffs[i] = math.Abs(p.UnitUtility(at[:p.Dim]) - p.UnitUtility(at[p.Dim:2*p.Dim]))
	}
	slices.Sort(diffs)
	return diffs[medianPairs/2]
}

// MedianOf is the same over pairs of utilities that are known, some 30,000 of them.
func MedianOf(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	stride := 1 + len(values)/256
	var diffs []float64
	for i := stride / 2; i < len(values); i += stride {
		for k := stride / 2; k < i; k += stride {
			diffs = append(diffs, values[i]-values[k])
		}
	}
	if len(diffs) == 0 {
		return 0
	}
	slices.Sort(diffs)
	return diffs[len(diffs)/2]
}
