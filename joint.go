package prefer

import (
	"fmt"
	"math/rand/v2"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

// units returns the coordinates of options, row by row.
func (b *Belief) units(options []space.Option) ([]float64, error) {
	var x []float64
	for i, o := range options {
		at, err := b.code.Unit(o)
		if err != nil {
			return nil, fmt.Errorf("option %d: %w", i, err)
		}
		x = append(x, at...)
	}
	return x, nil
}

// Joint returns the means of the utilities of options and their covariances, row by row: those of f at several places at once, where Utility
// has one. The diagonal has the squares of the standard deviations there. It costs the square of the number of options.
func (b *Belief) Joint(options []space.Option) (mean, cov []float64, err error) {
	x, err := b.units(options)
	if err != nil {
		return nil, nil, err
	}
	mean, cov = b.law.joint(x)
	return mean, cov, nil
}

// Samples draws the utilities of options jointly, count times; each row has one draw, in the order of the options. The same seed has the same draws,
// and of more of them the first are the same. A belief that is in doubt about its hyper-parameters draws these, too: draws are of a mixture of
// normal laws whose mean and covariance are those of Joint.
func (b *Belief) Samples(options []space.Option, count int, seed uint64) ([][]float64, error) {
	if count < 1 {
		return nil, fmt.Errorf("prefer: %d samples, want at least 1", count)
	}
	x, err := b.units(options)
	if err != nil {
		return nil, err
	}
	return b.law.samples(x, count, seed), nil
}

// joint returns the moments of f at the points x, row by row, in units of the noise: with those of the parts, whose probabilities are π_k,
//
//	μ = Σ_k π_k μ_k,   C = Σ_k π_k [C_k + (μ_k − μ)(μ_k − μ)ᵀ]
func (u utility) joint(x []float64) (mean, cov []float64) {
	n := len(x) / u.Dim()
	mean, cov = make([]float64, n), make([]float64, n*n)
	parts := make([]*gp.Moments, len(u.parts))
	for k, p := range u.parts {
		parts[k] = gp.NewMoments(n)
		p.Moments(parts[k], x)
		for i, m := range parts[k].Mean {
			mean[i] += u.weights[k] * m / u.Noise()
		}
	}
	square := u.Noise() * u.Noise()
	for k, m := range parts {
		for i := range n {
			for j := range n {
				cov[i*n+j] += u.weights[k] * (m.Cov[i*n+j]/square + (m.Mean[i]/u.Noise()-mean[i])*(m.Mean[j]/u.Noise()-mean[j]))
			}
		}
	}
	return mean, cov
}

// samples draws f at the points x. Which part a draw is of is drawn first, and each part has normals of its own.
func (u utility) samples(x []float64, count int, seed uint64) [][]float64 {
	places := make([][]int, len(u.parts))
	pick := rand.New(rand.NewPCG(seed, 0x5a3))
	for i := range count {
		k, at := 0, pick.Float64()
		for k < len(u.parts)-1 && at >= u.weights[k] {
			at -= u.weights[k]
			k++
		}
		places[k] = append(places[k], i)
	}
	out := make([][]float64, count)
	for k, p := range u.parts {
		next, batches := 0, (len(places[k])+drawBatch-1)/drawBatch
		draws(p, x, -1, batches*drawBatch, rand.New(rand.NewPCG(seed, 0x5a4+uint64(k))), func(f []float64) {
			if next == len(places[k]) { // whole batches have the same bits, however many draws are wanted
				return
			}
			row := make([]float64, len(f))
			for i, v := range f {
				row[i] = v / u.Noise()
			}
			out[places[k][next]] = row
			next++
		})
	}
	return out
}
