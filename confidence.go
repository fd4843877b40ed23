package prefer

import (
	"cmp"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/linalg"
)

// Size of the Monte Carlo behind a confidence.
const (
	surePoints  = 256  // quasi-random points of the whole cube
	sureNear    = 12   // mirrored pairs of points round each of the best peaks, at scales from 3 % to 100 % of a lengthscale
	surePeaks   = 3    // peaks that get them
	sureShown   = 24   // best options shown
	sureScouts  = 200  // draws that look for further places where the maximum may be
	surePlaces  = 12   // such places …
	sureRefined = 4    // … and mirrored pairs round each
	sureItems   = 400  // items of a list: half by mean, half by mean and two standard deviations
	sureLooked  = 5000 // items of a long list whose variance is computed
	sureDraws   = 1000 // draws the probabilities are counted in: ±1 % at 90 %
	sureJitter  = 1e-9 // of the outputscale, on the diagonal: nearly coincident points make the covariance singular
	doubtFactor = 1.5  // see sure
	farAway     = 1.0  // an option this many lengthscales away is another option, not the same one again
)

// sureness is what a study knows about its pick.
type sureness struct {
	within float64 // Pr(f(x̂) ≥ f* − JND)
	rival  float64 // Pr(some option far from x̂ is within JND of it, or better)
	other  []float64
}

// sure estimates how sure the pick peaks[0] is: the utility is drawn jointly at several hundred points,
// chosen where its maximum may lie, and in each draw the best of them is compared with the pick. The
// places are found in two rounds: points everywhere, round the peaks of the mean and shown before; then
// points round those that came out best in a first set of draws.
//
// The draws know one setting of the hyper-parameters and the best of a few hundred points, and a verdict
// stops at the first high reading, so counted like this they are too sure: in 500 simulated studies with
// utilities drawn from the prior in two dimensions the doubt they left was 0.09 and the share of wrong
// verdicts 0.14. The odds of doubt are therefore multiplied by 1.5; multiplying the doubt itself, which is
// nearly the same from 90 % on, held on 400 studies it was not fitted to (docs/verdict.md).
func sure(p *gp.Posterior, code *coding, peaks []acquisition.Peak, shown []float64, jnd float64, seed uint64) sureness {
	f := field{p: p, code: code, seed: seed, rng: rand.New(rand.NewPCG(seed, 0x5e7e))}
	x := f.places(peaks, shown)
	x = append(x, f.refined(x)...)
	return f.compare(x, jnd)
}

// field is where a utility is drawn. Its random numbers are used in a fixed order.
type field struct {
	p    *gp.Posterior
	code *coding
	seed uint64
	rng  *rand.Rand
}

// places returns the points of the first round, row by row, the pick first: the best peaks and points round them, points
// everywhere, and the best that was shown.
func (f field) places(peaks []acquisition.Peak, shown []float64) []float64 {
	peaks = peaks[:min(len(peaks), surePeaks)]
	var x []float64
	for _, pk := range peaks {
		x = append(x, pk.X...)
	}
	for _, pk := range peaks {
		x = append(x, f.around(pk.X, sureNear)...)
	}
	x = append(x, f.everywhere()...)
	return append(x, acquisition.Top(f.p, shown, sureShown, 1e-3)...)
}

// refined returns points round those of x that came out best in a first set of draws.
func (f field) refined(x []float64) []float64 {
	d := f.p.Dim()
	wins := make([]int, len(x)/d)
	for u := range draws(f.p, x, sureScouts, f.rng) {
		wins[slices.Index(u, slices.Max(u))]++
	}
	var out []float64
	for _, i := range byScore(wins)[:min(len(wins), surePlaces)] {
		if wins[i] > 0 {
			out = append(out, f.around(x[i*d:(i+1)*d], sureRefined)...)
		}
	}
	return out
}

