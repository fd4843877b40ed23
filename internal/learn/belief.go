package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Belief is a distribution of the utility f: with probability Weights[k] it is the posterior Parts[k]. With fitted hyper-parameters and no
// alternatives there is one part.
type Belief struct {
	acquisition.Utility
	Parts   []*gp.Posterior
	Weights []float64
}

func Single(p *gp.Posterior) Belief { return Belief{p, []*gp.Posterior{p}, []float64{1}} }

func ofMixture(x *gp.Mixture) Belief {
	if x.Len() == 1 {
		return Single(x.Posterior(0))
	}
	u := Belief{Utility: x}
	for k := range x.Len() {
		u.Parts, u.Weights = append(u.Parts, x.Posterior(k)), append(u.Weights, x.Weight(k))
	}
	return u
}

// lightest is the weight, relative to the first model, below which an alternative is left out: it costs as much, and a wrong one spoils questions long after
// most of the evidence speaks against it (docs/dev/experiments.md). The first model always stays: where a plain taste is nearly sure, questions are about
// where it may be wrong.
const lightest = 0.3

// hopeless is the weight below which it is not even continued between two fits of hyper-parameters.
const hopeless = lightest / 30

// mixtureOf returns the belief in posteriors with these logs of weights.
func mixtureOf(posts []*gp.Posterior, logs []float64) Belief {
	top := slices.Max(logs)
	var kept []*gp.Posterior
	var weights []float64
	for k, p := range posts {
		if k == 0 || logs[k] >= logs[0]+math.Log(lightest) {
			kept, weights = append(kept, p), append(weights, math.Exp(logs[k]-top))
		}
	}
	return ofMixture(gp.NewMixture(kept, weights))
}

func (u Belief) Mixture() *gp.Mixture {
	x, _ := u.Utility.(*gp.Mixture)
	return x
}

func (u Belief) forRater(r int) Belief {
	if x := u.Mixture(); x != nil {
		return ofMixture(x.For(r))
	}
	return Single(u.Parts[0].For(r))
}

// MeanOnly returns the mixture that knows the mean of f alone, as gp.Posterior.MeanOnly, and how many bytes it takes.
func (u Belief) MeanOnly() (mean *gp.Mixture, bytes int64) {
	posts := slices.Clone(u.Parts)
	for k, p := range posts {
		posts[k] = p.MeanOnly()
		bytes += posts[k].Size()
	}
	return gp.NewMixture(posts, u.Weights), bytes
}

// At returns the mean and the standard deviation of f at a point, in units of the noise.
func (u Belief) At(x []float64) (mean, sd float64) {
	mean, v := u.Sum(x, []float64{1})
	return mean / u.Noise(), math.Sqrt(v) / u.Noise()
}

// Top returns the option among these rows with the highest mean, or nil if there are none.
func (u Belief) Top(rows []float64) (best []float64) {
	d, m, top := u.Dim(), gp.NewMoments(1), math.Inf(-1)
	for x := range slices.Chunk(rows, d) {
		if v := u.MeanGradient(m, x, nil); v > top {
			best, top = x, v
		}
	}
	return best
}

// foremost is how many of the options that were shown searches begin from.
const foremost = 1000

// Foremost returns the rows with the highest means, as many as searches need, in their order.
func (u Belief) Foremost(rows []float64) []float64 {
	d := u.Dim()
	n := len(rows) / d
	if n <= foremost {
		return rows
	}
	mean := make([]float64, n)
	u.Means(mean, rows, 0)
	least := slices.Sorted(slices.Values(mean))[n-foremost]
	var out []float64
	for i, v := range mean {
		if v >= least {
			out = append(out, rows[i*d:(i+1)*d]...)
		}
	}
	return out
}

// Sum returns the mean and the variance of Σ_i w_i f(x_i) for the points x, row by row:
//
//	E = Σ_k π_k E_k,   Var = Σ_k π_k (Var_k + E_k²) − E²
func (u Belief) Sum(x, w []float64) (mean, variance float64) {
	means, covariances := u.Sums(x, w)
	first := func(v []float64) float64 { return v[0] }
	return u.Together(xslices.Map(means, first), xslices.Map(covariances, first))
}

// Sums returns the means and the covariances of several sums Σ_i w_i f(x_i) by each part. Weights that are missing at the end are 0.
func (u Belief) Sums(x []float64, sums ...[]float64) (means, covariances [][]float64) {
	m, n := gp.NewMoments(len(x)/u.Dim()), len(sums)
	for _, p := range u.Parts {
		p.Moments(m, x)
		mean, cov := make([]float64, n), make([]float64, n*n)
		for i, w := range sums {
			for k, weight := range w {
				if weight == 0 {
					continue
				}
				mean[i] += weight * m.Mean[k]
				for j, other := range sums {
					for l, v := range other {
						cov[i*n+j] += weight * v * m.Cov[k*len(m.Mean)+l]
					}
				}
			}
		}
		means, covariances = append(means, mean), append(covariances, cov)
	}
	return means, covariances
}

