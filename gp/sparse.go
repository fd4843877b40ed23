package gp

import (
	"fmt"
	"iter"
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// SparseOptions are the choices of the sparse variational GP. The zero value is the paper's.
type SparseOptions struct {
	// Inducing caps the number of inducing points. Defaults to 200 (§4).
	Inducing int `json:"inducing"`
	// Sobol is the number of Sobol points among the candidates. Defaults to 100 (§4); negative for none.
	Sobol int `json:"sobol"`
	// Seed scrambles those Sobol points.
	Seed uint64 `json:"seed"`
	// Nodes is the size of the Gauss–Hermite rule. Defaults to 20, the paper's stack; negative for
	// the exact rule.
	Nodes int `json:"nodes"`
	// Jitter is added to the diagonal of K_zz before its Cholesky factor is taken; it is part of the
	// model, not a rescue. Defaults to 1e-6, the paper's stack.
	Jitter float64 `json:"jitter"`
	// Points, if not nil, are the inducing inputs (row by row) to use as they are.
	Points []float64 `json:"points,omitempty"`
}

func (o SparseOptions) withDefaults() SparseOptions {
	if o.Inducing == 0 {
		o.Inducing = 200
	}
	if o.Sobol == 0 {
		o.Sobol = 100
	}
	if o.Nodes == 0 {
		o.Nodes = 20
	}
	if o.Jitter == 0 {
		o.Jitter = 1e-6
	}
	return o
}

func (o SparseOptions) validate() error {
	switch {
	case o.Inducing < 0:
		return fmt.Errorf("gp: SparseOptions.Inducing = %d, want at least 0", o.Inducing)
	case o.Nodes > maxHermite:
		return fmt.Errorf("gp: SparseOptions.Nodes = %d, want at most %d", o.Nodes, maxHermite)
	case o.Jitter < 0 || math.IsNaN(o.Jitter) || math.IsInf(o.Jitter, 0):
		return fmt.Errorf("gp: SparseOptions.Jitter = %g, want a positive number", o.Jitter)
	}
	return nil
}

// sparse is the paper's surrogate (§4; Hensman et al. 2015): inducing values u = Lv at inputs Z,
// L = chol(K_zz + εI), and q(v) = N(m, S) with the bound
//
//	ELBO = Σ_i E[ℓ_i(d_i)] − ½(tr S + mᵀm − M − log|S|),   d_i ~ N(φ_iᵀm, kd_i + φ_iᵀ(S − I)φ_i)
//	φ_i = L⁻¹[k(Z,a_i) − k(Z,b_i)],   kd_i = Var[f(a_i) − f(b_i)] under the prior.
//
// The optimal S is (I + ΦᵀΛΦ)⁻¹ and the optimal m is SΦᵀν with one pair (λ_i, ν_i) per duel, so the
// search is over 2n numbers by the same climb as Variational, not over the M + M²/2 entries of m and
// S. One sweep costs O(nM²); nothing is n×n, which is what makes 10,000 duels possible.
type sparse struct {
	model Model
	duels *Duels
	n, m  int // duels, inducing points
	z     []float64
	zc    cloud
	l     []float64 // M×M, chol(K_zz + εI)
	phi   []float64 // n×M
	resid []float64 // kd_i − ‖φ_i‖², the variance the inducing points cannot explain
	climb *variational
	iv    []Interval

	sites  Sites
	fresh  int       // sites from here on have no start yet
	t      []float64 // n×M scratch
	ones   []float64 // M
	la     []float64 // M×M, chol(I + ΦᵀΛΦ)
	logdet float64
	trace  float64   // tr S
	qm     []float64 // m
	mean   []float64
	vrc    []float64
}

func newSparse(m Model, duels *Duels, h Hyper, from *Posterior) (*sparse, error) {
	o := m.SparseOptions
	z := o.Points
	if z == nil {
		z = o.inducingPoints(h.Kernel, duels)
	}
	d := duels.Dim
	if len(z)%d != 0 {
		return nil, fmt.Errorf("gp: SparseOptions.Points has %d coordinates, not a multiple of %d", len(z), d)
	}
	n, k := duels.Len(), len(z)/d
	v := func() []float64 { return make([]float64, n) }
	s := &sparse{
		model: m, duels: duels, n: n, m: k, z: z, zc: cloud{n: k, d: d, z: make([]float64, k*d)},
		l: make([]float64, k*k), phi: make([]float64, n*k), resid: v(),
		climb: newVariational(n, Rule{Nodes: max(o.Nodes, 0)}), iv: make([]Interval, n),
		sites: newSites(n), t: make([]float64, n*k), ones: make([]float64, k), la: make([]float64, k*k),
		qm: make([]float64, k), mean: v(), vrc: v(),
	}
	for i := range s.ones {
		s.ones[i] = 1
	}
	s.fresh = from.seed(s.sites)
	return s, nil
}

func (s *sparse) evaluate(h Hyper, tol float64, grad []float64) (float64, bool) {
	if !s.set(h) {
		return math.NaN(), false
	}
	s.climb.start(s.sites, s.fresh, s.iv, s.model.Noise)
	s.fresh = s.n
	z, ok := s.climb.climb(s, s.iv, s.model.Noise, tol)
	if math.IsNaN(z) {
		clear(s.sites.Lambda)
		clear(s.sites.Nu)
		z, ok = s.climb.climb(s, s.iv, s.model.Noise, tol)
	}
	if grad != nil {
		s.gradient(h, grad)
	}
	return z, ok
}

// set computes L, Φ and the residual variances at hyper-parameters h. It reports false if K_zz + εI
// is not positive definite.
func (s *sparse) set(h Hyper) bool {
	k, d, m := h.Kernel, s.duels.Dim, s.m
	s.zc.fill(k, s.z)
	k.Matrix(s.l, s.z, s.z)
	for i := range m {
		s.l[i*m+i] += s.model.SparseOptions.Jitter
	}
	if !linalg.Cholesky(m, s.l, m) {
		return false
	}
	x, kb := make([]float64, d), make([]float64, m)
	for lo, hi := range s.blocks() {
		for i := lo; i < hi; i++ {
			a, b := s.duels.A[i*d:(i+1)*d], s.duels.B[i*d:(i+1)*d]
			row := s.phi[i*m : (i+1)*m]
			k.scale(x, a)
			linalg.SquaredDistances(row, x, s.zc.z, m)
			k.radial(row, nil, row)
			k.scale(x, b)
			linalg.SquaredDistances(kb, x, s.zc.z, m)
			k.radial(kb, nil, kb)
			linalg.Axpy(-1, kb, row)
			s.resid[i] = 2 * (k.Outputscale - k.At(a, b))
			s.iv[i] = h.Cuts.Interval(s.duels.Outcome[i], s.model.Noise)
		}
		linalg.SolveLowerRight(hi-lo, m, s.l, m, s.phi[lo*m:hi*m], m)
		for i := lo; i < hi; i++ {
			row := s.phi[i*m : (i+1)*m]
			// Rounding may leave −1e-16 where inducing points explain a duel entirely.
			s.resid[i] = math.Max(0, s.resid[i]-linalg.Dot(row, row))
		}
	}
	return true
}

// blocks yields ranges of duels whose rows of Φ fit the second-level cache together: everything that is
// done to a row in one pass over the duels is done while it is there. At 10,000 duels Φ has 16 MB, and
// going through it ten times a sweep costs as much as the arithmetic.
func (s *sparse) blocks() iter.Seq2[int, int] {
	size := max(1, blockFloats/max(1, s.m))
	return func(yield func(lo, hi int) bool) {
		for lo := 0; lo < s.n; lo += size {
			if !yield(lo, min(lo+size, s.n)) {
				return
			}
		}
	}
}

// blockFloats is the size of a block, 400 kB.
const blockFloats = 50_000

func (s *sparse) current() Sites { return s.sites }

func (s *sparse) marginals() (mean, variance []float64) { return s.mean, s.vrc }

// divergence returns KL[q(v)‖N(0,I)] = ½(tr S + mᵀm − M − log|S|).
func (s *sparse) divergence() float64 {
	return (s.trace + linalg.Dot(s.qm, s.qm) - float64(s.m) + s.logdet) / 2
}

// update refreshes q(v) and the marginals from the sites: A = I + ΦᵀΛΦ = L_A L_Aᵀ, S = A⁻¹,
// m = A⁻¹Φᵀν, Var d_i = resid_i + ‖L_A⁻¹φ_i‖².
func (s *sparse) update() bool {
	m := s.m
	clear(s.la)
	clear(s.qm)
	for lo, hi := range s.blocks() {
		phi, t := s.phi[lo*m:hi*m], s.t[:(hi-lo)*m]
		for i := lo; i < hi; i++ {
			linalg.MulTo(t[(i-lo)*m:(i-lo+1)*m], math.Sqrt(s.sites.Lambda[i]), s.phi[i*m:(i+1)*m], s.ones)
		}
		linalg.Syrk(true, m, hi-lo, 1, t, m, 1, s.la, m)
		linalg.GemvT(hi-lo, m, 1, phi, m, s.sites.Nu[lo:hi], 1, s.qm)
	}
	for i := range m {
		s.la[i*m+i]++
	}
	if !linalg.Cholesky(m, s.la, m) {
		return false
	}
	linalg.SolveLowerVec(m, s.la, m, s.qm)
	linalg.SolveLowerTVec(m, s.la, m, s.qm)
	for lo, hi := range s.blocks() {
		phi, t := s.phi[lo*m:hi*m], s.t[:(hi-lo)*m]
		linalg.Gemv(hi-lo, m, 1, phi, m, s.qm, 0, s.mean[lo:hi])
		copy(t, phi)
		linalg.SolveLowerRight(hi-lo, m, s.la, m, t, m)
		for i := lo; i < hi; i++ {
			row := t[(i-lo)*m : (i-lo+1)*m]
			s.vrc[i] = s.resid[i] + linalg.Dot(row, row)
		}
	}
	s.logdet, s.trace = 0, 0
	w := lowerInverse(s.la, m)
	for i := range m {
		s.logdet += 2 * math.Log(s.la[i*m+i])
		s.trace += linalg.Dot(w[i*m:i*m+i+1], w[i*m:i*m+i+1])
	}
	return true
}

// posterior: with u(x) = k(Z, x), b = L⁻ᵀm and R = L⁻ᵀ(I − S)L⁻¹.
func (s *sparse) posterior(h Hyper) *Posterior {
	m := s.m
	p := newPosterior(h, s.model.Noise, s.model.Answers, s.z, nil)
	copy(p.b, s.qm)
	linalg.SolveLowerTVec(m, s.l, m, p.b)
	c := s.reduction()
	linalg.SolveLowerT(m, m, s.l, m, c, m) // L⁻ᵀ(I−S), then its transpose's
	for i := range m {
		for j := range m {
			p.r[j*m+i] = c[i*m+j]
		}
	}
	linalg.SolveLowerT(m, m, s.l, m, p.r, m)
	linalg.Symmetrize(m, p.r, m)
	p.sites = s.sites.clone()
	return p
}

// reduction returns I − S (M×M, both triangles).
func (s *sparse) reduction() []float64 {
	m := s.m
	c := make([]float64, m*m)
	linalg.GramLower(m, lowerInverse(s.la, m), m, c, m)
	for i := range c {
		c[i] = -c[i]
	}
	for i := range m {
		c[i*m+i]++
	}
	return c
}

// lowerInverse returns the inverse of the lower triangular n×n matrix l, zero above the diagonal.
func lowerInverse(l []float64, n int) []float64 {
	w := make([]float64, n*n)
	for i := range n {
		copy(w[i*n:i*n+i+1], l[i*n:i*n+i+1])
	}
	linalg.InvertLower(n, w, n)
	return w
}
