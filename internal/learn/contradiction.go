package learn

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// HasSites reports whether the posterior has one site per duel: only then can a duel be taken out of it.
func (f *Fit) HasSites() bool { return len(f.Belief.Parts[0].Sites().Lambda) == f.Duels.Len() }

// contradictory is the share of the highest probability that an answer can have below which it contradicts the rest. The highest is 1 for a
// preference; for a tie it is that between two equal options.
const contradictory = 0.1

// Contradicts returns the probability of duel i given all others, and whether it is so low that the duel contradicts them.
func (f *Fit) Contradicts(i int, rater string) (chance float64, contradicts bool) {
	p, most := f.leaveOneOut(i, rater)
	return p, p < contradictory*most
}

// ContradictsOthers reports whether one of the rater's duels contradicts the others. Beyond DenseLimit it is always false.
func (f *Fit) ContradictsOthers(rater string) bool {
	d := f.Duels
	if d.Len() > DenseLimit || !f.HasSites() {
		return false
	}
	for i := range d.Outcome {
		if f.Raters[d.Rater[i]] != rater || d.Level != nil && d.Level[i] {
			continue
		}
		if _, contradicts := f.Contradicts(i, rater); contradicts {
			return true
		}
	}
	return false
}

// leaveOneOut returns how probable the side that duel i took is without it, and the highest probability that it can have.
func (f *Fit) leaveOneOut(i int, rater string) (p, most float64) {
	d, r, inverse := f.Duels, slices.Index(f.Raters, rater), 0.0
	for k, post := range f.Belief.Parts {
		mean, v := post.Cavity(d, i)
		var one, top float64
		for _, o := range post.Answers().Outcomes() {
			if Side(o) == Side(d.Outcome[i]) {
				iv := post.Hyper().Cuts.Interval(o, post.Noise())
				one += iv.Prob(mean, v, post.RaterNoise(r))
				top += iv.Prob(0, 0, post.RaterNoise(r))
			}
		}
		if Side(d.Outcome[i]) != 0 {
			top = 1
		}
		inverse += f.Belief.Weights[k] / math.Max(one, 1e-300)
		most += f.Belief.Weights[k] * top
	}
	return 1 / inverse, most
}

// Side returns 1, 0 or −1: which option an outcome prefers, however strongly.
func Side(o gp.Outcome) int { return min(max(int(o), -1), 1) }
