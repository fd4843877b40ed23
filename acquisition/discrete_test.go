package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/internal/normal"
)

// MaxOver returns the knowledge gradient itself (Eq. 3) when the inner maxima run over a finite list: mean holds μ(x) of its N members, c1 and c2 their
// covariances with the two points of the question, and m, v are the moments of the question's difference. If argmax is not nil, the best member after outcome
// o goes to argmax[o], the first one in a tie. O(N·outcomes), no allocation.
//
// The maxima compare μ(x) + r (c1(x) − c2(x))/s, the look-ahead mean, rather than that times the probability of the outcome: so they are right also for
// outcomes whose probability underflows. The value is then put together as in Value.
func (k KG) MaxOver(mean, c1, c2 []float64, m, v float64, argmax []int) float64 {
	if len(mean) == 0 || len(c1) != len(mean) || len(c2) != len(mean) {
		panic("acquisition: MaxOver: lists of different or no length")
	}
	s := spread(v, k.Sigma)
	inv := reciprocal(s)
	value, last := 0.0, 0
	lo, atLo := math.Inf(-1), 0.0
	for o := range k.Outcomes() {
		hi, atHi := math.Inf(1), 0.0
		if o < len(k.Edges) {
			hi = standardise(k.Edges[o], m, s)
			atHi = normal.PDF(hi)
		}
		slope := 0.0
		if s > 0 && lo < hi {
			slope = normal.Truncate(lo, hi).Mean * inv
		}
		best, top := 0, math.Inf(-1)
		for x, mu := range mean {
			if after := mu + slope*(c1[x]-c2[x]); after > top {
				best, top = x, after
			}
		}
		value += normal.Interval(lo, hi) * (mean[best] - k.Base)
		if o > 0 {
			value += atLo * inv * ((c1[best] - c1[last]) - (c2[best] - c2[last]))
		}
		if argmax != nil {
			argmax[o] = best
		}
		last, lo, atLo = best, hi, atHi
	}
	return value
}

// Discrete is MaxOver for a question about members i and j of the list itself, whose joint moments are mean (N) and cov (N×N, symmetric).
func (k KG) Discrete(mean, cov []float64, i, j int, argmax []int) float64 {
	n := len(mean)
	if len(cov) != n*n {
		panic("acquisition: Discrete: cov is not N×N")
	}
	ci, cj := cov[i*n:(i+1)*n], cov[j*n:(j+1)*n]
	return k.MaxOver(mean, ci, cj, mean[i]-mean[j], ci[i]+cj[j]-2*ci[j], argmax)
}
