package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// LookAhead is the posterior after one imagined answer to the question (point 0, point 1), at the
// points of a Moments: Lemma 3.1, with its second moments, for any interval answer.
//
// With d = f₀ − f₁ ~ N(m, v), the answer g = d + ε ∈ (lo, hi), ε ~ N(0, σ²), s² = v + σ² and c_i = Cov[f_i, d], the pair (f_i, g) is normal and the answer
// restricts g alone. So only what f_i shares with g moves:
//
//	Pr = Φ(β) − Φ(α),   α = (lo−m)/s,   β = (hi−m)/s
//	E[f_i | answer]        = μ_i + r c_i/s
//	Cov[f_i, f_j | answer] = C_ij − γ (c_i/s)(c_j/s)
//
// r and γ are the mean and one minus the variance of the standard normal restricted to (α, β). For "x₁ ≻ x₂", lo = 0 and hi = ∞, r is the φ(τ)/Φ(τ) of Eq. 5
// and γ = r(r+τ). Both come from normal.Truncate, which forms no quotient of underflowing numbers: an answer 1000 deviations away has ordinary moments.
//
// If v = σ = 0 the difference is the constant m. Then no answer moves anything, and the probability
// is 1, 0, or ½ with m on an end of the interval, the limit of vanishing noise.
type LookAhead struct {
	m           *gp.Moments
	alpha, beta float64
	s           float64
	r, gamma    float64
}

// NewLookAhead returns the look-ahead on m, at least two points, after the answer iv under noise
// sigma. It reads m whenever it is asked; it holds as long as m is not refilled.
func NewLookAhead(m *gp.Moments, iv gp.Interval, sigma float64) LookAhead {
	mean, v := m.Difference(0, 1)
	s := spread(v, sigma)
	l := LookAhead{m: m, s: s, alpha: standardise(iv.Lo, mean, s), beta: standardise(iv.Hi, mean, s)}
	if s > 0 {
		t := normal.Truncate(l.alpha, l.beta)
		l.r, l.gamma = t.Mean, t.Shrink
	}
	return l
}

// Prob returns the probability of the answer.
func (l LookAhead) Prob() float64 { return normal.Interval(l.alpha, l.beta) }

// LogProb returns its logarithm, also where the probability underflows.
func (l LookAhead) LogProb() float64 { return normal.LogInterval(l.alpha, l.beta) }

// Mean returns E[f_i | answer].
func (l LookAhead) Mean(i int) float64 { return l.m.Mean[i] + l.r*l.share(i) }

// Cov returns Cov[f_i, f_j | answer]. The law itself is skew (an extended skew normal for the
// two-outcome answers, App. A); these are its exact second moments.
func (l LookAhead) Cov(i, j int) float64 {
	return l.m.Cov[i*l.m.Points()+j] - l.gamma*l.share(i)*l.share(j)
}

// share returns c_i/s, the covariance of f_i with the noisy difference in its standard units.
func (l LookAhead) share(i int) float64 {
	if l.s == 0 {
		return 0
	}
	q := l.m.Points()
	return (l.m.Cov[i*q] - l.m.Cov[i*q+1]) / l.s
}

var (
	firstWins  = gp.Interval{Lo: 0, Hi: math.Inf(1)}
	secondWins = gp.Interval{Lo: math.Inf(-1), Hi: 0}
)

// fixture is a question with fantasy points (x₁, x₂, x₋, x₊) whose numbers were computed with 30
// digits.
func fixture() *gp.Moments {
	m := gp.NewMoments(4)
	copy(m.Mean, []float64{0.30, -0.20, 0.10, 0.55})
	copy(m.Cov, []float64{
		1, 0.3, -0.1, 0.6,
		0.3, 0.8, 0.4, 0.1,
		-0.1, 0.4, 0.7, 0.05,
		0.6, 0.1, 0.05, 0.9,
	})
	return m
}