const largestDraws = 400

// Largest returns how probably each of several quantities is the largest that have these means and covariances by each part.
func (u Belief) Largest(means, covariances [][]float64) []float64 {
	out, rng := make([]float64, len(means[0])), rand.New(rand.NewPCG(0, 0x1a76))
	for k, share := range u.settings(sureParts) {
		rootOf(means[k], covariances[k], u.Parts[k].Hyper().Kernel).draw(largestDraws/sureParts*share, rng, func(f []float64) {
			out[slices.Index(f, slices.Max(f))] += 1.0 / largestDraws
		})
	}
	return out
}

// Together returns the mean and the variance of what has these by each part.
func (u Belief) Together(means, variances []float64) (mean, variance float64) {
	for k, w := range u.Weights {
		mean += w * means[k]
		variance += w * variances[k]
	}
	for k, w := range u.Weights {
		variance += w * (means[k] - mean) * (means[k] - mean)
	}
	return mean, math.Max(0, variance)
}

// Spread returns E mean_x f and E var_x f over the n points x, row by row: by each part, with its mean μ and covariance C there, the variance is
//
//	(1/n) Σ_i (μ_i² + C_ii) − μ̄² − (1/n²) Σ_ij C_ij.
func (u Belief) Spread(x []float64) (centre, square float64) {
	m := gp.NewMoments(len(x) / u.Dim())
	n := float64(len(m.Mean))
	for k, p := range u.Parts {
		p.Moments(m, x)
		mean, v := 0.0, 0.0
		for i, one := range m.Mean {
			mean += one / n
			v += (one*one + m.Cov[i*len(m.Mean)+i]) / n
		}
		for _, c := range m.Cov {
			v -= c / (n * n)
		}
		centre, square = centre+u.Weights[k]*mean, square+u.Weights[k]*(v-mean*mean)
	}
	return centre, math.Max(0, square)
}

// Joint returns the moments of f at the points x, row by row, in units of the noise: with those of the parts, whose probabilities are π_k,
//
//	μ = Σ_k π_k μ_k,   C = Σ_k π_k [C_k + (μ_k − μ)(μ_k − μ)ᵀ]
func (u Belief) Joint(x []float64) (mean, cov []float64) {
	n := len(x) / u.Dim()
	mean, cov = make([]float64, n), make([]float64, n*n)
	parts := make([]*gp.Moments, len(u.Parts))
	for k, p := range u.Parts {
		parts[k] = gp.NewMoments(n)
		p.Moments(parts[k], x)
		for i, m := range parts[k].Mean {
			mean[i] += u.Weights[k] * m / u.Noise()
		}
	}
	square := u.Noise() * u.Noise()
	for k, m := range parts {
		for i := range n {
			for j := range n {
				cov[i*n+j] += u.Weights[k] * (m.Cov[i*n+j]/square + (m.Mean[i]/u.Noise()-mean[i])*(m.Mean[j]/u.Noise()-mean[j]))
			}
		}
	}
	return mean, cov
}

// Probability returns the probability of outcome o of the duel (a, b) by rater number r, −1 for a rater without answers. If forced is
// set the rater cannot answer with a tie.
func (u Belief) Probability(a, b []float64, o gp.Outcome, r int, forced bool) float64 {
	m := gp.NewMoments(2)
	x := slices.Concat(a, b)
	var sum float64
	for k, p := range u.Parts {
		p.Moments(m, x)
		mean, v := m.Difference(0, 1)
		cuts := p.Hyper().Cuts
		if forced {
			cuts = gp.Cuts{0}
		}
		sum += u.Weights[k] * cuts.Interval(o, p.Noise()).Prob(mean, math.Max(0, v), p.RaterNoise(r))
	}
	return sum
}

