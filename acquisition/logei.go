package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
)

// LogEI is the logarithm of the expected improvement of the best of q options over an incumbent, by Monte Carlo, smoothed so that it has a slope wherever it
// is (Ament et al. 2023): BoTorch's qLogEI with its defaults, the baseline "LogEI" of §4.
type LogEI struct {
	// Q is the number of options, 1 to 8; 2 for a question.
	Q int

	// Best is the utility to improve on, as a rule the best posterior mean among shown options.
	Best float64

	// Normals are the standard normal draws, row by row, len(Normals)/Q of them.
	Normals []float64
}

var _ Acquisition = LogEI{}

// NewLogEI returns the acquisition for q options on n (0 for 512) scrambled Sobol draws.
func NewLogEI(q int, best float64, n int, seed uint64) LogEI {
	return LogEI{Q: q, Best: best, Normals: batchNormals(q, n, seed)}
}

// Temperatures of the two smoothings, BoTorch's defaults: improvements, in the units of f, and the maximum over the options, in units of their logarithm.
const (
	tauRelu = 1e-6
	tauMax  = 1e-2
)

// Points returns Q.
func (a LogEI) Points() int { return a.Q }

// Value returns, over the draws f = μ + Lz for the rows z of Normals, LLᵀ = C,
//
//	log mean_z exp fatmax_i log fatplus(f_i − Best)
//
// With every draw far below Best the improvement is that of fatplus's tail, and neither the value nor
// the partials underflow. Partials are exact, through L as in QEUBO, coincident points included.
func (a LogEI) Value(m *gp.Moments, g *Partials) float64 {
	q := a.Q
	mustFit(m, q)
	mustDraw(a.Normals, q)
	if q == 2 {
		if v, ok := a.pair(m, g); ok {
			return v
		}
	}
	return a.batch(m, g)
}

// batch is Value for any number of options and any finite moments, entirely in logarithms. The mean is a running log-sum-exp: sums are kept relative to the
// largest draw so far and rescaled when a larger one comes.
func (a LogEI) batch(m *gp.Moments, g *Partials) float64 {
	q := a.Q
	var r choleskyRoot
	r.factor(q, m.Cov)
	var f, slope, weight [maxBatch]float64
	var dl [maxBatch * maxBatch]float64
	if g != nil {
		g.clear()
	}
	top, sum := math.Inf(-1), 0.0
	n := 0
	for z := a.Normals; len(z) >= q; z = z[q:] {
		n++
		r.draw(f[:q], m.Mean, z)
		for i := range q {
			f[i], slope[i] = logFatplus(f[i]-a.Best, tauRelu)
		}
		v := fatmax(f[:q], weight[:q], tauMax)
		if v > top {
			scale := math.Exp(top - v)
			top, sum = v, sum*scale
			if g != nil {
				for i := range q {
					g.Mean[i] *= scale
				}
				for i := range q * q {
					dl[i] *= scale
				}
			}
		}
		e := math.Exp(v - top)
		sum += e
		if g == nil {
			continue
		}
		for i := range q {
			t := e * weight[i] * slope[i]
			g.Mean[i] += t
			for k := range i + 1 {
				dl[i*q+k] += t * z[k]
			}
		}
	}
	if g != nil {
		for i := range q {
			g.Mean[i] /= sum
		}
		for i := range q * q {
			dl[i] /= sum
		}
		r.backward(dl[:q*q], g.Cov)
	}
	return top + math.Log(sum/float64(n))
}

// Bounds of y = x/τ beyond which parts of logFatplus vanish beside the rest.
const (
	softplusFlat = 50  // e^{−50} = 2e-22, against a rest above 4e-5 relative to which it is below 1e-17
	cauchyFar    = 1e8 // from here 1 + y² rounds to y²
)

// logFatplus returns the logarithm of a positive part with a fat left tail, and its derivative in x:
//
//	fatplus(x) = τ[log(1 + e^y) + 0.1/(1 + y²)],   y = x/τ
//
// A softplus plus a Cauchy bump; for y → −∞ its logarithm falls like −2 log|y|, so that the slope
// fades as 2/|x| instead of vanishing. Finite for every finite y.
func logFatplus(x, tau float64) (value, slope float64) {
	y := x / tau
	if y < -cauchyFar {
		return math.Log(0.1*tau) - 2*math.Log(-y), -2 / x
	}
	w := 1 + y*y
	bump, dbump := 0.1/w, -0.2*y/w/w
	var soft, dsoft float64
	switch {
	case y > softplusFlat:
		soft, dsoft = y, 1
	case y >= 0:
		e := math.Exp(-y)
		soft, dsoft = y+math.Log1p(e), 1/(1+e)
	case y >= -softplusFlat:
		e := math.Exp(y)
		soft, dsoft = math.Log1p(e), e/(1+e)
	}
	p := soft + bump
	return math.Log(tau * p), (dsoft + dbump) / (tau * p)
}

// fatmax returns a smooth maximum of a with polynomial tails, and writes its derivatives to w:
//
//	M + τ log Σ_i ρ((M − a_i)/τ),   M = max a,   ρ(y) = 2/(2 + 2y + y²)
//
// ρ has value 1, slope −1 and curvature 1 at 0, as e^{−y}, whose log-sum-exp this replaces; so two equal terms share the derivative evenly and the function
// is smooth where the maximum changes hands. With ρ' = −ρ²(1+y) the others' derivatives are ρ²(1+y)/Σρ; all sum to 1.
func fatmax(a, w []float64, tau float64) float64 {
	top := 0
	for i, v := range a {
		if v > a[top] {
			top = i
		}
	}
	sum := 1.0
	for i, v := range a {
		if i == top {
			continue
		}
		y := (a[top] - v) / tau
		rho := 2 / (2 + y*(2+y))
		sum += rho
		w[i] = rho * rho * (1 + y)
	}
	w[top] = 1
	for i := range w {
		if i != top {
			w[i] /= sum
			w[top] -= w[i]
		}
	}
	return a[top] + tau*math.Log(sum)
}

// newLogEI returns the formula of a prepared task. It takes the paper's incumbent: the highest posterior mean among the options
// shown. Before anything was shown that is the prior mean.
func newLogEI(t Task) Acquisition {
	d := t.Posterior.Dim()
	best := math.Inf(-1)
	m := gp.NewMoments(1)
	for i := 0; i < len(t.Shown); i += d {
		best = math.Max(best, t.Posterior.MeanGradient(m, t.Shown[i:i+d], nil))
	}
	if math.IsInf(best, -1) {
		best = 0
	}
	return NewLogEI(2, best, defaultSamples, t.Seed)
}
