package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
)

// QEUBO is the expected utility of the best of q options, E max_i f_i (Astudillo et al. 2023; §2.2),
// by Monte Carlo on fixed normal draws. For q = 2 EUBO is the same without the sampling error.
type QEUBO struct {
	// Q is the number of options, 2 to 8.
	Q int

	// Normals are the standard normal draws, row by row, len(Normals)/Q of them.
	Normals []float64
}

var _ Acquisition = QEUBO{}

// NewQEUBO returns the acquisition for q options on n (0 for 512) scrambled Sobol draws.
func NewQEUBO(q, n int, seed uint64) QEUBO {
	return QEUBO{Q: q, Normals: batchNormals(q, n, seed)}
}

// Points returns Q.
func (a QEUBO) Points() int { return a.Q }

// Value returns the mean over the rows z of Normals of max_i (μ + Lz)_i, LLᵀ = C.
//
// The draws are fixed, so this is one continuous function of the moments, and the partials are its exact derivatives, through L: in each draw the winner's
// row counts, the first one in a tie. With coincident points C is singular and L a root with a column of zeros (see choleskyRoot): value and partials are
// finite, the copy's draws tie with the original's, and the original takes their derivative.
func (a QEUBO) Value(m *gp.Moments, g *Partials) float64 {
	q := a.Q
	mustFit(m, q)
	mustDraw(a.Normals, q)
	if q == 2 {
		return a.pair(m, g)
	}
	var r choleskyRoot
	r.factor(q, m.Cov)
	var f [maxBatch]float64
	var dl [maxBatch * maxBatch]float64
	if g != nil {
		g.clear()
	}
	sum := 0.0
	n := 0
	for z := a.Normals; len(z) >= q; z = z[q:] {
		r.draw(f[:q], m.Mean, z)
		best := 0
		for i := 1; i < q; i++ {
			if f[i] > f[best] {
				best = i
			}
		}
		sum += f[best]
		n++
		if g != nil {
			g.Mean[best]++
			for k := range best + 1 {
				dl[best*q+k] += z[k]
			}
		}
	}
	inv := 1 / float64(n)
	if g != nil {
		for i := range q {
			g.Mean[i] *= inv
		}
		for i := range q * q {
			dl[i] *= inv
		}
		r.backward(dl[:q*q], g.Cov)
	}
	return sum * inv
}

// pair is Value for a question's two options. Which of them wins a draw is not predictable, so the sign
// bit of the difference f_0 − f_1 masks what is added, and nothing branches.
func (a QEUBO) pair(m *gp.Moments, g *Partials) float64 {
	var r choleskyRoot
	r.factor(2, m.Cov)
	m0, m1, l0, l10, l1 := m.Mean[0], m.Mean[1], r.l[0], r.l[2], r.l[3]
	var (
		sum            float64
		wins           int64 // of the second option
		dl0, dl10, dl1 float64
	)
	for z := a.Normals; len(z) >= 2; z = z[2:] {
		f0 := m0 + l0*z[0]
		f1 := m1 + l10*z[0] + l1*z[1]
		second := uint64(int64(math.Float64bits(f0-f1)) >> 63) // all ones if f_1 > f_0
		wins += int64(second & 1)
		sum += either(f0, f1, second)
		dl0 += either(z[0], 0, second)
		dl10 += either(0, z[0], second)
		dl1 += either(0, z[1], second)
	}
	n := float64(len(a.Normals) / 2)
	if g != nil {
		g.clear()
		g.Mean[0], g.Mean[1] = (n-float64(wins))/n, float64(wins)/n
		r.backward([]float64{dl0 / n, 0, dl10 / n, dl1 / n}, g.Cov)
	}
	return sum / n
}

// either returns a, or b if second is all ones; it is one or the other.
func either(a, b float64, second uint64) float64 {
	return math.Float64frombits(math.Float64bits(a)&^second | math.Float64bits(b)&second)
}

func newQEUBO(t Task) Acquisition { return NewQEUBO(2, defaultSamples, t.Seed) }
