package gp

import (
	"fmt"

	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// People of one study have tastes of their own that are kindred. With Model.Kinship rater r has the utility
//
//	f_r = g + h_r,   Cov[f_r(x), f_q(x')] = P_rq k(x, x'),   P_rq = ρ + (1 − ρ)·1{r = q},
//
// g ~ GP(0, ρk) being what all have in common and h_r ~ GP(0, (1 − ρ)k) what is theirs: everybody has the kernel k, and ρ, the kinship,
// is the correlation of two people's utilities. It is learned with the other hyper-parameters, in log ρ/(1 − ρ); Model.Kinship is
// the prior of the odds ρ/(1 − ρ). Strangers have ρ → 0, one taste is ρ → 1 (Bonilla, Guo & Sanner 2010 have a general matrix P).
//
// In duel space that is a pattern on K_d, elementwise: K_d[i,j] · P_{r_i r_j}, with r_i the rater of duel i. What is only theirs, their
// level (level.go) and their noise, is untouched by it. Inference sees K_d alone, so sites, b and R are found as ever. With
// D_r = diag(P_{r r_i}) the covariances of f_r(x) with the differences are D_r u(x), and
//
//	E f_r(x) = u(x)ᵀ D_r b,   Cov[f_r(x), f_r(x')] = k − u(x)ᵀ D_r R D_r u(x'):
//
// the posterior of a person is a posterior like any other, with D_r b and D_r R D_r in place of b and R. That of somebody who has not
// answered yet has ρb and ρ²R, and g has b and R with the kernel ρk.

// Bounds of the odds ρ/(1 − ρ): ρ between 0.001 and 0.999.
const minKinship, maxKinship = 0.001, 1000

// kin reports whether raters have utilities of their own.
func (m Model) kin() bool { return m.Kinship.present() }

func (h Hyper) validateKinship(m Model) error {
	switch k := h.Kinship; {
	case m.kin() && !(k > 0 && k < 1):
		return fmt.Errorf("gp: kinship = %g, want a number between 0 and 1 in a model of several tastes", k)
	case !m.kin() && k != 0:
		return fmt.Errorf("gp: kinship = %g, want 0 in a model of one taste", k)
	}
	return nil
}

// pattern multiplies the n×n matrix x by P, elementwise.
func (s *duelSpace) pattern(x []float64) {
	for i := range s.n {
		for j := range s.n {
			if s.duels.by(i) != s.duels.by(j) {
				x[i*s.n+j] *= s.kinship
			}
		}
	}
}

// kinshipGradient returns Σ_ik M_ik ∂K_d[i,k]/∂log odds, with ∂ρ/∂log odds = ρ(1 − ρ): the entries between two people, times 1 − ρ.
func (s *duelSpace) kinshipGradient(adjoint []float64) float64 {
	var sum float64
	for i := range s.n {
		for j := range s.n {
			if s.duels.by(i) != s.duels.by(j) {
				sum += adjoint[i*s.n+j] * s.kd[i*s.n+j]
			}
		}
	}
	return sum * (1 - s.kinship)
}

// joint is what a posterior of several tastes keeps of all of them: b and R of the differences, and who answered each.
type joint struct {
	b, r []float64
	by   []int
}

// setJoint makes p, with the b and R of all differences, the posterior of somebody who has not answered, and keeps them.
func (p *Posterior) setJoint(by []int) {
	p.joint = &joint{b: p.b, r: p.r, by: by}
	*p = *p.For(-1)
}

// For returns the posterior of a rater's utility; of one who has not answered where nothing is known of rater r. Where all have one
// utility it is p. The level of acceptance of other raters means nothing in it. O(n²).
func (p *Posterior) For(r int) *Posterior {
	if p.joint == nil {
		return p
	}
	q := *p
	d := p.shares(r)
	q.b, q.r = make([]float64, p.n), make([]float64, p.n*p.n)
	for i, v := range d {
		q.b[i] = v * p.joint.b[i]
		linalg.MulTo(q.r[i*p.n:(i+1)*p.n], v, d, p.joint.r[i*p.n:(i+1)*p.n])
	}
	if q.trended() {
		q.setWeights()
	}
	if r >= 0 {
		q.joint = nil
	}
	return &q
}

// shares returns the diagonal of D_r.
func (p *Posterior) shares(r int) []float64 {
	d := make([]float64, p.n)
	for i, by := range p.joint.by {
		if d[i] = p.hyper.Kinship; by == r {
			d[i] = 1
		}
	}
	return d
}

// People returns mean and covariance of f_{r_i}(x_i) for len(raters) points, each with a rater, row by row; all of one utility where raters share one.
//
//	Cov = P_{r_i r_j} k(x_i, x_j) − u(x_i)ᵀ D_{r_i} R D_{r_j} u(x_j)
//
// It allocates. O(qn² + q²n).
func (p *Posterior) People(x []float64, raters []int) (mean, cov []float64) {
	q, n, d := len(raters), p.n, p.Dim()
	b, r := p.b, p.r
	if p.joint != nil {
		b, r = p.joint.b, p.joint.r
	}
	u := make([]float64, q*n)
	m := NewMoments(1)
	cov = make([]float64, q*q)
	p.hyper.Kernel.Matrix(cov, x, x)
	for i, rater := range raters {
		p.Moments(m, x[i*d:(i+1)*d])
		copy(u[i*n:], m.u[:n])
		if p.joint == nil {
			continue
		}
		linalg.MulTo(u[i*n:(i+1)*n], 1, p.shares(rater), m.u[:n])
		for j, other := range raters {
			if other != rater {
				cov[i*q+j] *= p.hyper.Kinship
			}
		}
	}
	mean = make([]float64, q)
	linalg.Gemv(q, n, 1, u, n, b, 0, mean)
	v := make([]float64, q*n)
	linalg.Gemm(false, false, q, n, n, 1, u, n, r, n, 0, v, n)
	linalg.Gemm(false, true, q, q, n, -1, v, n, u, n, 1, cov, q)
	return mean, cov
}

// For returns the mixture of a rater's utility, as Posterior.For.
func (x *Mixture) For(r int) *Mixture {
	posts := xslices.Map(x.posts, func(p *Posterior) *Posterior { return p.For(r) })
	return NewMixture(posts, x.weights)
}
