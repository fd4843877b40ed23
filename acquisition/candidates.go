package acquisition

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// What a candidate set is made of besides quasi-random points.
const (
	candidatePeaks = 6    // local maxima of the mean, x̂ first
	candidateShown = 12   // best distinct options shown so far
	candidateNear  = 12   // perturbations of x̂, each with its mirror image
	nearRivals     = 4    // one in so many of those that may be the best is near x̂
	candidateHills = 2    // further peaks with neighbours of their own …
	candidateSlope = 6    // … and perturbations of each,
	slopeLeast     = 0.15 // this many lengthscales away at least, as a rule
)

// candidates are the points whose pairs a search ranks, with their joint moments: x̂ and the other peaks of the mean, the best options shown, quasi-random
// points, and points round x̂ at scales from 3 % to 100 % of a lengthscale. Without the last the raw points of a late search hold next to nothing of its
// gain: what is left to learn sits close to x̂ on both sides of it. The knowledge gradient has more: challengers, points off the faces that hold x̂, and
// points on the slopes of other hills.
type candidates struct {
	d, n   int
	x      []float64     // n×D; row 0 is x̂
	m      *gp.Moments   // without a mixture, else nil
	parts  []*gp.Moments // with a mixture, under each of its posteriors
	peaks  []Peak
	scale  []float64 // lengthscales
	near   []bool    // within a lengthscale of x̂
	inward []int     // rows off the faces and walls that hold x̂

	in  *region             // a region other than the cube, else nil
	may func(i, j int) bool // whether the pair of candidates i > j may be asked; nil: every one
}

// newCandidates returns the options that a search begins with: the peaks of the mean, the best options shown, points around the first peak and points all over,
// challengers, options off the faces that hold x̂, which may be the best after an answer, and slopes of other hills. The task must be prepared.
func newCandidates(t Task, peaks []Peak, rivals, inward, slopes []float64) *candidates {
	p := t.utility()
	d := p.Dim()
	c := &candidates{d: d, peaks: peaks}
	for _, pk := range peaks[:min(len(peaks), candidatePeaks)] {
		c.x = append(c.x, pk.X...)
	}
	c.x = append(c.x, rivals...)
	for i := 0; i < len(inward); i += d {
		c.inward = append(c.inward, len(c.x)/d)
		c.x = append(c.x, inward[i:i+d]...)
	}
	shown := Top(p, t.Shown, candidateShown, samePeak, t.Search.Workers)
	for i := 0; i < len(shown); i += d {
		if row := shown[i : i+d]; !closeToAny(row, c.x, d, samePeak) {
			c.x = append(c.x, row...)
		}
	}
	c.x = append(c.x, sobol.Points(d, t.Search.Candidates, t.Seed^0x9e3779b97f4a7c15)...)
	c.x = append(c.x, Around(p, peaks[0].X, candidateNear, rand.New(rand.NewPCG(t.Seed, 0xca9d)))...)
	c.x = append(c.x, slopes...)
	c.n = len(c.x) / d
	for i := range c.x {
		j := i % d
		if i >= d { // x̂ itself may lie outside the box of the question
			c.x[i] = min(max(c.x[i], t.Lower[j]), t.Upper[j])
		}
	}
	c.fill(t)
	return c
}

// within reports whether x and y are at most so many lengthscales, none longer than the cube, from each other in every coordinate.
func (c *candidates) within(x, y []float64, lengths float64) bool {
	for j, v := range x {
		if !(math.Abs(v-y[j]) <= lengths*math.Min(1, c.scale[j])) {
			return false
		}
	}
	return true
}

// fill computes the joint moments, and which candidates are near x̂.
func (c *candidates) fill(t Task) {
	c.scale = t.utility().Hyper().Kernel.Lengthscale
	c.near = make([]bool, c.n)
	for i := range c.near {
		c.near[i] = c.within(c.row(i), c.row(0), 1)
	}
	fill := func(p *gp.Posterior) *gp.Moments {
		m := gp.NewMoments(c.n)
		p.Moments(m, c.x)
		return m
	}
	if t.Mixture == nil {
		c.m = fill(t.Posterior)
		return
	}
	for k := range t.Mixture.Len() {
		c.parts = append(c.parts, fill(t.Mixture.Posterior(k)))
	}
}

// Around returns 2·count points of the unit cube round x, row by row: x ± ηℓ∘z, z normal and η log-uniform in [0.03, 1], ℓ the lengthscales.
func Around(p Utility, x []float64, count int, rng *rand.Rand) []float64 {
	return around(p, x, count, 0.03, rng)
}

// around is Around with η from least on.
func around(p Utility, x []float64, count int, least float64, rng *rand.Rand) []float64 {
	var out []float64
	for range count {
		eta := math.Exp(math.Log(least) * rng.Float64())
		plus, minus := clone(x), clone(x)
		for j, l := range p.Hyper().Kernel.Lengthscale {
			step := eta * math.Min(l, 1) * rng.NormFloat64()
			plus[j] = min(max(plus[j]+step, 0), 1)
			minus[j] = min(max(minus[j]-step, 0), 1)
		}
		out = append(append(out, plus...), minus...)
	}
	return out
}

// slopes returns neighbours of the peaks after the first: the other hills of the mean, where an answer may move the top and lift it above x̂.
func slopes(peaks []Peak, seed uint64, around func(x []float64, rng *rand.Rand) []float64) []float64 {
	var out []float64
	rng := rand.New(rand.NewPCG(seed, 0x510e))
	for _, pk := range peaks[1:min(len(peaks), 1+candidateHills)] {
		out = append(out, around(pk.X, rng)...)
	}
	return out
}

// inwardSteps are how far off a face candidates lie, in lengthscales: a question likes to go far, a fantasy point not.
var inwardSteps = []float64{0.04, 0.12, 0.35, 1}

// inward returns best with one coordinate off a face of the cube that it lies on, row by row. The mean falls from
// there on, and the quadratic model at x̂ knows no move off a face that holds it; but an answer may turn the slope.
func inward(p Utility, best []float64) []float64 {
	var out []float64
	for j, l := range p.Hyper().Kernel.Lengthscale {
		if best[j] > 0 && best[j] < 1 {
			continue
		}
		for _, step := range inwardSteps {
			x := clone(best)
			x[j] = math.Abs(x[j] - step*math.Min(l, 1))
			out = append(out, x...)
		}
	}
	return out
}

// inner returns the candidates that may be the best after an answer while pairs are ranked: x̂, those with the highest upside, and those off the faces. Few
// of them are near x̂: the quadratic model knows what is there, and they would crowd out other hills.
func (c *candidates) inner(upside []float64) []int {
	order := upTo(c.n)
	slices.SortStableFunc(order[1:], func(a, b int) int { return cmp.Compare(upside[b], upside[a]) })
	out, near := order[:1:1], 0
	for _, i := range order[1:] {
		if len(out) == c.rivals() {
			break
		}
		if c.near[i] {
			if near++; near > c.rivals()/nearRivals {
				continue
			}
		}
		out = append(out, i)
	}
	for _, i := range c.inward {
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// rivals returns the number of candidates that may be the best after an answer while pairs are ranked. With
// levels and constraints x̂ is often where no small move improves it, and only they can.
func (c *candidates) rivals() int {
	if c.in != nil {
		return regionInner
	}
	return rankInner
}

func (c *candidates) row(i int) []float64 { return c.x[i*c.d : (i+1)*c.d] }
