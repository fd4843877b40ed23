package learn

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

// Draw yields f drawn jointly at the points x, row by row, count times. The slice is reused.
func (u Belief) Draw(x []float64, count int, rng *rand.Rand, yield func([]float64)) {
	u.drawFrom(x, -1, count, sureParts, rng, yield)
}

// DrawPeople yields the utilities of several raters drawn jointly, count times: at point i of x that of rater number who[i]. The slice is reused.
func (u Belief) DrawPeople(x []float64, who []int, count int, rng *rand.Rand, yield func([]float64)) {
	for k, share := range u.settings(sureParts) {
		if share > 0 {
			p := u.Parts[k]
			mean, cov := p.People(x, who)
			gaussians(mean, cov, p.Hyper().Kernel.Outputscale+p.Hyper().Kernel.Trend, count*share/sureParts, rng, yield)
		}
	}
}

// Samples draws f jointly at the points x, in units of the noise. The part of each draw is drawn first, and every part has a random stream
// of its own, so that more draws begin with the same ones.
func (u Belief) Samples(x []float64, count int, seed uint64) [][]float64 {
	places := make([][]int, len(u.Parts))
	pick := rand.New(rand.NewPCG(seed, 0x5a3))
	for i := range count {
		k, at := 0, pick.Float64()
		for k < len(u.Parts)-1 && at >= u.Weights[k] {
			at -= u.Weights[k]
			k++
		}
		places[k] = append(places[k], i)
	}
	out := make([][]float64, count)
	for k, p := range u.Parts {
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

// drawFrom yields f drawn jointly at the points x, row by row, count times, from at most the given number of parts. With a rater's
// number as level, not −1, their level of acceptance comes after the points. The slice is reused.
func (u Belief) drawFrom(x []float64, level, count, settings int, rng *rand.Rand, yield func([]float64)) {
	for k, share := range u.settings(settings) {
		if share > 0 {
			draws(u.Parts[k], x, level, count*share/settings, rng, yield)
		}
	}
}

// settings divides the weight into count equal shares and returns how many of them have their middle in each part.
func (u Belief) settings(count int) []int {
	each := make([]int, len(u.Parts))
	k, sum := 0, u.Weights[0]
	for j := range count {
		for sum < (float64(j)+0.5)/float64(count) && k < len(each)-1 {
			k++
			sum += u.Weights[k]
		}
		each[k]++
	}
	return each
}

// draws yields one part of a belief drawn jointly at the points x, as drawFrom.
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

// withLevel returns the moments of n points and of a rater's level of acceptance after them.
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
