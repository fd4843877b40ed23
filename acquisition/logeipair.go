package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
)

const (
	pairBlock = 64   // draws whose intermediate numbers are kept on the stack together
	pairFar   = 1e75 // largest |f − Best|/τ: utilities from 1e-151 to 1e75, their ratios and slopes are floats
)

// pair is Value for a question's two options without the logarithms that the definition takes and
// undoes. In units of τ, with u_i = fatplus(f_i − Best)/τ, U the larger of the two, u the smaller,
//
//	exp fatmax = U·(1 + ρ)^τmax,   y = log(U/u)/τmax,   ρ = 2/D,   D = 2 + 2y + y²
//
// and with fatmax's weight of the smaller, w = ρ²(1 + y)/(1 + ρ) = 4(1 + y)/[D(D + 2)], its derivative is (1 + ρ)^τmax·(1 − w) in U and (1 + ρ)^τmax·w·U/u in
// u. The mean over the draws is a plain sum, with one logarithm at the end. It reports false, having computed nothing of use, if a draw is too far from Best
// for utilities to be floats.
//
// Draws go through in blocks, step by step: neighbouring draws do not wait for each other, and which
// option is better in a draw, which no processor can guess, is an index and never a branch.
func (a LogEI) pair(m *gp.Moments, g *Partials) (float64, bool) {
	var r choleskyRoot
	r.factor(2, m.Cov)
	m0, m1, l0, l10, l1 := m.Mean[0], m.Mean[1], r.l[0], r.l[2], r.l[3]
	var (
		u, du          [2 * pairBlock]float64 // utilities in units of τ, and their derivatives in y
		sum            float64
		g0, g1         float64
		dl0, dl10, dl1 float64
	)
	for rest := a.Normals; len(rest) > 0; {
		z := rest[:min(len(rest), 2*pairBlock)]
		rest = rest[len(z):]
		for k := 0; k < len(z)-1; k += 2 {
			u[k] = (m0 + l0*z[k] - a.Best) * (1 / tauRelu)
			u[k+1] = (m1 + l10*z[k] + l1*z[k+1] - a.Best) * (1 / tauRelu)
		}
		if !fatplusAll(u[:len(z)], du[:len(z)]) {
			return 0, false
		}
		sum += fatmaxAll(u[:len(z)], du[:len(z)])
		if g == nil {
			continue
		}
		for k := 0; k < len(z)-1; k += 2 {
			t0, t1 := du[k], du[k+1]
			g0 += t0
			g1 += t1
			dl0 += t0 * z[k]
			dl10 += t1 * z[k]
			dl1 += t1 * z[k+1]
		}
	}
	if g != nil {
		g.clear()
		s := 1 / (tauRelu * sum)
		g.Mean[0], g.Mean[1] = g0*s, g1*s
		r.backward([]float64{dl0 * s, 0, dl10 * s, dl1 * s}, g.Cov)
	}
	return math.Log(tauRelu * sum / float64(len(a.Normals)/2)), true
}

// fatplusAll overwrites every y of u by log(1 + e^y) + 0.1/(1 + y²), and du by the derivatives. It
// reports false if some |y| exceeds pairFar or is not a number.
//
// The softplus is max(y, 0) + log(1 + e^{−|y|}). With τ = 1e-6 the logarithm is below 2e-22 for nearly
// every draw: within 50τ of Best, an interval of 1e-4, fall few when deviations are near 1.
func fatplusAll(u, du []float64) bool {
	const one = 0x3ff0000000000000 // the bits of 1
	du = du[:len(u)]
	for i, y := range u {
		if !(math.Abs(y) <= pairFar) {
			return false
		}
		bits := math.Float64bits(y)
		negative := uint64(int64(bits) >> 63) // all ones below zero
		w := 1 / (1 + y*y)
		soft, dsoft := math.Float64frombits(bits&^negative), math.Float64frombits(one&^negative)
		if math.Abs(y) <= softplusFlat {
			e := math.Exp(-math.Abs(y))
			soft += math.Log1p(e)
			if dsoft = 1 / (1 + e); negative != 0 {
				dsoft = e / (1 + e)
			}
		}
		u[i] = soft + 0.1*w
		du[i] = dsoft - 0.2*y*w*w
	}
	return true
}

// fatmaxAll returns the sum over the pairs of u of exp fatmax(log u_0, log u_1), and multiplies du by the derivatives of that sum in u.
//
// The logarithm and the power need an absolute error, not a relative one, and come from a table: an
// error ε of log(U/u) is at most ε/2 in exp fatmax relative to itself.
func fatmaxAll(u, du []float64) float64 {
	du = du[:len(u)]
	var logs [pairBlock]float64 // of U/u
	for k := 0; k < len(u)-1; k += 2 {
		top := larger(u, k)
		bits := math.Float64bits(u[top] / u[top^1])
		e := &mantissas[bits>>(52-tableBits)&(1<<tableBits-1)]
		s := math.Float64frombits(bits&^(0xfff<<52)|0x3ff<<52)*e.inverse - 1
		s2 := s * s
		logs[k/2%pairBlock] = float64(int(bits>>52)-1023)*math.Ln2 + e.log + s*((1-s*(1./2))+s2*((1./3-s*(1./4))+s2*(1./5)))
	}
	sum := 0.0
	for k := 0; k < len(u)-1; k += 2 {
		y := logs[k/2%pairBlock] * (1 / tauMax)
		d := 2 + y*(2+y)
		inv := 1 / (d * (d + 2))
		w := 4 * (1 + y) * inv
		rho := 2 * (d + 2) * inv
		e := &mantissas[int(rho*(1<<tableBits))]
		s := (1+rho)*e.inverse - 1
		s2 := s * s
		power := e.power * ((1 + s*pow1) + s2*((pow2+s*pow3)+s2*(pow4+s*pow5)))

		top := larger(u, k)
		low := top ^ 1
		sum += u[top] * power
		du[top] *= power * (1 - w)
		du[low] *= power * w * (u[top] / u[low])
	}
	return sum
}

// larger returns k or k+1, where u is larger. Positive floats are ordered as their bits are, and the sign of the difference of those is the index.
func larger(u []float64, k int) int {
	return k + int((math.Float64bits(u[k])-math.Float64bits(u[k+1]))>>63)
}

// tableBits is the number of leading bits of a mantissa that choose its entry in mantissas.
const tableBits = 7

// mantissas has an entry for every interval of 1/128 from 1 to 2, and one beyond for 2 itself: 1/c for
// about its middle c, log c and c^τmax. With s = x/c − 1, |s| ≤ 1/256,
//
//	log x = log c + log(1 + s),   x^τmax = c^τmax (1 + s)^τmax
//
// where five terms of the series leave 6e-16 and 6e-18.
var mantissas = func() (t [1<<tableBits + 1]struct{ inverse, log, power float64 }) {
	for i := range t {
		inverse := 1 / (1 + (float64(i)+0.5)/(1<<tableBits))
		t[i].inverse = inverse
		t[i].log = -math.Log(inverse)
		t[i].power = math.Pow(inverse, -tauMax)
	}
	return t
}()

// The binomial series of (1 + s)^τmax.
const (
	pow1 = tauMax
	pow2 = pow1 * (tauMax - 1) / 2
	pow3 = pow2 * (tauMax - 2) / 3
	pow4 = pow3 * (tauMax - 3) / 4
	pow5 = pow4 * (tauMax - 4) / 5
)
