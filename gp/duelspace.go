package gp

import (
	"github.com/prefer-bo/prefer/internal/linalg"
)

// duelSpace holds the prior covariance of the n differences d_i = f(a_i) − f(b_i),
//
//	K_d[i,j] = k(a_i,a_j) − k(a_i,b_j) − k(b_i,a_j) + k(b_i,b_j)        (K_d = A K Aᵀ),
//
// less the terms with the second option of a level duel, d_i = f(a_i) − ℓ_r, which has none, plus κV between those of one rater, times the pattern of
// kinship.go, plus the position bias of position.go, the only thing the likelihood sees of the prior. It is never factored itself, only B = I + S K_d S with eigenvalues ≥ 1, so duplicate,
// coincident and nearly coincident duels, which make it singular, are ordinary data.
type duelSpace struct {
	n, d     int
	duels    *Duels
	kernel   Kernel
	a, b     cloud
	kd       []float64    // n×n, both triangles
	factor   []float64    // the F of Kernel.Gradient, row i: 4 runs of i+1 values (aa, ab, ba, bb) from offset 2i(i+1); nil until a gradient is wanted
	row      []float64    // 4n scratch
	level    []int        // the level duels
	spread   float64      // κ of their levels
	kinship  float64      // ρ; 0 where all have one utility
	position float64      // t², the variance of position bias; 0 without one
	sided    []sidedRater // the raters with sided duels
	hd, hh   []float64    // the trend's Hd (n×2D) and Hd Hdᵀ (n×n); nil without one
	xa, xb   []float64    // D scratch: the scaled points of one duel
}

func newDuelSpace(duels *Duels, level Level) *duelSpace {
	n, d := duels.Len(), duels.Dim
	return &duelSpace{
		n: n, d: d, duels: duels,
		a:   cloud{n: n, d: d, z: make([]float64, n*d)},
		b:   cloud{n: n, d: d, z: make([]float64, n*d)},
		kd:  make([]float64, n*n),
		row: make([]float64, 4*n), xa: make([]float64, d), xb: make([]float64, d),
		level: duels.levels(), spread: level.withDefaults().Spread, sided: duels.sidedBy(),
	}
}

// set computes K_d under kernel k and, for a gradient, the derivative factors. O(n²D).
func (s *duelSpace) set(k Kernel, gradient bool) {
	s.kernel = k
	if gradient && s.factor == nil {
		s.factor = make([]float64, 2*s.n*(s.n+1))
	}
	s.a.fill(k, s.duels.A)
	s.b.fill(k, s.duels.B)
	for i := range s.n {
		m := i + 1
		r := s.row[:4*m]
		s.point(i)
		linalg.SquaredDistances(r[0:m], s.xa, s.a.z, s.n)
		linalg.SquaredDistances(r[m:2*m], s.xa, s.b.z, s.n)
		linalg.SquaredDistances(r[2*m:3*m], s.xb, s.a.z, s.n)
		linalg.SquaredDistances(r[3*m:4*m], s.xb, s.b.z, s.n)
		var f []float64
		if gradient {
			f = s.factors(i)
		}
		k.radial(r, f, r)
		if s.level != nil {
			s.single(i, r)
			if gradient {
				s.single(i, f)
			}
		}
		linalg.Difference4(s.kd[i*s.n:i*s.n+m], r[0:m], r[m:2*m], r[2*m:3*m], r[3*m:4*m])
	}
	linalg.Symmetrize(s.n, s.kd, s.n)
	s.share(s.kd, s.spread*k.Outputscale)
	if k.Trend > 0 {
		s.addTrend()
	}
	if s.kinship > 0 {
		s.pattern(s.kd)
	}
	if s.position > 0 {
		s.addPosition()
	}
}

// gradient adds to dlog[j] the derivative Σ_ik M_ik ∂K_d[i,k]/∂log ℓ_j for a symmetric n×n adjoint M, of which the lower triangle is read. O(n²D).
func (s *duelSpace) gradient(dlog, adjoint []float64) {
	for i := range s.n {
		m := i + 1
		w := adjoint[i*s.n : i*s.n+m]
		f, g := s.factors(i), s.row[:m]
		s.point(i)
		for q, sign := range [4]float64{2, -2, -2, 2} { // off-diagonal entries count twice
			linalg.MulTo(g, sign, w, f[q*m:(q+1)*m])
			g[i] /= 2
			x, c := s.xa, &s.a
			if q >= 2 {
				x = s.xb
			}
			if q&1 == 1 {
				c = &s.b
			}
			linalg.WeightedSquares(dlog, g, x, c.z, s.n)
		}
	}
	s.trendLengthscales(dlog, adjoint)
}

func (s *duelSpace) factors(i int) []float64 {
	at := 2 * i * (i + 1)
	return s.factor[at : at+4*(i+1)]
}

func (s *duelSpace) point(i int) {
	for j := range s.d {
		s.xa[j] = s.a.z[j*s.n+i]
		s.xb[j] = s.b.z[j*s.n+i]
	}
}
