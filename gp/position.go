package gp

import (
	"fmt"
	"math"
	"slices"
)

// Position bias is a rater's leaning towards the option that is shown first, whatever the options are. With Model.Position
//
//	g = f(a) − f(b) + s b_r + ε,   b_r ~ N(0, t²),   t = Noise·τ,
//
// where s (Duels.Side) is +1 if option A was shown first, −1 if B was, and 0 if it is not known that sides were drawn at random. Imports put the winner
// first: read as sides, they would make every b_r infinite. τ is learned with the other hyper-parameters; b_r is a latent, as f is.
//
// In the space of the duels K_d gets s_i s_j t² between the answers of one rater. That neither scales with the outputscale nor is it shared between people,
// so it is added after the pattern of kinship.go, and log τ has a derivative of its own. Sparse inference has one more column for each rater.
//
// Cov[f(x), b_r] = 0 before the answers, so a posterior of f is b and R as ever, and everything that reads a posterior is about f alone. Look-ahead (Prob,
// Condition, Await, the knowledge gradient) takes a coming answer for one with s = 0: the side of a question is drawn when it is shown, and the mean of
// s b_r over both sides is 0. That is an approximation of second order in b_r: averaged over the sides, the answer of a biased rater says less. Between two
// options of equal means it is worth 0.91 of what is said at a bias of σ/2, 0.71 at σ and 0.27 at 2σ (TestPositionLookAhead).

// DefaultPosition returns a prior of τ: Gamma with mean ½ and mode ¼. At its mode a rater without bias takes the option shown first at most 3 times in 5
// between equal options, and a rater who takes it in every second call, b ≈ 0.7, is within two standard deviations of the mean. It is 0 at τ = 0, so that
// the maximum a posteriori of a study with one rater does not rule bias out.
func DefaultPosition() Prior { return Gamma(2, 4) }

const minPosition, maxPosition = 1e-3, 30

// sparsePositions is the number of raters that sparse inference learns the bias of: those with the most sided answers. Each is a column beside the inducing
// points, and a sweep costs the square of their number. The answers of other raters have s = 0 there.
const sparsePositions = 100

// positioned reports whether the model has a position bias.
func (m Model) positioned() bool { return m.Position.present() }

// forSides returns the model for these duels, without position bias where no duel has a side, and the hyper-parameters that its fit starts from.
func (m Model) forSides(duels *Duels, h Hyper) (Model, Hyper) {
	switch {
	case !m.positioned() || !slices.ContainsFunc(duels.Side, func(s int8) bool { return s != 0 }):
		m.Position, h.Position = None(), 0
	case h.Position == 0:
		h.Position = m.Position.Center()
	}
	return m, h
}

// positionVariance returns t².
func (m Model) positionVariance(h Hyper) float64 { return m.Noise * m.Noise * h.Position * h.Position }

func (h Hyper) validatePosition(m Model) error {
	switch p := h.Position; {
	case !(p >= 0) || math.IsInf(p, 0):
		return fmt.Errorf("gp: position bias = %g, want a positive number, or 0 for none", p)
	case p > 0 && !m.positioned():
		return fmt.Errorf("gp: position bias = %g, want 0 in a model without one", p)
	}
	return nil
}

// side returns s of duel i.
func (d *Duels) side(i int) int8 {
	if d.Side == nil {
		return 0
	}
	return d.Side[i]
}

func checkSide(duel int, side int8) error {
	if side < -1 || side > 1 {
		return fmt.Errorf("gp: duel %d: side %d, want 1 (a was shown first), -1 (b was) or 0 (unknown)", duel, side)
	}
	return nil
}

func (d *Duels) validateSides() error {
	if d.Side != nil && len(d.Side) != d.Len() {
		return fmt.Errorf("gp: Duels.Side has %d entries for %d duels, want one each or nil", len(d.Side), d.Len())
	}
	for i, s := range d.Side {
		if err := checkSide(i, s); err != nil {
			return err
		}
		if s != 0 && d.against(i) {
			return fmt.Errorf("gp: duel %d: side %d against a level, want 0", i, s)
		}
	}
	return nil
}

// sidedRater is a rater with the numbers of their sided duels.
type sidedRater struct {
	rater int
	duels []int
}

// sidedBy returns all of them, in the order of their first sided duels.
func (d *Duels) sidedBy() (all []sidedRater) {
	at := map[int]int{}
	for i, s := range d.Side {
		if s == 0 {
			continue
		}
		k, known := at[d.by(i)]
		if !known {
			k = len(all)
			at[d.by(i)], all = k, append(all, sidedRater{rater: d.by(i)})
		}
		all[k].duels = append(all[k].duels, i)
	}
	return all
}

