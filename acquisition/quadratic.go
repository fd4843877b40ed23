package acquisition

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// Limits of the quadratic model of the posterior mean at x̂.
const (
	trustRadius = 1.0  // longest step, in lengthscales: beyond, a quadratic says nothing about a Matérn mean
	ridge       = 1e-6 // relative to the largest curvature: a flat direction is not an infinite one
)

// quadratic predicts where the look-ahead mean has its maximum after an imagined answer, and what that is worth, without evaluating anything: the tool that
// makes ranking thousands of pairs cheap and hands every local search a start with a positive gain.
//
// Near x̂ the mean is μ* + ½δᵀHδ and the covariance with the duel's difference is c* + δᵀ∇c. Outcome o,
// with probability P and w = φ(α) − φ(β) (Σ_o w = 0), adds Pμ + wc/s, whose maximum over δ is at
//
//	δ_o = (w/(sP)) (−H)⁻¹∇c,   and the gains add up to  Σ_o w²/(2Ps²) · ∇cᵀ(−H)⁻¹∇c.
//
// ∇c = ∇cov(x̂, x₁) − ∇cov(x̂, x₂) is a difference of two vectors computed once per candidate, so with −H = LLᵀ and y = L⁻¹∇cov the last factor is ‖y₁ −
// y₂‖². Coordinates in which x̂ is held by an active bound are left out.
type quadratic struct {
	d     int
	best  []float64 // x̂
	free  []int     // coordinates; of a circle, which moves along itself, the first
	round []int     // which of them are circles
	chol  []float64 // L, f×f over the free coordinates, scaled by the lengthscales
	scale []float64 // lengthscales of the free coordinates
	g     []float64 // n×f: ∇cov(x̂, candidate) in scaled coordinates
	y     []float64 // n×f: L⁻¹g
}

func newQuadratic(p *gp.Posterior, c *candidates) *quadratic {
	q := newCurvature(p, c.row(0), c.in)
	f := len(q.free)
	q.g = q.gradients(c.m)
	q.y = clone(q.g)
	for i := range c.n {
		forward(q.chol, q.y[i*f:(i+1)*f])
	}
	return q
}

// newCurvature returns the part of the model that knows no candidates: the factor of −H at best. On a domain only its continuous coordinates move, and where
// a constraint holds best, the gradient there is normal to it and no direction to go: it is made very stiff.
func newCurvature(p Utility, best []float64, in *region) *quadratic {
	d := len(best)
	q := &quadratic{d: d, best: clone(best)}
	if in != nil {
		q.round = in.circles
	}
	grad := make([]float64, d)
	p.MeanGradient(gp.NewMoments(1), best, grad)
	h := curvature(p, best)
	flatten(best, grad, h, q.round)
	ls := p.Hyper().Kernel.Lengthscale
	for j := range d {
		held := best[j] <= 0 && grad[j] < 0 || best[j] >= 1 && grad[j] > 0
		if !held && (in == nil || slices.Contains(in.free, j)) || slices.Contains(q.round, j) {
			q.free = append(q.free, j)
			q.scale = append(q.scale, ls[j])
		}
	}
	f := len(q.free)
	q.chol = make([]float64, f*f)
	top := 0.0
	for a, i := range q.free {
		for b, j := range q.free {
			q.chol[a*f+b] = -h[i*d+j] * q.scale[a] * q.scale[b]
		}
		top = math.Max(top, q.chol[a*f+a])
	}
	// At a maximum −H is positive semi-definite; the ridge is raised until rounding agrees. A mean
	// without any curvature, before the first preference, gets the prior's: a lengthscale per unit.
	if !(top > 0) {
		top = p.Hyper().Kernel.Outputscale
		clear(q.chol)
		for a := range f {
			q.chol[a*f+a] = top
		}
	}
	if in != nil && in.dom.Feasible != nil {
		q.stiffen(grad, top)
	}
	keep := clone(q.chol)
	for r := ridge; !root(q.chol, q.chol, f, 0); r *= 10 {
		copy(q.chol, keep)
		for a := range f {
			q.chol[a*f+a] += r * top
		}
	}
	return q
}

