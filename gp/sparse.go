package gp

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/linalg"
)

// SparseOptions are the choices of the sparse variational GP. The zero value is the paper's.
type SparseOptions struct {
	// Inducing caps the number of inducing points. Defaults to 200 (§4).
	Inducing int `json:"inducing"`
	// Sobol is the number of Sobol points among the candidates. Defaults to 100 (§4); negative for none. They fill a cube of amounts: where Model.Scales
	// shares a lengthscale or has an identity coordinate there are none, and the options of the duels are the candidates.
	Sobol int `json:"sobol"`
	// Seed scrambles those Sobol points.
	Seed uint64 `json:"seed"`
	// Nodes is the size of the Gauss–Hermite rule. Defaults to 20, the paper's stack; negative for the exact rule.
	Nodes int `json:"nodes"`
	// Jitter is added to the diagonal of K_zz before its Cholesky factor is taken; it is part of the
	// model, not a rescue. Defaults to 1e-6, the paper's stack.
	Jitter float64 `json:"jitter"`
	// Candidates, if not nil, stand in for the Sobol points (row by row).
	Candidates []float64 `json:"candidates,omitempty"`
	// Points, if not nil, are the inducing inputs (row by row) to use as they are.
	Points []float64 `json:"points,omitempty"`
}

func (o SparseOptions) withDefaults() SparseOptions {
	o.Inducing = cmp.Or(o.Inducing, 200)
	o.Sobol = cmp.Or(o.Sobol, 100)
	o.Nodes = cmp.Or(o.Nodes, 20)
	o.Jitter = cmp.Or(o.Jitter, 1e-6)
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

// sparse is the paper's surrogate (§4; Hensman et al. 2015): inducing values u = Lv at inputs Z, L = chol(K_zz + εI), and q(v) = N(m, S) with the bound
//
//	ELBO = Σ_i E[ℓ_i(d_i)] − ½(tr S + mᵀm − M − log|S|),   d_i ~ N(φ_iᵀm, kd_i + φ_iᵀ(S − I)φ_i)
//	φ_i = L⁻¹[k(Z,a_i) − k(Z,b_i)],   kd_i = Var[f(a_i) − f(b_i)] under the prior.
//
// The optimal S is (I + ΦᵀΛΦ)⁻¹ and the optimal m is SΦᵀν with one pair (λ_i, ν_i) per duel, so the search is over 2n numbers by the same climb as
// Variational, not over the M + M²/2 entries of m and S. The algebra is done in the smaller of two spaces: the duels' (sparseDuels) or the inducing points'
// (sparseInducing).
//
// Position bias (position.go) is one more column per rater, the inducing value b_r itself: in K_zz it has the diagonal block t²I and in φ_i the entry s_i t.
// A trend needs no columns: it is a part of k, of u therefore, and of so low a rank that a few dozen inducing values determine its weights (sparsegradient.go).
type sparse struct {
	model  Model
	duels  *Duels
	n, m   int // duels, columns: inducing points and raters with a bias
	points int // inducing points
	z      []float64
	sided  []sidedRater // those raters
	zc     cloud
	hz     []float64 // trend: h(Z), row by row; nil without one
	l      []float64 // M×M, chol(K_zz + εI)
	phi    []float64 // rows of the duels that are not known; n×M where none is
	known  *sparsePrefix
	kept   bool      // a posterior keeps Φ and resid
	resid  []float64 // kd_i − ‖φ_i‖², the variance the inducing points cannot explain
	iv     []Interval
	sigma  []float64 // noise of each duel
	climb  *variational
	fresh  int // sites from here on have no start yet

	sparseAlgebra

	t    []float64 // n×M scratch; nil until needed
	kzz  []float64 // M×M scratch
	x    []float64 // D scratch
	row  []float64 // M scratch
	row2 []float64 // M scratch

	scratch [sparseParts][]float64 // a block, or D+M each
}

// sparseAlgebra is q(v) as a function of the sites, in one of the two spaces.
type sparseAlgebra interface {
	gaussian
	// updateFrom is update with the marginals of the duels from lo on alone.
	updateFrom(lo int) bool
	// set takes over L, Φ and the residual variances at new hyper-parameters.
	set()
	// adjoints writes the derivatives of the bound, at a fixed point, in the covariances of the duels
	// with the inducing points (u, n×M) and in those of the inducing points (kzz, M×M symmetric).
	adjoints(u, kzz []float64)
	// weights writes b = L⁻ᵀm and R = L⁻ᵀ(I − S)L⁻¹, the posterior on the basis k(Z, x).
	weights(b, r []float64)
}

func newSparse(m Model, duels *Duels, h Hyper, from *Posterior) (*sparse, error) {
	o := m.SparseOptions
	d := duels.Dim
	if len(o.Candidates)%d != 0 {
		return nil, fmt.Errorf("gp: SparseOptions.Candidates has %d coordinates, not a multiple of %d", len(o.Candidates), d)
	}
	z := o.Points
	if z == nil {
		if !m.plain() {
			o.Sobol = -1
		}
		z = o.inducingPoints(h.Kernel, duels)
	}
	if len(z)%d != 0 {
		return nil, fmt.Errorf("gp: SparseOptions.Points has %d coordinates, not a multiple of %d", len(z), d)
	}
	if err := m.names("the inducing points of SparseOptions", z); err != nil {
		return nil, err
	}
	var sided []sidedRater
	if h.Position > 0 {
		sided = duels.mostSided(sparsePositions)
	}
	n, points := duels.Len(), len(z)/d
	k := points + len(sided)
	s := &sparse{
		model: m, duels: duels, n: n, m: k, points: points, sided: sided, z: z, zc: cloud{n: points, d: d, z: make([]float64, points*d)},
		resid: make([]float64, n),
		climb: newVariational(n, Rule{Nodes: max(o.Nodes, 0)}), iv: make([]Interval, n), sigma: make([]float64, n),
		kzz: make([]float64, k*k), x: make([]float64, d), row: make([]float64, k), row2: make([]float64, k),
	}
	s.scratch = perPart(max(d+k, s.blockRows()*k))
	if from != nil && from.known.continues(s, h) {
		s.known = from.known
	}
	if n < k {
		s.sparseAlgebra = newSparseDuels(s)
	} else {
		s.sparseAlgebra = newSparseInducing(s)
	}
	s.fresh = from.seed(s.current())
	return s, nil
}

func (s *sparse) evaluate(h Hyper, tol float64, grad []float64) (float64, bool) {
	if !s.move(h) {
		return math.NaN(), false
	}
	sites := s.current()
	s.model.noises(s.sigma, s.duels, h)
	if s.n <= fewDuels || s.fresh == 0 || s.fresh == s.n || !s.climb.startAfter(s.sparseAlgebra, s.fresh, s.iv, s.sigma) {
		s.climb.start(sites, s.fresh, s.iv, s.sigma)
	}
	s.fresh = s.n
	z, ok := s.climb.climb(s.sparseAlgebra, s.iv, s.sigma, tol)
	if math.IsNaN(z) {
		clear(sites.Lambda)
		clear(sites.Nu)
		z, ok = s.climb.climb(s.sparseAlgebra, s.iv, s.sigma, tol)
	}
	if grad != nil {
		s.gradient(h, grad)
	}
	return z, ok
}

func (s *sparse) settle(h Hyper) bool { return s.move(h) && s.update() }

// move computes L, Φ and the residual variances at hyper-parameters h. It reports false if K_zz + εI is not positive definite.
func (s *sparse) move(h Hyper) bool {
	if !s.known.continues(s, h) {
		s.known = nil
	}
	k, d, m, known := h.Kernel, s.duels.Dim, s.m, s.knownDuels()
	s.zc.fill(k, s.z)
	if s.hz = nil; k.Trend > 0 {
		s.hz = k.featureMatrix(s.z)
	}
	if s.kept || len(s.phi) != (s.n-known)*m {
		s.kept, s.phi, s.resid = false, make([]float64, (s.n-known)*m), make([]float64, s.n)
	}
	if !s.factor(h) {
		return false
	}
	s.setBiases(s.model.positionVariance(h))
	for i, o := range s.duels.Outcome {
		s.iv[i] = h.Cuts.Interval(o, s.model.Noise)
	}
	if known > 0 {
		copy(s.resid, s.known.resid)
	}
	s.inParts(func(part, lo, hi int) {
		if lo = max(lo, known); lo >= hi {
			return
		}
		phi := s.rows(lo, hi)
		x, second := s.scratch[part][:d], s.scratch[part][d:d+s.points]
		for i := lo; i < hi; i++ {
			a, b := s.duels.A[i*d:(i+1)*d], s.duels.B[i*d:(i+1)*d]
			row := phi[(i-lo)*m : (i-lo)*m+s.points]
			k.scale(x, a)
			linalg.SquaredDistances(row, x, s.zc.z, s.points)
			k.radial(row, nil, row)
			k.scale(x, b)
			linalg.SquaredDistances(second, x, s.zc.z, s.points)
			k.radial(second, nil, second)
			linalg.Axpy(-1, second, row)
			s.resid[i] += 2 * (k.Outputscale - k.stationary().At(a, b))
		}
		s.addTrend(k, lo, hi, phi)
		linalg.SolveLowerRight(hi-lo, m, s.l, m, phi, m)
		for i := lo; i < hi; i++ {
			row := phi[(i-lo)*m : (i-lo+1)*m]
			// Rounding may leave −1e-16 where inducing points explain a duel entirely.
			s.resid[i] = math.Max(0, s.resid[i]-linalg.Dot(row, row))
		}
	})
	s.set()
	return true
}

// factor computes L at hyper-parameters h. It reports false if K_zz + εI is not positive definite.
func (s *sparse) factor(h Hyper) bool {
	if s.known != nil {
		s.l = s.known.l
		return true
	}
	k, d, m := h.Kernel, s.duels.Dim, s.m
	s.l = make([]float64, m*m) // one that a posterior may have kept stays
	for i := range s.points {
		row := s.l[i*m : i*m+i+1]
		k.scale(s.x, s.z[i*d:(i+1)*d])
		linalg.SquaredDistances(row, s.x, s.zc.z, s.points)
		k.radial(row, nil, row)
		row[i] += s.model.SparseOptions.Jitter
	}
	if s.hz != nil {
		f := k.features()
		linalg.Syrk(false, s.points, f, k.tau2(), s.hz, f, 1, s.l, m)
	}
	for c := s.points; c < m; c++ {
		clear(s.l[c*m : c*m+c])
		s.l[c*m+c] = s.model.positionVariance(h)
	}
	return linalg.Cholesky(m, s.l, m)
}

// inParts calls use for blocks of duels: those of each of some equal parts one after the other, the parts at the same time. A caller adds up by part, and
// the parts in their order, so that the number of processors does not matter. The rows of Φ of a block fit the second-level cache together: all that is done to
// a row is done while it is there. At 10,000 duels Φ has 16 MB, and going through it ten times a sweep costs as much as the arithmetic.
func (s *sparse) inParts(use func(part, lo, hi int)) {
	size := s.blockRows()
	cooperate.Parallel(context.Background(), s.parts(), 0, func(int) func(int) {
		return func(part int) {
			for lo, end := s.partAt(part), s.partAt(part+1); lo < end; lo += size {
				use(part, lo, min(lo+size, end))
			}
		}
	})
}

// parts returns the number of parts. Few duels are one part, which is done before another would have begun.
func (s *sparse) parts() int {
	if s.n <= fewDuels {
		return 1
	}
	return sparseParts
}

// partAt returns the number of the first duel of a part.
func (s *sparse) partAt(part int) int { return part * s.n / s.parts() }

const (
	sparseParts = 4
	fewDuels    = 300
)

// perPart returns so many numbers for each part.
func perPart(size int) (out [sparseParts][]float64) {
	for i := range out {
		out[i] = make([]float64, size)
	}
	return out
}

// blockRows returns the number of duels in a block.
func (s *sparse) blockRows() int { return max(1, blockFloats/max(1, s.m)) }

// blockFloats is the size of a block, 400 kB.
const blockFloats = 50_000

// posterior: u(x) = k(Z, x) with the algebra's weights.
func (s *sparse) posterior(h Hyper) *Posterior {
	p := newPosterior(s.model, h, s.z, nil, make([]float64, s.points*s.points))
	p.inducing = append([]float64(nil), s.z...)
	if s.m == s.points {
		s.weights(p.b, p.r)
	} else {
		s.splitWeights(p, s.model.positionVariance(h))
	}
	if p.trended() {
		p.setTrend(s.hz)
	}
	p.sites, p.resid = s.current().clone(), slices.Clone(s.resid)
	if s.known == nil {
		p.known = s.prefix(h)
	} else if s.sparseAlgebra.(*sparseInducing).fromKnown {
		p.summed = s.knownDuels()
	}
	return p
}
