package gp

import "math"

// Cavity returns mean and variance of the difference that duel i of the duels p was fitted to is about, without the answer to it. The sites of
// the others stay as they are: they were found with it. With y_i = ν_i/λ_i the mean and R the precision of N(0, K_d + Λ⁻¹), which the sites make of
// the prior, leaving one out of a Gaussian is (Rasmussen & Williams 2006, eq. 5.12)
//
//	v₋ = 1/R_ii − 1/λ_i,   m₋ = ν_i/λ_i − b_i/R_ii,   b = R y,
//
// O(1). Where the answer taught nearly nothing, λ_i v ≤ 1e-5, these differences have lost their digits, and the marginal N(m, v) with
// v₋ = v/(1 − λ_i v), m₋ = m + v₋(λ_i m − ν_i) says the same in O(n²); so it does for sparse inference, which has no R of duels. The difference of
// a sided duel has the position bias in it; in the second form as if the answers left f and b_r independent.
func (p *Posterior) Cavity(duels *Duels, i int) (mean, variance float64) {
	if len(p.sites.Lambda) != duels.Len() {
		panic("gp: Cavity: want the duels the posterior was fitted to")
	}
	lambda, nu := p.sites.Lambda[i], p.sites.Nu[i]
	if p.inducing == nil && p.n == duels.Len() && !duels.against(i) {
		at := p.singles + i // level duels come first
		for k := range i {
			if duels.against(k) {
				at--
			}
		}
		if shrink := p.r[at*p.n+at] / lambda; 1-shrink > smallShrink && shrink > 0 { // (B⁻¹)_ii = 1 − λ_i v
			return nu/lambda - p.b[at]/(lambda*shrink), (1/shrink - 1) / lambda
		}
	}
	d := duels.Dim
	m := NewMoments(2)
	p.Moments(m, append(append([]float64(nil), duels.A[i*d:(i+1)*d]...), duels.B[i*d:(i+1)*d]...))
	mean, v := m.Difference(0, 1)
	v = math.Max(v, 0) // of options that are alike, rounding
	if s := duels.side(i); s != 0 {
		bias, b := p.Bias(duels.by(i))
		mean, v = mean+float64(s)*bias, v+b
	}
	v /= math.Max(1-lambda*v, smallShrink)
	return mean + v*(lambda*mean-nu), v
}
