package gp

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/normal"
)

// SkewSampler samples the true posterior at given hyper-parameters, the skew Gaussian process that every other inference here approximates (Benavoli et al. 2020;
// Takeno et al. 2023). The noisy differences g = d + ε have prior N(0, C), C = K_d + diag σ_i², and the answers say exactly g_i ∈ (lo_i, hi_i); given g
// everything else is Gaussian regression. So the only thing to sample is a truncated normal, here by Gibbs sweeps, and predictions average conditional
// Gaussians instead of drawing from them.
//
// It is the truth the tests compare with; a study never needs it. Not safe for concurrent use.
type SkewSampler struct {
	hyper Hyper
	noise float64
	duels *Duels
	iv    []Interval
	prec  []float64 // C⁻¹, n×n
	chol  []float64 // lower factor of C
	g     []float64 // state
	pg    []float64 // C⁻¹g, kept in step with g
	rng   *rand.Rand
}

// SkewSampler returns a sampler at hyper-parameters h.
func (m Model) SkewSampler(duels *Duels, h Hyper, rng *rand.Rand) (*SkewSampler, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	m = m.WithDefaults()
	if err := m.check(duels, h); err != nil {
		return nil, err
	}
	n := duels.Len()
	space := newDuelSpace(duels, m.Level)
	space.position = m.positionVariance(h)
	space.set(h.Kernel, true)
	e := &SkewSampler{hyper: h.clone(), noise: m.Noise, duels: duels, iv: make([]Interval, n), chol: space.kd,
		prec: make([]float64, n*n), g: make([]float64, n), pg: make([]float64, n), rng: rng}
	sigma := make([]float64, n)
	m.noises(sigma, duels, h)
	m.intervals(e.iv, duels, h)
	for i := range e.iv {
		e.chol[i*n+i] += sigma[i] * sigma[i]
		e.g[i] = inside(e.iv[i], sigma[i])
	}
	if !linalg.Cholesky(n, e.chol, n) {
		return nil, errors.New("gp: the covariance of the noisy differences is not positive definite")
	}
	linalg.GramLower(n, lowerInverse(e.chol, n), n, e.prec, n)
	linalg.Gemv(n, n, 1, e.prec, n, e.g, 0, e.pg)
	return e, nil
}

// inside returns a point of the interval to start from.
func inside(iv Interval, sigma float64) float64 {
	switch {
	case math.IsInf(iv.Lo, -1):
		return iv.Hi - sigma
	case math.IsInf(iv.Hi, 1):
		return iv.Lo + sigma
	}
	return (iv.Lo + iv.Hi) / 2
}

// Sweep updates every coordinate once: g_j given the others is normal with mean
// g_j − (C⁻¹g)_j/(C⁻¹)_jj and variance 1/(C⁻¹)_jj, restricted to the answer's interval. O(n²).
func (e *SkewSampler) Sweep() {
	n := len(e.g)
	for j := range n {
		q := e.prec[j*n+j]
		sd := 1 / math.Sqrt(q)
		mean := e.g[j] - e.pg[j]/q
		next := mean + sd*SampleTruncated(e.rng, (e.iv[j].Lo-mean)/sd, (e.iv[j].Hi-mean)/sd)
		linalg.Axpy(next-e.g[j], e.prec[j*n:(j+1)*n], e.pg)
		e.g[j] = next
	}
}

// refresh recomputes C⁻¹g, whose running updates gather rounding errors.
func (e *SkewSampler) refresh() {
	n := len(e.g)
	linalg.Gemv(n, n, 1, e.prec, n, e.g, 0, e.pg)
}

// WinProbabilities estimates Pr(x_i ≻ y_i | answers), the chance that a noisy two-outcome answer prefers the first point, for pairs of points given row by
// row, from the given number of sweeps after burn-in. se holds standard errors from the means of 30 consecutive batches.
func (e *SkewSampler) WinProbabilities(x, y []float64, burn, sweeps int) (prob, se []float64) {
	d := e.duels.Dim
	pairs := len(x) / d
	n := len(e.g)
	cross, sd := e.conditionals(x, y)
	for range burn {
		e.Sweep()
	}
	const batches = 30
	prob, se = make([]float64, pairs), make([]float64, pairs)
	mean := make([]float64, pairs)
	batch := make([]float64, pairs)
	for b := range batches {
		clear(batch)
		count := 0
		for s := b * sweeps / batches; s < (b+1)*sweeps/batches; s++ {
			e.Sweep()
			if s%64 == 0 {
				e.refresh()
			}
			linalg.Gemv(pairs, n, 1, cross, n, e.pg, 0, mean)
			for i := range mean {
				batch[i] += normal.CDF(mean[i] / math.Hypot(sd[i], e.noise))
			}
			count++
		}
		for i := range prob {
			v := batch[i] / float64(count)
			prob[i] += v / batches
			se[i] += v * v / batches
		}
	}
	for i := range se {
		se[i] = math.Sqrt(math.Max(0, se[i]-prob[i]*prob[i]) / (batches - 1))
	}
	return prob, se
}

// conditionals returns the covariances (pairs×n) of the differences f(x_i) − f(y_i) with the data's differences, and their standard deviations given g.
func (e *SkewSampler) conditionals(x, y []float64) (cross, sd []float64) {
	d, n := e.duels.Dim, len(e.g)
	pairs := len(x) / d
	k := e.hyper.Kernel
	cross, sd = make([]float64, pairs*n), make([]float64, pairs)
	parts := [4][]float64{}
	for q, pt := range [2][]float64{x, y} {
		for r, data := range [2][]float64{e.duels.A, e.duels.B} {
			parts[2*q+r] = make([]float64, pairs*n)
			k.Matrix(parts[2*q+r], pt, data)
		}
	}
	for _, j := range e.duels.levels() { // no second option
		for i := range pairs {
			parts[1][i*n+j], parts[3][i*n+j] = 0, 0
		}
	}
	linalg.Difference4(cross, parts[0], parts[1], parts[2], parts[3])
	row := make([]float64, n)
	for i := range pairs {
		copy(row, cross[i*n:(i+1)*n])
		linalg.SolveLowerVec(n, e.chol, n, row)
		xi, yi := x[i*d:(i+1)*d], y[i*d:(i+1)*d]
		prior := k.At(xi, xi) + k.At(yi, yi) - 2*k.At(xi, yi)
		sd[i] = math.Sqrt(math.Max(0, prior-linalg.Dot(row, row)))
	}
	return cross, sd
}

// lowerInverse returns the inverse of the lower triangular n×n matrix l, zero above the diagonal.
func lowerInverse(l []float64, n int) []float64 {
	w := make([]float64, n*n)
	for i := range n {
		copy(w[i*n:i*n+i+1], l[i*n:i*n+i+1])
	}
	linalg.InvertLower(n, w, n)
	return w
}
