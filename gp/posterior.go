package gp

import (
	"slices"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// Posterior is the utility after the answers: again a Gaussian process, whatever inference made it.
//
//	mean(x) = u(x)ᵀb,   cov(x, x') = k(x, x') − u(x)ᵀ R u(x')
//
// where the n basis functions u_i are covariances of f(x) with something known: k(x, a_i) − k(x, b_i) with the difference of a duel, k(x, a_i) with that of a
// level duel, or k(x, z_i) with an inducing point. A trend adds to k, and so to u; the mean of its weights is kept beside b, so that its part of the mean
// costs O(D). It is immutable and safe for concurrent readers.
type Posterior struct {
	hyper    Hyper
	noise    float64
	answers  Answers
	maker    Inference
	inducing []float64      // the inducing points as given, row by row; nil unless sparse
	among    int            // inducing duels were chosen among the first so many; 0 unless reduced
	chosen   *inducingDuels // of Reduced, after a fit
	known    *sparsePrefix  // of Sparse, for later duels
	summed   int            // the first duels whose sums it began with; 0 if with none
	resid    []float64      // of each duel, the variance that inducing points or duels leave open whatever is answered; nil where there are none
	imagined int            // answers of Condition among the sites
	n        int            // basis functions
	singles  int            // the first singles of them have no second point
	level    levels
	bias     biases
	pts      cloud
	b        []float64 // n
	r        []float64 // n×n symmetric
	cw       []float64 // 2D×n: Cᵀ = Cov[w, d], the trend's weights with the differences; nil without a trend
	wb       []float64 // 2D: E[w]
	joint    *joint    // of several tastes; nil where there is one
	sites    Sites
	evidence float64
	logPrior float64
	warnings []error
	evals    int
}

// Hyper returns the hyper-parameters.
func (p *Posterior) Hyper() Hyper { return p.hyper.clone() }

// Noise returns σ, the noise of an answer; where raters differ, that of a rater not known yet.
func (p *Posterior) Noise() float64 { return p.noise }

// RaterNoise returns the noise of rater r; Noise for one of whom nothing is known.
func (p *Posterior) RaterNoise(r int) float64 { return p.noise * p.hyper.rater(r) }

// Answers returns the scale of answers.
func (p *Posterior) Answers() Answers { return p.answers }

// Dim returns the number of coordinates of a point.
func (p *Posterior) Dim() int { return p.hyper.Kernel.Dim() }

// Sites returns the Gaussian factors of the duels the posterior was fitted to.
func (p *Posterior) Sites() Sites { return p.sites.clone() }

// Evidence returns the log evidence of the answers (or its bound, for variational inference), without priors on the hyper-parameters.
func (p *Posterior) Evidence() float64 { return p.evidence }

// LogPrior returns the log prior density of the hyper-parameters.
func (p *Posterior) LogPrior() float64 { return p.logPrior }

// Evaluations returns how many times the fit evaluated the evidence.
func (p *Posterior) Evaluations() int { return p.evals }

// Warnings lists what a careful reader should know about the fit: an inference or a search that stopped before it had settled. Usually empty.
func (p *Posterior) Warnings() []error { return p.warnings }

// Size returns how many bytes of memory the posterior takes up, nearly: most of them are n×n numbers, twice as many in a posterior of several tastes.
func (p *Posterior) Size() int64 {
	numbers := len(p.inducing) + len(p.pts.z) + len(p.b) + len(p.r) + len(p.cw) + len(p.wb) + len(p.sites.Lambda) + len(p.sites.Nu) + len(p.resid) +
		len(p.hyper.Kernel.Lengthscale) + len(p.hyper.Raters) + len(p.level.rater) + 3*len(p.bias.of) + p.known.size()
	if p.joint != nil {
		numbers += len(p.joint.b) + len(p.joint.r) + len(p.joint.by)
	}
	const header = 512 // of the struct itself
	return header + 8*int64(numbers)
}

// MeanOnly returns a posterior that knows the mean alone, in O(nD) numbers in place of n²: only Mean, Means, MeanGradient and MeanHessian may be called.
func (p *Posterior) MeanOnly() *Posterior {
	q := *p
	q.r, q.joint, q.sites, q.chosen, q.known, q.resid = nil, nil, Sites{}, nil, nil, nil
	return &q
}

// Mean returns the posterior mean of f(x). It allocates; see Moments for the hot path.
func (p *Posterior) Mean(x []float64) float64 { return p.MeanGradient(NewMoments(1), x, nil) }

// Covariance returns the posterior covariance of f(x) and f(y). It allocates.
func (p *Posterior) Covariance(x, y []float64) float64 { return p.at(x, y).Cov[1] }

// Variance returns the posterior variance of f(x). It allocates.
func (p *Posterior) Variance(x []float64) float64 { return p.at(x).Cov[0] }

// at returns the moments at a few points.
func (p *Posterior) at(points ...[]float64) *Moments {
	m := NewMoments(len(points))
	p.Moments(m, slices.Concat(points...))
	return m
}

// Prob returns the probability that a question (x, y) is answered with outcome o.
func (p *Posterior) Prob(x, y []float64, o Outcome) float64 { return p.ProbAt(x, y, o, p.noise) }

// ProbAt is Prob for a rater whose noise is sigma, as RaterNoise tells it.
func (p *Posterior) ProbAt(x, y []float64, o Outcome, sigma float64) float64 {
	checkSigma(sigma)
	d, v := p.at(x, y).Difference(0, 1)
	return p.hyper.Cuts.Interval(o, p.noise).Prob(d, v, sigma)
}

// basis fills, for the point with scaled coordinates xs, the covariances k with every anchor, the
// factors f of their derivatives (unless nil), and u, all without the trend.
func (p *Posterior) basis(xs, k, f, u []float64) {
	linalg.SquaredDistances(k, xs, p.pts.z, p.pts.n)
	p.hyper.Kernel.radial(k, f, k)
	copy(u, k[:p.n])
	linalg.Axpy(-1, k[p.n:], u[p.singles:])
}

// seed copies the sites of p, which may be nil, to the front of sites and returns how many there are.
func (p *Posterior) seed(sites Sites) int {
	if p == nil {
		return 0
	}
	copy(sites.Nu, p.sites.Nu)
	return copy(sites.Lambda, p.sites.Lambda)
}

// newPosterior lays out a posterior on n basis functions: points a (n×D), second points b for the last len(b)/D of them; with precision r (n×n),
// which it keeps.
func newPosterior(m Model, h Hyper, a, b, r []float64) *Posterior {
	d := h.Kernel.Dim()
	n := len(a) / d
	all := append(append(make([]float64, 0, len(a)+len(b)), a...), b...)
	h = h.clone()
	mean, variance := m.Level.prior(h.Kernel)
	return &Posterior{
		level: levels{mean: mean, variance: variance},
		hyper: h, noise: m.Noise, answers: m.Answers, maker: m.Inference,
		n: n, singles: n - len(b)/d, pts: h.Kernel.cloud(all),
		b: make([]float64, n), r: r,
	}
}