// ProbabilityBetter returns, for each of the points x, row by row, the probability that f is higher there than at another point.
func (u Belief) ProbabilityBetter(x, than []float64) []float64 {
	n := len(x) / len(than)
	out, mean, vrc, cov := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	here, v := []float64{0}, []float64{0}
	for k, p := range u.Parts {
		p.Marginals(mean, vrc, x, 1)
		p.Marginals(here, v, than, 1)
		p.CrossCovariance(cov, than, x, 1)
		for i := range out {
			sd := math.Sqrt(math.Max(vrc[i]+v[0]-2*cov[i], math.SmallestNonzeroFloat64))
			out[i] += u.Weights[k] * normal.CDF((mean[i]-here[0])/sd)
		}
	}
	return out
}

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
			mean, cov := u.Parts[k].People(x, who)
			rootOf(mean, cov, u.Parts[k].Hyper().Kernel).draw(count*share/sureParts, rng, yield)
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
	out, m := make([][]float64, count), gp.NewMoments(len(x)/u.Dim())
	for k, p := range u.Parts {
		next, batches := 0, (len(places[k])+drawBatch-1)/drawBatch
		drawn(m, p, x, -1).draw(batches*drawBatch, rand.New(rand.NewPCG(seed, 0x5a4+uint64(k))), func(f []float64) {
			if next == len(places[k]) { // whole batches have the same bits, however many draws are wanted
				return
			}
			row := xslices.Map(f, func(v float64) float64 { return v / u.Noise() })
			out[places[k][next]] = row
			next++
		})
	}
	return out
}

// drawFrom yields f drawn jointly at the points x, row by row, count times, from at most the given number of parts. With a rater's
// number as level, not −1, their level of acceptance comes after the points. The slice is reused.
func (u Belief) drawFrom(x []float64, level, count, settings int, rng *rand.Rand, yield func([]float64)) {
	shares, parts := u.settings(settings), make([]*root, len(u.Parts))
	cooperate.Parallel(context.Background(), len(parts), 0, func(int) func(int) {
		return func(k int) {
			if shares[k] > 0 {
				m := moments.Get().(*gp.Moments).Resize(len(x) / u.Dim())
				parts[k] = drawn(m, u.Parts[k], x, level)
				moments.Put(m.Resize(0))
			}
		}
	})
	for k, share := range shares {
		if share > 0 {
			parts[k].draw(count*share/settings, rng, yield)
		}
	}
}

// Workspaces that nobody uses: those of hundreds of points take megabytes, and every answer needs some.
var (
	moments = sync.Pool{New: func() any { return new(gp.Moments) }}
	roots   = sync.Pool{New: func() any { return new(root) }}
	batches = sync.Pool{New: func() any { return new(batch) }}
)

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

// root is a Gaussian N(mean, LLᵀ) to draw from, once.
type root struct{ mean, l []float64 }

// drawn returns the utility of one part of a belief at the points x, to be drawn jointly as by drawFrom. It works in m.
func drawn(m *gp.Moments, p *gp.Posterior, x []float64, level int) *root {
	p.Moments(m, x)
	if level >= 0 {
		m = withLevel(p, m, m.Points(), level)
	}
	return rootOf(m.Mean, m.Cov, p.Hyper().Kernel)
}

// rootOf returns N(mean, cov), whose variances are of the size of those of the kernel.
func rootOf(mean, cov []float64, k gp.Kernel) *root {
	n, scale, r := len(mean), k.Outputscale+k.Trend, roots.Get().(*root)
	r.mean, r.l = append(r.mean[:0], mean...), append(r.l[:0], cov...)
	for jitter := drawJitter; ; jitter *= 10 {
		for i := range n {
			r.l[i*n+i] = cov[i*n+i] + jitter*scale
		}
		if linalg.Cholesky(n, r.l, n) {
			break
		}
		copy(r.l, cov)
	}
	for i := range n {
		clear(r.l[i*n+i+1 : (i+1)*n])
	}
	return r
}

// draw yields count draws, some goroutine's. The slice is reused. Random numbers of the next draws are made meanwhile, in their order.
func (r *root) draw(count int, rng *rand.Rand, yield func([]float64)) {
	n := len(r.mean)
	b := batches.Get().(*batch)
	defer batches.Put(b)
	defer roots.Put(r)
	z, next, f := slices.Grow(b.z[:0], drawBatch*n), slices.Grow(b.next[:0], drawBatch*n), slices.Grow(b.f[:0], drawBatch*n)[:drawBatch*n]
	b.z, b.next, b.f = z, next, f
	for left := count; left > 0 || len(z) > 0; z, next = next, z {
		k := min(drawBatch, left)
		left -= k
		cooperate.Parallel(context.Background(), 2, 0, func(int) func(int) {
			return func(i int) {
				if i == 0 {
					next = next[:k*n]
					for i := range next {
						next[i] = rng.NormFloat64()
					}
					return
				}
				for i := range len(z) / n {
					copy(f[i*n:], r.mean)
				}
				linalg.Gemm(false, true, len(z)/n, n, n, 1, z, n, r.l, n, 1, f, n)
				for i := range len(z) / n {
					yield(f[i*n : (i+1)*n])
				}
			}
		})
	}
}

// batch is what is drawn at a time.
type batch struct{ z, next, f []float64 }

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
