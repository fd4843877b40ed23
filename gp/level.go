package gp

import (
	"cmp"
	"fmt"
	"math"

	"github.com/prefer-bo/prefer/internal/normal"
)

// Level is the prior of what a rater would take. "Both bad" and "I would take it" compare an option with no other but
// with a latent of the rater's own, independent of the utility and of other raters,
//
//	L_r = m_L + ℓ_r,   ℓ_r ~ N(0, κV),   m_L = −Φ⁻¹(Accept) √((1 + κ)V),   V = s + T,
//
// V being the prior variance of f averaged over the unit cube. Such an answer is a level duel, with the rater's own noise ε:
//
//	d = f(x) − ℓ_r,   x is above the level: d + ε ∈ (m_L, ∞),   below: d + ε ∈ (−∞, m_L).
//
// Mean and spread are in units of √V, not of Noise: what pleases is as strong or weak as the taste itself, and the prior
// chance that an option pleases is then the same whatever scale is fitted, Pr(f(x) > L_r) = Accept (with a trend on average
// over the cube, nearly). In units of Noise it would be ½ for an exact rater, whose s is large.
//
// Answers to "a or b?" say nothing about L_r, and of a rater who calls things bad and takes none it is known from below alone.
type Level struct {
	// Spread is κ, the variance of a rater's level in units of V. Defaults to 1.
	Spread float64 `json:"spread,omitzero"`
	// Accept is the prior chance that an option taken at random is above a rater's level. Defaults to ¾.
	Accept float64 `json:"accept,omitzero"`
}

// DefaultLevel returns the level that the zero value stands for.
func DefaultLevel() Level { return Level{Spread: 1, Accept: 0.75} }

func (l Level) withDefaults() Level {
	l.Spread = cmp.Or(l.Spread, DefaultLevel().Spread)
	l.Accept = cmp.Or(l.Accept, DefaultLevel().Accept)
	return l
}

func (l Level) validate() error {
	if !(l.Spread >= 0) || math.IsInf(l.Spread, 0) {
		return fmt.Errorf("gp: Model.Level.Spread = %g, want a positive number", l.Spread)
	}
	if !(l.Accept >= 0 && l.Accept < 1) {
		return fmt.Errorf("gp: Model.Level.Accept = %g, want a probability between 0 and 1", l.Accept)
	}
	return nil
}

// prior returns the mean m_L and the variance κV of a level beside a utility with kernel k.
func (l Level) prior(k Kernel) (mean, variance float64) {
	l = l.withDefaults()
	v := k.Outputscale + k.Trend
	return -normal.Quantile(l.Accept) * math.Sqrt((1+l.Spread)*v), l.Spread * v
}

// intervals writes what each answer says of its noisy difference.
func (m Model) intervals(dst []Interval, duels *Duels, h Hyper) {
	level, _ := m.Level.prior(h.Kernel)
	for i, o := range duels.Outcome {
		switch {
		case !duels.against(i):
			dst[i] = h.Cuts.Interval(o, m.Noise)
		case o > 0:
			dst[i] = Interval{level, math.Inf(1)}
		default:
			dst[i] = Interval{math.Inf(-1), level}
		}
	}
}

// single leaves of row i of the covariances or their derivative factors, laid out as in duelSpace.factor, those with second options that are there: a level
// duel has none.
func (s *duelSpace) single(i int, r []float64) {
	m := i + 1
	if s.duels.against(i) {
		clear(r[2*m:])
	}
	for _, j := range s.level {
		if j > i {
			break
		}
		r[m+j], r[3*m+j] = 0, 0
	}
}

// share adds v to the entries of the n×n matrix dst between level duels of one rater.
func (s *duelSpace) share(dst []float64, v float64) {
	for _, i := range s.level {
		for _, j := range s.level {
			if s.duels.by(i) == s.duels.by(j) {
				dst[i*s.n+j] += v
			}
		}
	}
}

// order returns the numbers of all duels, the level duels first; nil where there are none.
func (s *duelSpace) order() []int {
	if s.level == nil {
		return nil
	}
	order := append([]int(nil), s.level...)
	for i := range s.n {
		if !s.duels.against(i) {
			order = append(order, i)
		}
	}
	return order
}

// rows returns the rows of x, each of the given width, in the order given; x itself where it is nil.
func rows[T any](x []T, width int, order []int) []T {
	if order == nil {
		return x
	}
	out := make([]T, 0, len(x))
	for _, i := range order {
		out = append(out, x[i*width:(i+1)*width]...)
	}
	return out
}

// both returns a square matrix with its rows and columns in the order given.
func both(x []float64, order []int) []float64 {
	n := len(order)
	out := make([]float64, 0, n*n)
	for _, i := range order {
		for _, j := range order {
			out = append(out, x[i*n+j])
		}
	}
	return out
}

// levelGradient adds to the derivatives of the evidence in log s and, unless nil, log T what they do to m_L, which is an
// end of the interval of every level duel: ∂m_L/∂log s = ½ m_L s/V, likewise T. dlo and dhi are those in the ends.
func (m Model) levelGradient(scale, trend *float64, duels *Duels, k Kernel, dlo, dhi []float64) {
	var sum float64
	for i, l := range duels.Level {
		switch {
		case l && duels.Outcome[i] > 0:
			sum += dlo[i]
		case l:
			sum += dhi[i]
		}
	}
	mean, _ := m.Level.prior(k)
	sum *= mean / 2 / (k.Outputscale + k.Trend)
	*scale += sum * k.Outputscale
	if trend != nil {
		*trend += sum * k.Trend
	}
}

// levels is what a posterior keeps of its raters' levels. In its basis the level duels come first: they are singles,
// u_i(x) = k(x, a_i), and Cov[ℓ_r, d_i] = −κV for those of rater r, 0 for all else.
type levels struct {
	mean, variance float64 // prior: m_L and κV
	rater          []int   // of each level duel
}

// Level returns mean and variance of a rater's level L_r, in the units of f. With c = Cov[ℓ_r, d],
//
//	E L_r = m_L + cᵀb,   Var L_r = κV − cᵀRc.
//
// A rater without level duels has the prior's. It does not allocate.
func (p *Posterior) Level(rater int) (mean, variance float64) {
	v := p.level.variance
	mean, variance = p.level.mean, v
	for i, r := range p.level.rater {
		if r != rater {
			continue
		}
		mean -= v * p.b[i]
		for j, s := range p.level.rater {
			if s == rater {
				variance -= v * v * p.r[i*p.n+j]
			}
		}
	}
	return mean, variance
}

// LevelCovariance writes into dst (q) the covariances of f at the points last filled with a rater's level, Cov[f(x), L_r] = −u(x)ᵀRc. It does not allocate.
func (m *Moments) LevelCovariance(rater int, dst []float64) {
	p := m.post
	if p == nil || len(dst) != m.q {
		panic("gp: LevelCovariance: want one number per point of filled moments")
	}
	for i := range dst {
		var sum float64
		for l, r := range p.level.rater {
			if r == rater {
				sum += m.v[i*p.n+l]
			}
		}
		dst[i] = p.level.variance * sum
	}
}

// Acceptable returns the probability Pr(f(x) > L_r) that x is above a rater's level. It allocates.
func (p *Posterior) Acceptable(x []float64, rater int) float64 {
	m := p.at(x)
	var c [1]float64
	m.LevelCovariance(rater, c[:])
	mean, v := p.Level(rater)
	return normal.CDF((m.Mean[0] - mean) / math.Sqrt(max(0, m.Cov[0]+v-2*c[0]))) // rounding can leave −1e-16 for 0
}
