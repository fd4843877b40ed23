package prefer

import (
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/breath"
	"github.com/prefer-bo/prefer/internal/linalg"
)

const (
	drawJitter = 1e-9 // of the outputscale, on the diagonal: nearly coincident points make the covariance singular
	drawBatch  = 64
)

// draws yields the utility drawn jointly at the points x (row by row), count times; the slice is reused. With a rater's
// number, not −1, her level of acceptance comes after the points.
func draws(p *gp.Posterior, x []float64, level, count int, rng *rand.Rand, yield func([]float64)) {
	n := len(x) / p.Dim()
	m := gp.NewMoments(n)
	p.Moments(m, x)
	if level >= 0 {
		m = withLevel(p, m, n, level)
	}
	gaussians(m.Mean, m.Cov, p.Hyper().Kernel.Outputscale+p.Hyper().Kernel.Trend, count, rng, yield)
}

// gaussians yields draws of N(mean, cov), whose variances are of the size of scale. The slice is reused.
func gaussians(mean, cov []float64, scale float64, count int, rng *rand.Rand, yield func([]float64)) {
	n := len(mean)
	l := slices.Clone(cov)
	for jitter := drawJitter; ; jitter *= 10 {
		for i := range n {
			l[i*n+i] = cov[i*n+i] + jitter*scale
		}
		if linalg.Cholesky(n, l, n) {
			break
		}
		copy(l, cov)
	}
	for i := range n {
		clear(l[i*n+i+1 : (i+1)*n])
	}
	z, f := make([]float64, drawBatch*n), make([]float64, drawBatch*n)
	for done := 0; done < count; done += drawBatch {
		breath.Take()
		k := min(drawBatch, count-done)
		for i := range z[:k*n] {
			z[i] = rng.NormFloat64()
		}
		for i := range k {
			copy(f[i*n:], mean)
		}
		linalg.Gemm(false, true, k, n, n, 1, z, n, l, n, 1, f, n)
		for i := range k {
			yield(f[i*n : (i+1)*n])
		}
	}
}

// withLevel returns the moments of n points and of a rater's level after them.
func withLevel(p *gp.Posterior, m *gp.Moments, n, rater int) *gp.Moments {
	cross := make([]float64, n)
	m.LevelCovariance(rater, cross)
	mean, vrc := p.Level(rater)
	out := &gp.Moments{Mean: append(slices.Clone(m.Mean[:n]), mean), Cov: make([]float64, (n+1)*(n+1))}
	for i := range n {
		copy(out.Cov[i*(n+1):], m.Cov[i*n:(i+1)*n])
		out.Cov[i*(n+1)+n], out.Cov[n*(n+1)+i] = cross[i], cross[i]
	}
	out.Cov[n*(n+1)+n] = vrc
	return out
}