func TestLookAheadFixture(t *testing.T) {
	up := NewLookAhead(fixture(), firstWins, 1)
	down := NewLookAhead(fixture(), secondWins, 1)
	agree(t, "probability", up.Prob(), 0.63197921536696059, 1e-15)
	agree(t, "log probability", up.LogProb(), math.Log(0.63197921536696059), 1e-15)
	agree(t, "x₊ after a win", up.Mean(3), 0.75104353480391425, 1e-15)
	agree(t, "x₋ after a loss", down.Mean(2), 0.4452395644084811, 1e-15)
	agree(t, "variance of x₊ after a win", up.Cov(3, 3), 0.83673564088582979, 1e-15)
}

// TestTotalMoments: averaged over the outcomes of any partition, the look-ahead is what was believed
// before: E[E[f|o]] = μ and E[Cov[f|o]] + Cov[E[f|o]] = C.
func TestTotalMoments(t *testing.T) {
	ends := []float64{math.Inf(-1), -1.7, -0.2, -0.1999, 0.3, 2.5, math.Inf(1)}
	for seed := range uint64(20) {
		m := randomMoments(rand.New(rand.NewPCG(seed, 71)), 4)
		total := 0.0
		mean, cov := make([]float64, 4), make([]float64, 16)
		for o := range len(ends) - 1 {
			l := NewLookAhead(m, gp.Interval{Lo: ends[o], Hi: ends[o+1]}, 0.6)
			p := l.Prob()
			total += p
			for i := range 4 {
				mean[i] += p * l.Mean(i)
				for j := range 4 {
					cov[i*4+j] += p * (l.Cov(i, j) + (l.Mean(i)-m.Mean[i])*(l.Mean(j)-m.Mean[j]))
				}
			}
		}
		agree(t, "sum of probabilities", total, 1, 1e-14)
		for i := range mean {
			agree(t, fmt.Sprintf("seed %d: mean", seed), mean[i], m.Mean[i], 1e-13)
		}
		for i := range cov {
			agree(t, fmt.Sprintf("seed %d: covariance", seed), cov[i], m.Cov[i], 1e-13)
		}
	}
}

// TestLookAheadIsCondition: the formula on moments and the conditioned posterior are the same belief.
func TestLookAheadIsCondition(t *testing.T) {
	post := testPosterior(t)
	x := []float64{0.2, 0.9, 0.7, 0.4, 0.5, 0.5, 0.1, 0.3}
	m := gp.NewMoments(4)
	post.Moments(m, x)
	l := NewLookAhead(m, secondWins, post.Noise())
	after := gp.NewMoments(4)
	post.Condition(x[:2], x[2:4], -1).Moments(after, x)
	for i := range 4 {
		agree(t, "mean", l.Mean(i), after.Mean[i], 1e-12)
		for j := range 4 {
			agree(t, "covariance", l.Cov(i, j), after.Cov[i*4+j], 1e-12)
		}
	}
}

// TestLookAheadTails: answers of probability e^{−500000} still have moments.
func TestLookAheadTails(t *testing.T) {
	m := fixture()
	for _, tau := range []float64{-10, -38.6, -1000, -1e6} {
		s := math.Sqrt(2.2)
		m.Mean[0] = m.Mean[1] + tau*s
		l := NewLookAhead(m, firstWins, 1)
		h := normal.Mills(tau)
		agree(t, "log probability", l.LogProb(), normal.LogCDF(tau), 1e-12)
		agree(t, "mean", l.Mean(3), 0.55+h*0.5/s, 1e-12)
		agree(t, "variance", l.Cov(3, 3), 0.9+normal.MillsPrime(tau)*0.25/2.2, 1e-12)
	}
}

// TestKnownDifference: without noise and variance nothing is learned.
func TestKnownDifference(t *testing.T) {
	m := gp.NewMoments(3)
	copy(m.Mean, []float64{1, 1, 5})
	for i := range m.Cov {
		m.Cov[i] = 0.5
	}
	for _, c := range []struct {
		lead, prob float64
	}{{0, 0.5}, {0.1, 1}, {-0.1, 0}} {
		m.Mean[0] = 1 + c.lead
		l := NewLookAhead(m, firstWins, 0)
		agree(t, "probability", l.Prob(), c.prob, 0)
		agree(t, "mean", l.Mean(2), 5, 0)
		agree(t, "variance", l.Cov(2, 2), 0.5, 0)
	}
}
