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

// inducingDuels is a choice of duels with what it makes of the first duels at hyper-parameters: φ_i and Var e_i.
type inducingDuels struct {
	hyper  Hyper
	z      []int        // the duels
	l      []float64    // M×M lower triangle, chol(K_ZZ)
	phi    []float64    // n×M
	resid  []float64    // Var e_i
	blocks []*duelSpace // of z and the rows of each block, if they are kept for gradients
}

// chooseDuels returns the inducing duels at hyper-parameters h, without rows: pivots of a Cholesky factorisation, until little variance is left.
func (m Model) chooseDuels(duels *Duels, among int, h Hyper) *inducingDuels {
	candidates := evenly(among, reducedCandidates)
	n := len(candidates)
	kd := m.spaceOf(duels, candidates, h, false).kd
	var top float64
	for i := range n {
		top = max(top, kd[i*n+i])
	}
	_, order := pivotedCholesky(kd, n, min(reducedMost, n), reducedLeast*min(top, m.Noise*m.Noise))
	c := &inducingDuels{z: []int{}}
	for _, i := range order {
		c.z = append(c.z, candidates[i])
	}
	return c
}

// move computes all rows at hyper-parameters h. It reports false if K_ZZ has no Cholesky factor.
func (c *inducingDuels) move(m Model, duels *Duels, h Hyper, keep bool) bool {
	c.hyper, c.phi, c.resid = h.clone(), c.phi[:0], c.resid[:0]
	for lo := 0; lo < duels.Len(); lo += reducedBlock {
		var s *duelSpace
		if k := lo / reducedBlock; k < len(c.blocks) {
			s = c.blocks[k]
			m.setSpace(s, h, keep)
		} else {
			s = c.block(m, duels, lo, keep)
		}
		if keep && len(c.blocks)*reducedBlock <= lo {
			c.blocks = append(c.blocks, s)
		}
		if lo == 0 && !c.factor(s) {
			c.hyper = Hyper{} // there are no rows at h
			return false
		}
		c.addRows(s, duels.Len())
	}
	return true
}

// factor takes L from the covariances of the inducing duels, the first of a block.
func (c *inducingDuels) factor(s *duelSpace) bool {
	k := len(c.z)
	c.l = make([]float64, k*k)
	for i := range k {
		copy(c.l[i*k:i*k+i+1], s.kd[i*s.n:])
	}
	return linalg.Cholesky(k, c.l, k)
}

// extended returns the choice with the rows of all duels. Rows of whole blocks are there already.
func (c *inducingDuels) extended(m Model, duels *Duels) *inducingDuels {
	n, k := duels.Len(), len(c.z)
	whole := len(c.resid) / reducedBlock * reducedBlock
	out := &inducingDuels{hyper: c.hyper, z: c.z, l: c.l}
	out.phi = append(make([]float64, 0, (n+reducedBlock)*k), c.phi[:whole*k]...)
	out.resid = append(make([]float64, 0, n+reducedBlock), c.resid[:whole]...)
	for lo := whole; lo < n; lo += reducedBlock {
		out.addRows(out.block(m, duels, lo, false), n)
	}
	return out
}

// block returns the covariances of the inducing duels and of the duels from lo on, as setSpace. The last block is filled up with its last duel.
func (c *inducingDuels) block(m Model, duels *Duels, lo int, gradient bool) *duelSpace {
	rows := append([]int(nil), c.z...)
	for i := lo; i < lo+reducedBlock; i++ {
		rows = append(rows, min(i, duels.Len()-1))
	}
	return m.spaceOf(duels, rows, c.hyper, gradient)
}

// addRows adds the rows of a block, of n in all.
func (c *inducingDuels) addRows(s *duelSpace, n int) {
	k, lo := len(c.z), len(c.resid)
	for i := k; i < s.n; i++ {
		c.phi = append(c.phi, s.kd[i*s.n:i*s.n+k]...)
		c.resid = append(c.resid, s.kd[i*s.n+i])
	}
	rows := c.phi[lo*k:]
	linalg.SolveLowerRight(reducedBlock, k, c.l, k, rows, k)
	for i := range reducedBlock {
		row := rows[i*k : (i+1)*k]
		c.resid[lo+i] = math.Max(0, c.resid[lo+i]-linalg.Dot(row, row)) // rounding
	}
	if len(c.resid) > n {
		c.phi, c.resid = c.phi[:n*k], c.resid[:n]
	}
}

// spaceOf returns the prior covariance of some of the duels.
func (m Model) spaceOf(duels *Duels, which []int, h Hyper, gradient bool) *duelSpace {
	s := newDuelSpace(duels.some(which), m.Level)
	m.setSpace(s, h, gradient)
	return s
}

// setSpace computes covariances at hyper-parameters h and, for a gradient, their derivative factors.
func (m Model) setSpace(s *duelSpace, h Hyper, gradient bool) {
	s.kinship, s.position = h.Kinship, m.positionVariance(h)
	s.set(h.Kernel, gradient)
}

// some returns the duels with these numbers.
func (d *Duels) some(which []int) *Duels {
	out := &Duels{Dim: d.Dim, A: rows(d.A, d.Dim, which), B: rows(d.B, d.Dim, which), Outcome: rows(d.Outcome, 1, which)}
	if d.Rater != nil {
		out.Rater = rows(d.Rater, 1, which)
	}
	if d.Level != nil {
		out.Level = rows(d.Level, 1, which)
	}
	if d.Side != nil {
		out.Side = rows(d.Side, 1, which)
	}
	return out
}

// evenly returns the numbers below n, or most of them spread evenly.
func evenly(n, most int) []int {
	out := make([]int, min(n, most))
	for i := range out {
		out[i] = i * n / len(out)
	}
	return out
}