// addPosition adds s_i s_j t² to K_d between the answers of one rater.
func (s *duelSpace) addPosition() {
	for _, r := range s.sided {
		for _, i := range r.duels {
			for _, j := range r.duels {
				s.kd[i*s.n+j] += s.position * float64(s.duels.Side[i]*s.duels.Side[j])
			}
		}
	}
}

// positionGradient returns Σ_ik M_ik ∂K_d[i,k]/∂log t² = t² Σ_ik M_ik s_i s_k over the answers of one rater; that in log τ is twice it.
func (s *duelSpace) positionGradient(adjoint []float64) float64 {
	var sum float64
	for _, r := range s.sided {
		for _, i := range r.duels {
			for _, j := range r.duels {
				sum += adjoint[i*s.n+j] * float64(s.duels.Side[i]*s.duels.Side[j])
			}
		}
	}
	return sum * s.position
}

// biases are mean and variance of b_r, by rater. A rater without sided duels has the prior's.
type biases struct {
	prior float64 // t²
	of    map[int][2]float64
}

// Bias returns mean and variance of a rater's position bias b_r, in the units of f: positive towards what is shown first. Answers that Condition imagines do
// not change it.
func (p *Posterior) Bias(rater int) (mean, variance float64) {
	if b, ok := p.bias.of[rater]; ok {
		return b[0], b[1]
	}
	return 0, p.bias.prior
}

// Bias returns mean and variance of a rater's position bias, as Posterior.Bias.
func (x *Mixture) Bias(rater int) (mean, variance float64) {
	var square float64
	for k, p := range x.posts {
		m, v := p.Bias(rater)
		mean += x.weights[k] * m
		square += x.weights[k] * (v + m*m)
	}
	return mean, math.Max(0, square-mean*mean)
}

// biases returns the law of every b_r from b and R (n×n) of the differences: with c_i = Cov[b_r, d_i] = s_i t² for the answers of rater r, else 0,
//
//	E b_r = cᵀb,   Var b_r = t² − cᵀRc.
func (s *duelSpace) biases(b, r []float64) biases {
	out := biases{prior: s.position, of: map[int][2]float64{}}
	for _, by := range s.sided {
		mean, variance := 0.0, s.position
		for _, i := range by.duels {
			ci := s.position * float64(s.duels.Side[i])
			mean += ci * b[i]
			for _, j := range by.duels {
				variance -= ci * r[i*s.n+j] * s.position * float64(s.duels.Side[j])
			}
		}
		out.of[by.rater] = [2]float64{mean, math.Max(0, variance)} // rounding
	}
	return out
}

// mostSided returns the raters with the most sided duels, at most so many; of several with as many those who began earlier.
func (d *Duels) mostSided(limit int) []sidedRater {
	all := d.sidedBy()
	slices.SortStableFunc(all, func(a, b sidedRater) int { return len(b.duels) - len(a.duels) })
	return all[:min(limit, len(all))]
}

// setBiases writes the columns of the biases, s_i t², into the covariances of the duels with the inducing values, which are yet to become Φ, and t² where
// there is one into the residual variances.
func (s *sparse) setBiases(variance float64) {
	clear(s.resid)
	known := s.knownDuels()
	for i := range s.n - known {
		clear(s.phi[i*s.m+s.points : (i+1)*s.m])
	}
	for c, r := range s.sided {
		for _, i := range r.duels {
			if i >= known {
				s.phi[(i-known)*s.m+s.points+c] = variance * float64(s.duels.Side[i])
				s.resid[i] = variance
			}
		}
	}
}

// positionGradient returns the derivative of the bound in log τ, after adjoints: through s_i t², the block t²I of K_zz and kd_i, all in proportion to t².
func (s *sparse) positionGradient(variance float64) float64 {
	var sum float64
	for c, r := range s.sided {
		at := s.points + c
		sum += s.kzz[at*s.m+at]
		for _, i := range r.duels {
			sum += s.t[i*s.m+at]*float64(s.duels.Side[i]) - s.current().Lambda[i]/2
		}
	}
	return 2 * variance * sum
}

// splitWeights gives the posterior b and R of its inducing points, and the law of the biases: f has no covariance with those, so that their part of b and R
// says nothing about f.
func (s *sparse) splitWeights(p *Posterior, variance float64) {
	m, n := s.m, s.points
	b, r := make([]float64, m), make([]float64, m*m)
	s.weights(b, r)
	copy(p.b, b)
	for i := range n {
		copy(p.r[i*n:(i+1)*n], r[i*m:])
	}
	p.bias = biases{prior: variance, of: map[int][2]float64{}}
	for c, by := range s.sided {
		at := n + c
		p.bias.of[by.rater] = [2]float64{variance * b[at], math.Max(0, variance-variance*variance*r[at*m+at])}
	}
}
