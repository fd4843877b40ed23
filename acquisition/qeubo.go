package acquisition

import "github.com/prefer-bo/prefer/gp"

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
// The draws are fixed, so this is one continuous function of the moments, and the partials are its
// exact derivatives, through L: in each draw the winner's row counts, the first one in a tie. With
// coincident points C is singular and L a root with a column of zeros (see root): value and partials
// are finite, the copy's draws tie with the original's, and the original takes their derivative.
func (a QEUBO) Value(m *gp.Moments, g *Partials) float64 {
	q := a.Q
	mustFit(m, q)
	mustDraw(a.Normals, q)
	var r root
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
