package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// greedyStop is the conditional prior variance below which a further inducing point adds nothing; absolute, as in the implementation the paper names.
const greedyStop = 1e-6

// GreedyVarianceReduction picks at most limit of the candidate points (row by row), each time the one with the largest prior variance given those already
// picked, and returns their indices in pick order: the allocation of Burt et al. (2020) that §4 of the paper uses, which is a pivoted Cholesky factorisation
// of the candidates' covariance. The first index wins ties, so with a stationary kernel candidate 0 comes first. A trend of the kernel does not count. It
// stops early when the largest variance left is below 1e-6. O(candidates · limit²) time, O(candidates · limit) memory.
func GreedyVarianceReduction(k Kernel, candidates []float64, limit int) []int {
	d := k.Dim()
	n := len(candidates) / d
	c := k.cloud(candidates)
	left := make([]float64, n) // conditional variances; −Inf once picked
	for i := range left {
		left[i] = k.Outputscale
	}
	var (
		picked []int
		rows   [][]float64
		x      = make([]float64, d)
	)
	for len(picked) < min(limit, n) {
		best := 0
		for i, v := range left {
			if v > left[best] {
				best = i
			}
		}
		if left[best] < greedyStop {
			break
		}
		for j := range d {
			x[j] = c.z[j*n+best]
		}
		e := make([]float64, n)
		linalg.SquaredDistances(e, x, c.z, n)
		k.radial(e, nil, e)
		for _, r := range rows {
			linalg.Axpy(-r[best], r, e)
		}
		root := math.Sqrt(left[best])
		for i := range e {
			e[i] /= root
			left[i] -= e[i] * e[i]
		}
		left[best] = math.Inf(-1)
		rows = append(rows, e)
		picked = append(picked, best)
	}
	return picked
}

// inducingPoints returns the paper's inducing inputs: Sobol points, then the training inputs duel by duel, without exact repetitions; all of them, or the
// best o.Inducing by greedy variance reduction under kernel k.
func (o SparseOptions) inducingPoints(k Kernel, duels *Duels) []float64 {
	d := duels.Dim
	var all []float64
	seen := map[string]bool{}
	key := make([]byte, 0, 8*d)
	add := func(x []float64) {
		key = key[:0]
		for _, v := range x {
			b := math.Float64bits(v + 0) // +0 turns −0 into 0
			for s := 0; s < 64; s += 8 {
				key = append(key, byte(b>>s))
			}
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			all = append(all, x...)
		}
	}
	pool := o.Candidates
	if pool == nil {
		pool = sobol.Points(d, max(0, o.Sobol), o.Seed)
	}
	for i := 0; i < len(pool); i += d {
		add(pool[i : i+d])
	}
	for i := range duels.Len() {
		add(duels.A[i*d : (i+1)*d])
		add(duels.B[i*d : (i+1)*d])
	}
	if len(all)/d <= o.Inducing {
		return all
	}
	z := make([]float64, 0, o.Inducing*d)
	for _, i := range GreedyVarianceReduction(k, all, o.Inducing) {
		z = append(z, all[i*d:(i+1)*d]...)
	}
	return z
}