// compare draws the utility at x and counts how often its first point, the pick, is as good as any, and how often a far
// one is as good as the pick.
func (f field) compare(x []float64, jnd float64) sureness {
	d := f.p.Dim()
	far := f.far(x)
	beats := make([]int, len(far))
	var out sureness
	for u := range draws(f.p, x, sureDraws, f.rng) {
		top, rival, at := u[0], math.Inf(-1), -1
		for i, v := range u {
			top = math.Max(top, v)
			if far[i] && v > rival {
				rival, at = v, i
			}
		}
		if u[0] >= top-jnd {
			out.within += 1.0 / sureDraws
		}
		if rival >= u[0]-jnd {
			out.rival += 1.0 / sureDraws
			beats[at]++
		}
	}
	out.within = doubted(out.within)
	if i := slices.Index(beats, slices.Max(beats)); beats[i] > 0 {
		out.other = slices.Clone(x[i*d : (i+1)*d])
	}
	return out
}

// far reports which points of x are other options than the first, not the same one again.
func (f field) far(x []float64) []bool {
	d, ls := f.p.Dim(), f.p.Hyper().Kernel.Lengthscale
	out := make([]bool, len(x)/d)
	for i := range out {
		for j := range d {
			out[i] = out[i] || math.Abs(x[i*d+j]-x[j]) > farAway*math.Min(ls[j], 0.5)
		}
	}
	return out
}

// around returns options near one, none in a list.
func (f field) around(at []float64, count int) []float64 {
	if f.code.items != nil {
		return nil
	}
	if dom := f.code.domain(); dom != nil {
		return dom.Around(f.p, at, count, f.rng)
	}
	return acquisition.Around(f.p, at, count, f.rng)
}

// everywhere returns options of the whole space, of a list those that may be best.
func (f field) everywhere() []float64 {
	if f.code.items != nil {
		return promising(f.p, f.code.items)
	}
	return f.code.points(surePoints, f.seed)
}

// doubted multiplies the odds against p by doubtFactor.
func doubted(p float64) float64 { return p / (p + doubtFactor*(1-p)) }

// promising returns the items that may be best: all of a short list, else those with the highest means
// and those with the highest mean plus two standard deviations. Of a very long one only the better part
// by mean is looked at for the second.
func promising(p *gp.Posterior, t *itemTable) []float64 {
	n := len(t.back)
	if n <= sureItems {
		return t.rows
	}
	mean := make([]float64, n)
	p.Means(mean, t.rows, 1)
	order := byScore(mean)
	pick := func(rows []int) []float64 {
		var x []float64
		for _, i := range rows {
			x = append(x, t.rows[i*t.dim:(i+1)*t.dim]...)
		}
		return x
	}
	top, rest := order[:sureItems/2], order[sureItems/2:min(n, sureLooked)]
	upside := make([]float64, len(rest))
	p.Variances(upside, pick(rest), 1)
	for k, i := range rest {
		upside[k] = mean[i] + 2*math.Sqrt(math.Max(0, upside[k]))
	}
	var second []int
	for _, k := range byScore(upside)[:min(len(rest), sureItems/2)] {
		second = append(second, rest[k])
	}
	return append(pick(top), pick(second)...)
}

// byScore returns the places of a score from the highest down.
func byScore[T cmp.Ordered](score []T) []int {
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order
}

// draws yields the utility drawn jointly at the points x (row by row), count times; the slice is reused.
func draws(p *gp.Posterior, x []float64, count int, rng *rand.Rand) iter.Seq[[]float64] {
	n := len(x) / p.Dim()
	m := gp.NewMoments(n)
	p.Moments(m, x)
	l := slices.Clone(m.Cov)
	scale := p.Hyper().Kernel.Outputscale
	for jitter := sureJitter; ; jitter *= 10 {
		for i := range n {
			l[i*n+i] = m.Cov[i*n+i] + jitter*scale
		}
		if linalg.Cholesky(n, l, n) {
			break
		}
		copy(l, m.Cov)
	}
	for i := range n {
		clear(l[i*n+i+1 : (i+1)*n])
	}
	const batch = 64
	z, f := make([]float64, batch*n), make([]float64, batch*n)
	return func(yield func([]float64) bool) {
		for done := 0; done < count; done += batch {
			k := min(batch, count-done)
			for i := range z[:k*n] {
				z[i] = rng.NormFloat64()
			}
			for i := range k {
				copy(f[i*n:], m.Mean)
			}
			linalg.Gemm(false, true, k, n, n, 1, z, n, l, n, 1, f, n)
			for i := range k {
				if !yield(f[i*n : (i+1)*n]) {
					return
				}
			}
		}
	}
}
