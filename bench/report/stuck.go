package report

import "math"

// Branin has three equal optima, the third of them 0.58 from the face x₁ = 10. A search that ends on that
// face beside it has a gap of 1.55, one that has found an optimum a gap well below 1.
const braninStuck = 1.0

// A run on another problem is stuck if it is both far and flat.
const (
	farFactor = 10   // far: its gap is over 10 times the smallest median of any series there
	flatShare = 0.95 // flat: over 95 % of its gap half its questions ago
)

// stuck reports whether a run is stuck at a position where the smallest median of any series of its group
// is best. Medians hide that some runs of a series end in another optimum: where that happens the share of
// such runs says more.
//
// Elsewhere than on Branin the rule is far and flat: far alone would count runs on their way, flat alone runs
// that have arrived. A gap from half the questions ago that is not among the rows is taken from the last row
// before; a run without such a row, or before its first question, is not stuck. Which runs are far depends on
// the series in the table, so shares are comparable within one report only.
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