// curvature returns the Hessian of the mean at x.
func curvature(p Utility, x []float64) []float64 {
	h := make([]float64, len(x)*len(x))
	p.MeanHessian(gp.NewMoments(1), x, h)
	return h
}

// Stiffness across a wall, relative to the largest curvature; and the slope, in curvatures times a
// lengthscale, from which on x̂ is taken to be held by one rather than to be a maximum to within rounding.
const (
	wallStiff = 1e6
	wallSlope = 1e-3
)

// stiffen adds wallStiff·top·nnᵀ to −H, n the direction of the gradient, if there is a slope at all.
func (q *quadratic) stiffen(grad []float64, top float64) {
	f := len(q.free)
	n := make([]float64, f)
	var size float64
	for a, j := range q.free {
		n[a] = grad[j] * q.scale[a]
		size = math.Hypot(size, n[a])
	}
	if size <= wallSlope*top {
		return
	}
	for a := range n {
		for b := range n {
			q.chol[a*f+b] += wallStiff * top * n[a] / size * n[b] / size
		}
	}
}

// gradients returns ∇cov(x̂, ·) of the points of m, of which x̂ is the first, in scaled coordinates.
func (q *quadratic) gradients(m *gp.Moments) []float64 {
	n, f := m.Points(), len(q.free)
	jac, g := make([]float64, n*q.d), make([]float64, n*f)
	m.CovJacobian(0, jac)
	for i := range n {
		for a, j := range q.free {
			g[i*f+a] = q.slope(jac[i*q.d:(i+1)*q.d], j) * q.scale[a]
		}
	}
	return g
}

// slope returns the derivative along free coordinate j of what has the gradient grad at x̂.
func (q *quadratic) slope(grad []float64, j int) float64 {
	if slices.Contains(q.round, j) {
		return tangent(q.best[j:], grad[j:])
	}
	return grad[j]
}

// spread returns ‖y_i − y_j‖², the curvature-weighted size of ∇c for the pair.
func (q *quadratic) spread(i, j int) float64 {
	f := len(q.free)
	yi, yj := q.y[i*f:(i+1)*f], q.y[j*f:(j+1)*f]
	var s float64
	for a := range yi {
		t := yi[a] - yj[a]
		s += t * t
	}
	return s
}

// reach returns the most that c can change within the trust radius: beyond it the quadratic gain counts only in proportion.
func (q *quadratic) reach(i, j int) float64 {
	f := len(q.free)
	gi, gj := q.g[i*f:(i+1)*f], q.g[j*f:(j+1)*f]
	var s float64
	for a := range gi {
		s += math.Abs(gi[a] - gj[a])
	}
	return trustRadius * s
}

// move writes into x the predicted maximiser of the look-ahead mean: best + factor·(−H)⁻¹∇c, cut to the trust radius and to the unit cube. factor = w/(sP).
func (q *quadratic) move(x, best []float64, i, j int, factor float64) {
	f := len(q.free)
	step := make([]float64, f)
	for a := range f {
		step[a] = factor * (q.y[i*f+a] - q.y[j*f+a])
	}
	q.walk(x, best, step)
}

// walk writes into x the point best + L⁻ᵀstep, cut in the same way; it overwrites step.
func (q *quadratic) walk(x, best, step []float64) {
	copy(x, best)
	backward(q.chol, step)
	long := 0.0
	for _, s := range step {
		long = math.Max(long, math.Abs(s))
	}
	cut := 1.0
	if long > trustRadius {
		cut = trustRadius / long
	}
	for a, j := range q.free {
		if slices.Contains(q.round, j) {
			rotate(x[j:j+2], cut*step[a]*q.scale[a])
			continue
		}
		x[j] = min(max(x[j]+cut*step[a]*q.scale[a], 0), 1)
	}
}
