package acquisition

import (
	"cmp"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/normal"
)

const (
	rankInner  = 32  // candidates that may be the best option after an answer
	rankKeep   = 256 // pairs kept for the choice of starts
	nearStarts = 4   // one start in so many is near x̂
	apart      = 0.2 // starts whose options both agree to this many lengthscales are one start
)

// ranked is a pair of candidates with its predicted gain.
type ranked struct {
	i, j  int
	score float64
}

// byScore orders pairs from the highest score down, NaN last, ties by place.
func byScore(a, b ranked) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return cmp.Or(cmp.Compare(b.score, a.score), a.i-b.i, a.j-b.j)
}

// ranking orders the pairs of candidates by what the knowledge gradient would gain, with the inner maximum taken over the better of two stand-ins for the
// whole cube: a few candidates (which see other hills), and the quadratic model at x̂ (which sees the small moves that are all a late answer brings; on a
// finite set almost every pair would score exactly 0).
type ranking struct {
	kg    KG
	c     *candidates
	quad  *quadratic
	inner []int     // candidates allowed as maximisers; 0 = x̂ first
	rise  []float64 // μ(inner) − μ(x̂)
	lift  []float64 // n×inner: cov(candidate, inner) − cov(candidate, x̂)
	row   odds      // of the pairs with one candidate
	prob  []float64 // of one pair
	tilt  []float64
}

func newRanking(kg KG, c *candidates, quad *quadratic) *ranking {
	o := kg.Points() - 2
	r := &ranking{kg: kg, c: c, quad: quad, prob: make([]float64, o), tilt: make([]float64, o)}
	upside := make([]float64, c.n)
	for i := range upside {
		upside[i] = c.m.Mean[i] + math.Sqrt(math.Max(0, c.m.Cov[i*c.n+i]))
	}
	r.inner = c.inner(upside)
	r.rise, r.lift = c.lifts(c.m, r.inner)
	r.row = newOdds(o, c.n)
	return r
}

// lifts returns what each of the inner candidates has more than x̂, of the mean and of the covariance with every candidate.
func (c *candidates) lifts(m *gp.Moments, inner []int) (rise, lift []float64) {
	rise, lift = make([]float64, len(inner)), make([]float64, 0, c.n*len(inner))
	for b, x := range inner {
		rise[b] = m.Mean[x] - m.Mean[0]
	}
	for i := range c.n {
		row := m.Cov[i*c.n : (i+1)*c.n]
		for _, x := range inner {
			lift = append(lift, row[x]-row[0])
		}
	}
	return rise, lift
}

func (r *ranking) pairs() (all, near []ranked) { return r.c.best(r.score) }

// best returns the rankKeep pairs that may be asked with the highest scores above −∞, best first: of all, and of those with both options near x̂.
func (c *candidates) best(score func(i, j int) float64) (all, near []ranked) {
	top := topmost[ranked]{most: rankKeep, order: byScore}
	a, n := top, top
	for i := range c.n {
		cooperate.YieldIfDue()
		for j := range i {
			if c.may != nil && !c.may(i, j) {
				continue
			}
			p := ranked{i, j, score(i, j)}
			if !(p.score > math.Inf(-1)) {
				continue
			}
			a.add(p)
			if c.near[i] && c.near[j] {
				n.add(p)
			}
		}
	}
	return a.sorted(), n.sorted()
}

// score predicts the gain of the question (candidate i, candidate j).
func (r *ranking) score(i, j int) float64 {
	r.row.hold(r.kg, r.c.m, i, j)
	n, q := r.c.n, len(r.inner)
	spread, reach := r.quad.spread(i, j), r.quad.reach(i, j)
	li, lj := r.lift[i*q:(i+1)*q], r.lift[j*q:(j+1)*q]
	m := r.c.m
	ci, cj := m.Cov[i*n:(i+1)*n], m.Cov[j*n:(j+1)*n]
	here := ci[0] - cj[0]
	var gain float64
	for o := range r.prob {
		p, w := r.row.prob[o*n+j], r.row.tilt[o*n+j]
		if p <= 0 {
			continue
		}
		best := math.Min(w*w/(2*p)*spread, math.Abs(w)*reach)
		best = max(best, linalg.MaxLift(p, r.rise, w, li, lj))
		best = max(best, p*(m.Mean[i]-m.Mean[0])+w*(ci[i]-cj[i]-here), p*(m.Mean[j]-m.Mean[0])+w*(ci[j]-cj[j]-here))
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

// start writes into x the one-shot point of a pair: its two options and, for every outcome, the better of the two stand-ins' maximisers.
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

// starts picks count pairs from the best on, a part of them near x̂, passing over a pair both of whose options are
// within apart lengthscales of those of a pair already picked, in either order. Questions about an option far
// away come in great numbers of nearly the same gain, and could leave none over for those near x̂.
func (c *candidates) starts(all, near []ranked, count int) []ranked {
	same := func(a, b int) bool { return c.within(c.row(a), c.row(b), apart) }
	alike := func(a, b ranked) bool {
		return same(a.i, b.i) && same(a.j, b.j) || same(a.i, b.j) && same(a.j, b.i)
	}
	out := spreadOut(all, count-count/nearStarts, alike)
	return spreadOut(slices.Concat(out, near, all), count, alike)
}

// spreadOut returns the first count of the pairs that are not the same as one already taken, then, if these run out, the first of the rest.
func spreadOut(pairs []ranked, count int, same func(a, b ranked) bool) []ranked {
	var chosen, rest []ranked
	for _, p := range pairs {
		if len(chosen) == count {
			break
		}
		if slices.ContainsFunc(chosen, func(c ranked) bool { return same(p, c) }) {
			rest = append(rest, p)
		} else {
			chosen = append(chosen, p)
		}
	}
	return append(chosen, rest[:min(len(rest), count-len(chosen))]...)
}
