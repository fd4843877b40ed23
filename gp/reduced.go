package gp

import (
	"context"
	"math"
	"reflect"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// Sizes of Reduced.
const (
	reducedFirst      = 256  // duels that EP finds first hyper-parameters from: of more, so many spread evenly over all …
	reducedSearch     = 1000 // … and those that reduced inference then improves them on
	reducedCandidates = 512  // duels that inducing duels are chosen from, likewise
	reducedMost       = 200  // inducing duels at most
	reducedLeast      = 1e-3 // share of the noise of an answer, or of the largest variance, that the chosen ones may leave of a candidate
	reducedBlock      = 128  // rows of Φ that are computed together; a fixed number, so that a row has the same bits whatever follows it
)

// reduced is EP for many duels. The differences d_Z of M chosen duels, the inducing duels, carry what is learned (as inducing points do in Snelson &
// Ghahramani 2006): with L = chol(K_ZZ) and d_Z = Lv, v ~ N(0, I), every difference is
//
//	d_i = φ_iᵀv + e_i,   φ_i = L⁻¹ K_Zi,   e_i ~ N(0, K_ii − ‖φ_i‖²),
//
// and the e_i, which the inducing duels leave open, are taken for independent. Then e_i is one more noise of answer i: its likelihood given φ_iᵀv is that of
// an interval with the noise √(σ_i² + Var e_i), and EP runs on sites of φ_iᵀv, at O(nM²) a sweep. K is the whole prior covariance of duels, with trend,
// kinship, levels and position bias, and the posterior is that of M duels with
//
//	b = L⁻ᵀE[v],   R = L⁻ᵀ(I − Cov v)L⁻¹,
//
// a posterior like any other. Inducing duels are the pivots of a Cholesky factorisation of K at given hyper-parameters.
type reduced struct {
	model   Model
	duels   *Duels
	among   int            // inducing duels are chosen among the first so many
	fixed   bool           // they stay while hyper-parameters move
	chosen  *inducingDuels // with their rows
	iv      []Interval
	sigma   []float64 // √(σ_i² + Var e_i)
	engine  *ep
	sites   *siteAlgebra // sites and marginals, without matrices
	algebra *sparseInducing
}

func newReduced(m Model, duels *Duels, from *Posterior) *reduced {
	n := duels.Len()
	e := &reduced{model: m, duels: duels, among: n, iv: make([]Interval, n), sigma: make([]float64, n), engine: newEP(n),
		sites: &siteAlgebra{n: n, sites: newSites(n), shrink: make([]float64, n)}}
	if from != nil && from.among > 0 {
		e.among, e.chosen = from.among, from.chosen
	}
	from.seed(e.sites.sites)
	return e
}

// fix has the evaluator keep the inducing duels of a posterior while hyper-parameters move.
func (e *reduced) fix(p *Posterior) {
	e.fixed, e.chosen = true, &inducingDuels{z: p.chosen.z}
}

// learnReduced returns a posterior with the hyper-parameters of all duels: found by EP on a few, then by the reduced evidence of more, with inducing duels that stay.
func (m Model) learnReduced(ctx context.Context, duels *Duels) (*Posterior, error) {
	small := m
	small.Inference = EP
	p, err := small.Fit(ctx, duels.some(evenly(duels.Len(), reducedFirst)), nil)
	if err != nil || duels.Len() <= reducedFirst {
		return p, err
	}
	more := duels.some(evenly(duels.Len(), reducedSearch))
	h := p.Hyper()
	m, h = m.forSides(more, h)
	h.Raters = m.startRaters(more, h.Raters)
	ev := newReduced(m, more, nil)
	ev.fixed = true
	hyper, res := m.search(ctx, ev, h, more.Len())
	p.hyper, p.evals, p.warnings = hyper, p.evals+res.Evals, unsettled(res) // what the first search left open, this one settles
	return p, nil
}

func (e *reduced) evaluate(h Hyper, tol float64, grad []float64) (float64, bool) {
	if !e.move(h) {
		return math.NaN(), false
	}
	z, _, ok := e.engine.parallel(e.sites, e.update, e.iv, e.sigma, tol)
	if math.IsNaN(z) {
		clear(e.sites.sites.Lambda)
		clear(e.sites.sites.Nu)
		z, _, ok = e.engine.parallel(e.sites, e.update, e.iv, e.sigma, tol)
	}
	if grad != nil && !math.IsNaN(z) {
		e.gradient(h, grad)
	}
	return z, ok
}

func (e *reduced) current() Sites { return e.sites.sites }

func (e *reduced) settle(h Hyper) bool { return e.move(h) && e.update() }

// move computes everything that depends on hyper-parameters and not on sites. It reports false if the inducing duels have no Cholesky factor.
func (e *reduced) move(h Hyper) bool {
	n := e.duels.Len()
	if e.chosen == nil || !reflect.DeepEqual(e.chosen.hyper, h) {
		if e.chosen == nil || !e.fixed {
			e.chosen = e.model.chooseDuels(e.duels, e.among, h)
		}
		if !e.chosen.move(e.model, e.duels, h, e.fixed) {
			return false
		}
	} else if len(e.chosen.resid) < n {
		e.chosen = e.chosen.extended(e.model, e.duels)
	}
	e.model.intervals(e.iv, e.duels, h)
	e.model.noises(e.sigma, e.duels, h)
	for i, v := range e.chosen.resid {
		e.sigma[i] = math.Sqrt(e.sigma[i]*e.sigma[i] + v)
	}
	m := len(e.chosen.z)
	if e.algebra == nil || e.algebra.of.m != m {
		e.algebra = newSparseInducing(&sparse{n: n, m: m, resid: make([]float64, n)})
		e.algebra.sites = e.sites.sites
		e.sites.mean, e.sites.vrc = e.algebra.mean, e.algebra.vrc
	}
	e.algebra.of.l, e.algebra.of.phi = e.chosen.l, e.chosen.phi
	return true
}

// update refreshes the marginals of φ_iᵀv from the sites.
func (e *reduced) update() bool {
	if !e.algebra.update() {
		return false
	}
	e.sites.logdet = e.algebra.logdet
	for i, l := range e.sites.sites.Lambda {
		e.sites.shrink[i] = math.Max(1-l*e.sites.vrc[i], smallShrink)
	}
	return true
}

// gradient overwrites grad with that of the evidence in theta, after EP has settled. With Q = ΦΦᵀ, R = (Q + Λ⁻¹)⁻¹, V = ΦL⁻¹, S = Cov v,
// β_i = ν_i − λ_i E[φ_iᵀv] and ρ_i, half of Tilted.Alpha² − Tilted.Beta, the derivative in Var e_i (ep.spread), that in Q is G = ½(ββᵀ − R) − diag ρ. Since
// RΦ = ΛΦS, its products with V need no n×n matrix:
//
//	K̄_nZ = 2GV = β(L⁻ᵀΦᵀβ)ᵀ − ΛΦSL⁻¹ − 2ρV,   K̄_ZZ = −VᵀGV = −½VᵀK̄_nZ,   K̄_ii = ρ_i.
//
// They are handed, block of rows by block of rows, to the gradient of a dense matrix of covariances.
func (e *reduced) gradient(h Hyper, grad []float64) {
	n, m, c := e.duels.Len(), len(e.chosen.z), e.chosen
	clear(grad)
	beta, rho, spread := make([]float64, n), make([]float64, n), make([]float64, n)
	dlo, dhi := make([]float64, n), make([]float64, n)
	for i, t := range e.engine.tilt {
		beta[i] = e.sites.sites.Nu[i] - e.sites.sites.Lambda[i]*e.sites.mean[i]
		rho[i] = (t.Alpha*t.Alpha - t.Beta) / 2
		dlo[i], dhi[i] = t.dLo, t.dHi
		spread[i] = 2 * rho[i] * (e.sigma[i]*e.sigma[i] - c.resid[i])
	}
	e.model.answersGradient(grad, e.duels, h, dlo, dhi, spread)

	w := append([]float64(nil), c.l...)
	for i := range m {
		clear(w[i*m+i+1 : (i+1)*m])
	}
	linalg.InvertLower(m, w, m)
	v, u := make([]float64, n*m), make([]float64, n*m)
	linalg.Gemm(false, false, n, m, m, 1, c.phi, m, w, m, 0, v, m)
	sw := make([]float64, m*m)
	e.algebra.covariance(sw)
	linalg.SolveLowerT(m, m, c.l, m, sw, m) // (SL⁻¹)ᵀ
	linalg.Gemm(false, true, n, m, m, 1, c.phi, m, sw, m, 0, u, m)
	vb := make([]float64, m)
	linalg.GemvT(n, m, 1, v, m, beta, 0, vb)
	for i := range n {
		row, vi, l := u[i*m:(i+1)*m], v[i*m:(i+1)*m], e.sites.sites.Lambda[i]
		for j := range row {
			row[j] = beta[i]*vb[j] - l*row[j] - 2*rho[i]*vi[j]
		}
	}
	kzz := make([]float64, m*m)
	linalg.Gemm(true, false, m, m, n, -0.5, v, m, u, m, 0, kzz, m)

	dlog := make([]float64, e.duels.Dim)
	size := m + reducedBlock
	adjoint := make([]float64, size*size)
	for k, s := range c.blocks {
		clear(adjoint)
		for i := range min(reducedBlock, n-k*reducedBlock) {
			at := k*reducedBlock + i
			for j, x := range u[at*m : (at+1)*m] {
				adjoint[(m+i)*size+j], adjoint[j*size+m+i] = x/2, x/2
			}
			adjoint[(m+i)*size+m+i] = rho[at]
		}
		if k == 0 {
			for i := range m {
				for j := range m {
					adjoint[i*size+j] = (kzz[i*m+j] + kzz[j*m+i]) / 2
				}
			}
		}
		e.model.covarianceGradient(grad, s, adjoint, dlog)
	}
}

func (e *reduced) posterior(h Hyper) *Posterior {
	m := len(e.chosen.z)
	b, r := make([]float64, m), make([]float64, m*m)
	e.algebra.weights(b, r)
	p := e.model.spaceOf(e.duels, e.chosen.z, h, false).posterior(e.model, h, b, r)
	p.sites, p.among, p.resid = e.sites.sites.clone(), e.among, e.chosen.resid
	if e.among == e.duels.Len() { // later duels continue from here
		p.chosen = e.chosen
	}
	return p
}
