package gp

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// Where hyper-parameters that fit the answers nearly as well as the likeliest are looked for, measured on studies of two to seven dimensions and 10 to 104
// duels (TestDrawsAgainstLongChain): marginal standard deviations of log hyper-parameters are 0.35 … 0.85 whatever the data, and their means 0.1 … 0.4
// above the maximum a posteriori.
const (
	drawCentre = 0.2 // above the maximum a posteriori in every log hyper-parameter …
	drawScale  = 0.8 // … and the spread around that

	// drawTol is how far sites may be from their fixed point. The evidence then errs by 1e-4 to 1e-3, at worst by 1e-2, and costs two thirds.
	drawTol = 1e-2
)

// hyperDensity is the density of θ, the logs of lengthscales, outputscale, trend, gaps between cuts and noise of raters, within the bounds of Fit, given the
// duels:
//
//	log p(θ) = log evidence + Σ_i [log prior(e^θ_i) + θ_i],
//
// θ_i being the Jacobian of the log transform, which Fit leaves out; a flat prior is flat in θ and has none. Sites start from the evaluation before.
type hyperDensity struct {
	model Model // with defaults
	duels *Duels
	ev    evaluator
	free  []variable
	lo    []float64
	hi    []float64

	raters []float64 // noise of raters where it is no part of θ; nil
	evals  int       // evidences since the last posterior
}

// at returns log p(θ), −∞ outside the bounds and where the inference breaks down.
func (w *hyperDensity) at(theta []float64) float64 {
	for i, t := range theta {
		if !(t >= w.lo[i] && t <= w.hi[i]) {
			return math.Inf(-1)
		}
	}
	h := w.hyper(theta)
	z, _ := w.ev.evaluate(h, drawTol, nil)
	w.evals++
	if math.IsNaN(z) {
		return math.Inf(-1)
	}
	return z + w.model.logPrior(h, nil) + w.jacobian(theta)
}

// hyper returns the hyper-parameters at θ.
func (w *hyperDensity) hyper(theta []float64) Hyper {
	h := w.model.fromTheta(theta, w.duels.Dim)
	if w.raters != nil {
		h.Raters = w.raters
	}
	return h
}

// jacobian returns Σ θ_i over the hyper-parameters whose prior is a density of e^θ_i.
func (w *hyperDensity) jacobian(theta []float64) float64 {
	var sum float64
	for i, v := range w.free {
		if v.prior.Family != FlatFamily {
			sum += theta[i]
		}
	}
	return sum
}

// posterior returns the posterior of the utility at θ, with its sites settled as in a fit.
func (w *hyperDensity) posterior(theta []float64) (*Posterior, error) {
	p, err := w.model.posterior(w.ev, w.hyper(theta), w.duels.Len())
	if err == nil {
		p.evals, w.evals = w.evals+1, 0
	}
	return p, err
}

// proposal is a normal with independent coordinates that count settings are drawn from.
type proposal struct {
	mean, sd []float64
	count    float64
}

type proposals []proposal

// at returns the setting of a standard normal z.
func (p proposal) at(z []float64) []float64 {
	x := make([]float64, len(z))
	for i := range x {
		x[i] = p.mean[i] + p.sd[i]*z[i]
	}
	return x
}

// log returns the log density of all proposals together.
func (ps proposals) log(x []float64) float64 {
	var sum, all float64
	top := math.Inf(-1)
	each := make([]float64, len(ps))
	for k, p := range ps {
		for i := range x {
			each[k] += normal.LogPDF((x[i]-p.mean[i])/p.sd[i]) - math.Log(p.sd[i])
		}
		top = max(top, each[k])
	}
	for k, p := range ps {
		sum += p.count * math.Exp(each[k]-top)
		all += p.count
	}
	return top + math.Log(sum/all)
}

// proposalOf returns a normal like priors of logs: the prior itself where that is log-normal, one with the same mean and
// spread of the log for a Gamma, and a wide one round start where there is no opinion.
func proposalOf(priors []Prior, start []float64) proposal {
	p := proposal{mean: make([]float64, len(priors)), sd: make([]float64, len(priors)), count: 1}
	for i, v := range priors {
		switch v.Family {
		case LogNormalFamily:
			p.mean[i], p.sd[i] = v.A, v.B
		case GammaFamily: // Var log x = ψ′(A) ≈ 1/A + 1/2A², E log x = ψ(A) − log B ≈ log(A/B) − 1/2A
			p.mean[i], p.sd[i] = math.Log(v.A/v.B)-1/(2*v.A), math.Sqrt(1/v.A+1/(2*v.A*v.A))
		default:
			p.mean[i], p.sd[i] = start[i], 2
		}
	}
	return p
}

// logMean returns log mean_k e^{x_k}.
func logMean(x []float64) float64 {
	top := slices.Max(x)
	var sum float64
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum/float64(len(x)))
}

// spreadNormals returns n standard normal points of dimension d, row by row: quasi-random ones as far as those go.
func spreadNormals(d, n int) []float64 {
	if d <= sobol.MaxDim {
		return sobol.Normals(d, n, averageSeed, normal.Quantile)
	}
	rng := rand.New(rand.NewPCG(averageSeed, uint64(d)))
	z := make([]float64, d*n)
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	return z
}

func shift(x []float64, by float64) []float64 {
	out := slices.Clone(x)
	for i := range out {
		out[i] += by
	}
	return out
}

func fill(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }
