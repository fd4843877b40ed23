package acquisition

import (
	"cmp"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/normal"
)

const (
	rankInner = 32  // candidates that may be the best option after an answer
	rankKeep  = 256 // pairs kept for the choice of starts
	apart     = 0.2 // starts whose options both agree to this many lengthscales are one start
)

// ranked is a pair of candidates with its predicted gain.
type ranked struct {
	i, j  int
	score float64
}

// byScore orders pairs from the highest score down, NaN last, ties by place.
func byScore(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), a.i-b.i, a.j-b.j)
}

// ranking orders the pairs of candidates by what the knowledge gradient would gain, with the inner
// maximum taken over the better of two stand-ins for the whole cube: a few candidates (which see other
// hills), and the quadratic model at x̂ (which sees the small moves that are all a late answer brings;
// on a finite set almost every pair would score exactly 0).
type ranking struct {
	kg    KG
	c     *candidates
	quad  *quadratic
	inner []int // candidates allowed as maximisers; 0 = x̂ first
	prob  []float64
	tilt  []float64
}

func newRanking(kg KG, c *candidates, quad *quadratic) *ranking {
	o := kg.Points() - 2
	r := &ranking{kg: kg, c: c, quad: quad, prob: make([]float64, o), tilt: make([]float64, o)}
	order := make([]int, c.n)
	upside := make([]float64, c.n)
	for i := range order {
		order[i] = i
		upside[i] = c.m.Mean[i] + math.Sqrt(math.Max(0, c.m.Cov[i*c.n+i]))
	}
	slices.SortStableFunc(order[1:], func(a, b int) int { return cmp.Compare(upside[b], upside[a]) })
	r.inner = order[:min(len(order), c.rivals())]
	return r
}

// pairs returns the best pairs, highest predicted gain first.
func (r *ranking) pairs() []ranked { return r.c.best(r.score) }

// best returns the pairs that may be asked with the highest scores, best first.
func (c *candidates) best(score func(i, j int) float64) []ranked {
	top := make([]ranked, 0, 2*rankKeep)
	floor := math.Inf(-1)
	for i := range c.n {
		for j := range i {
			if c.may != nil && !c.may(i, j) {
				continue
			}
			if s := score(i, j); s > floor {
				top = append(top, ranked{i, j, s})
				if len(top) == cap(top) {
					slices.SortFunc(top, byScore)
					top = top[:rankKeep]
					floor = top[rankKeep-1].score
				}
			}
		}
	}
	slices.SortFunc(top, byScore)
	return top[:min(len(top), rankKeep)]
}

// score predicts the gain of the question (candidate i, candidate j).
func (r *ranking) score(i, j int) float64 {
	s := r.outcomes(i, j)
	spread := r.quad.spread(i, j)
	reach := r.quad.reach(i, j)
	var gain float64
	for o := range r.prob {
		p, w := r.prob[o], r.tilt[o]/s
		if p <= 0 {
			continue
		}
		best := math.Min(w*w/(2*p)*spread, math.Abs(w)*reach)
		if _, g := r.argmax(i, j, p, w); g > best {
			best = g
		}
		gain += best
	}
	return gain
}

// argmax returns the candidate k that maximises p(μ_k − μ*) + w(c_k − c*), and that value; k = 0, x̂
// itself, has 0. Subtracting c* costs nothing, since the w of all outcomes add up to 0.
func (r *ranking) argmax(i, j int, p, w float64) (int, float64) {
	n, m := r.c.n, r.c.m
	ci, cj := m.Cov[i*n:(i+1)*n], m.Cov[j*n:(j+1)*n]
	base, here := m.Mean[0], ci[0]-cj[0]
	arg, best := 0, 0.0
	try := func(k int) {
		if v := p*(m.Mean[k]-base) + w*(ci[k]-cj[k]-here); v > best {
			arg, best = k, v
		}
	}
	for _, k := range r.inner {
		try(k)
	}
	try(i)
	try(j)
	return arg, best
}

// outcomes fills prob and tilt (the P and w of every outcome) for the pair and returns s.
func (r *ranking) outcomes(i, j int) float64 {
	n, m := r.c.n, r.c.m
	d := m.Mean[i] - m.Mean[j]
	v := m.Cov[i*n+i] + m.Cov[j*n+j] - 2*m.Cov[i*n+j]
	s := math.Sqrt(math.Max(0, v) + r.kg.Sigma*r.kg.Sigma)
	r.kg.partition(d, s, r.prob, r.tilt)
	return s
}

// partition fills, for every outcome of a question whose difference has mean m and noisy standard
// deviation s, the probability Φ(β) − Φ(α) and the weight φ(α) − φ(β).
func (k KG) partition(m, s float64, prob, tilt []float64) {
	last, density := math.Inf(-1), 0.0
	for o := range prob {
		z, phi := math.Inf(1), 0.0
		if o < len(k.Edges) {
			z = (k.Edges[o] - m) / s
			phi = normal.PDF(z)
		}
		switch {
		case o == 0:
			prob[o] = normal.CDF(z)
		case o == len(k.Edges):
			prob[o] = normal.CDF(-last)
		default:
			prob[o] = normal.Interval(last, z)
		}
		tilt[o] = density - phi
		last, density = z, phi
	}
}

// start writes into x the one-shot point of a pair: its two options and, for every outcome, the
// better of the two stand-ins' maximisers.
func (r *ranking) start(x []float64, pair ranked) {
	d := r.c.d
	i, j := pair.i, pair.j
	copy(x[:d], r.c.row(i))
	copy(x[d:2*d], r.c.row(j))
	s := r.outcomes(i, j)
	spread := r.quad.spread(i, j)
	for o := range r.prob {
		at := x[(2+o)*d : (3+o)*d]
		p, w := r.prob[o], r.tilt[o]/s
		if p <= 0 {
			copy(at, r.c.row(0))
			continue
		}
		local := math.Min(w*w/(2*p)*spread, math.Abs(w)*r.quad.reach(i, j))
		if k, g := r.argmax(i, j, p, w); g > local {
			copy(at, r.c.row(k))
		} else {
			r.quad.move(at, r.c.row(0), i, j, w/p)
		}
	}
}

// starts picks count pairs from the best on, passing over a pair both of whose options are within
// apart lengthscales of those of a pair already picked, in either order.
func (c *candidates) starts(p Utility, pairs []ranked, count int) []ranked {
	ls := p.Hyper().Kernel.Lengthscale
	same := func(a, b int) bool {
		x, y := c.row(a), c.row(b)
		for j := range x {
			if math.Abs(x[j]-y[j]) > apart*math.Min(1, ls[j]) {
				return false
			}
		}
		return true
	}
	return spreadOut(pairs, count, func(a, b ranked) bool {
		return same(a.i, b.i) && same(a.j, b.j) || same(a.i, b.j) && same(a.j, b.i)
	})
}

// spreadOut returns the first count of the pairs that are not the same as one already taken, then, if
// these run out, the first of the rest.
func spreadOut(pairs []ranked, count int, same func(a, b ranked) bool) []ranked {
	var chosen, rest []ranked
next:
	for _, p := range pairs {
		if len(chosen) == count {
			break
		}
		for _, c := range chosen {
			if same(p, c) {
				rest = append(rest, p)
				continue next
			}
		}
		chosen = append(chosen, p)
	}
	return append(chosen, rest[:min(len(rest), count-len(chosen))]...)
}
