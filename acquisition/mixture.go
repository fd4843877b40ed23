package acquisition

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// utility returns what the task believes of f.
func (t Task) utility() Utility {
	if t.Mixture != nil {
		return t.Mixture
	}
	return t.Posterior
}

// expected returns an acquisition that is linear in the law of f, averaged over what the task believes.
func (t Task) expected(acq Acquisition) *Evaluator {
	if t.Mixture == nil {
		return NewEvaluator(t.Posterior, acq)
	}
	terms := xslices.Times(t.Mixture.Len(), func(k int) term { return term{t.Mixture.Weight(k), t.Mixture.Posterior(k), acq} })
	return newSum(terms)
}

// knowledge is the knowledge gradient of a task: one KG per posterior of the mixture that is believed, or a single one. With weights w_k and, under posterior
// k, α and β the ends of outcome o in standard units, P_k(o) = Φ(β_k) − Φ(α_k) and c_k = Cov_k[f(·), f₀ − f₁],
//
//	KG = Σ_o max_x Σ_k w_k [P_k(o) μ_k(x) + (φ(α_k) − φ(β_k)) c_k(x)/s_k].
//
// The bracket is E_k[f(x); o]. So this is exact, and knows what the answer teaches about k: the mixture given o has weights w_k P_k(o)/Σ_j w_j P_j(o) and
// means μ_k + (φ(α_k) − φ(β_k)) c_k/(P_k(o) s_k). With the fantasy points as variables it is the weighted sum of the KGs on the posteriors at the same
// points, and so is its gradient: sharing the fantasy points is all that makes it the mixture's.
type knowledge []share

type share struct {
	weight float64
	post   *gp.Posterior
	kg     KG
}

// knowledge returns the knowledge gradient of the task without a base.
func (t Task) knowledge() knowledge {
	one := func(weight float64, p *gp.Posterior) share {
		kg := NewKG(p.Answers(), p.Hyper().Cuts, p.Noise()) // the cuts belong to the model's noise …
		kg.Sigma = t.Noise                                  // … whatever the look-ahead's is
		return share{weight, p, kg}
	}
	if t.Mixture == nil {
		return knowledge{one(1, t.Posterior)}
	}
	var k knowledge
	for i := range t.Mixture.Len() {
		k = append(k, one(t.Mixture.Weight(i), t.Mixture.Posterior(i)))
	}
	return k
}

// points returns the number of points, 2 for the question and 1 per outcome.
func (k knowledge) points() int { return k[0].kg.Points() }

// over makes the value the gain over the mean at best. In a mixture the base of each posterior is its
// own mean there: the sum is the same, and every term is a difference between neighbours.
func (k knowledge) over(best Peak) {
	if len(k) == 1 {
		k[0].kg.Base = best.Mean
		return
	}
	m := gp.NewMoments(1)
	for i := range k {
		k[i].kg.Base = k[i].post.MeanGradient(m, best.X, nil)
	}
}

// quiet returns the knowledge gradient of answers without noise.
func (k knowledge) quiet() knowledge {
	q := slices.Clone(k)
	for i := range q {
		q[i].kg.Sigma = 0
	}
	return q
}

// evaluator returns the one-shot form as a function of question and fantasy points.
func (k knowledge) evaluator() *Evaluator {
	terms := xslices.Map(k, func(s share) term { return term{s.weight, s.post, s.kg} })
	return newSum(terms)
}

// ranker orders pairs of candidates by the gain it predicts and turns them into one-shot points.
type ranker interface {
	pairs() (all, near []ranked)
	start(x []float64, pair ranked)
}

// ranking returns the ranker of the candidates; u is what is believed, as one.
func (k knowledge) ranking(c *candidates, u Utility) ranker {
	if c.parts == nil {
		return newRanking(k[0].kg, c, newQuadratic(k[0].post, c))
	}
	return newMixedRanking(k, c, u)
}

// mixedRanking is ranking for a mixture. What an outcome makes of a small move δ from x̂ is, with H the
// Hessian of the mixture's mean and P̄ = Σ_k w_k P_k its probability of the outcome,
//
//	Gᵀδ + ½ P̄ δᵀHδ,   G = Σ_k w_k [P_k ∇μ_k + (φ(α_k) − φ(β_k)) ∇c_k/s_k],
//
// with its maximum ½ Gᵀ(−H)⁻¹G/P̄ at δ = (−H)⁻¹G/P̄. The ∇μ_k do not vanish at x̂, only their weighted sum does; G needs them. Using H for Σ_k w_k P_k H_k/P̄
// costs accuracy where the posteriors disagree about both curvature and answer, and saves a factorisation per pair.
type mixedRanking struct {
	k     knowledge
	c     *candidates
	quad  *quadratic // curvature alone
	slope [][]float64
	grad  [][]float64 // n×f per posterior: ∇cov(x̂, candidate), scaled as in quadratic
	inner []int       // candidates allowed as maximisers; 0 = x̂ first
	rise  [][]float64 // per posterior: μ(inner) − μ(x̂)
	lift  [][]float64 // n×inner per posterior: cov(candidate, inner) − cov(candidate, x̂)

	rows []odds // per posterior: of the pairs with one candidate

	// Of the pair at hand, outcome by outcome:
	prob  []float64   // P̄
	parts [][]float64 // per posterior: w_k P_k …
	tilts [][]float64 // … and w_k (φ(α_k) − φ(β_k))/s_k
	g     []float64   // G of one outcome, then L⁻¹G
	sum   []float64   // value of every inner candidate
}

func newMixedRanking(k knowledge, c *candidates, u Utility) *mixedRanking {
	o, n := k.points()-2, c.n
	r := &mixedRanking{k: k, c: c, quad: newCurvature(u, c.row(0), c.in), prob: make([]float64, o)}
	upside := make([]float64, n)
	for i := range upside {
		for j, s := range k {
			m := c.parts[j]
			upside[i] += s.weight * (m.Mean[i] + math.Sqrt(math.Max(0, m.Cov[i*n+i])))
		}
	}
	r.inner = c.inner(upside)
	f := len(r.quad.free)
	r.g, r.sum = make([]float64, f), make([]float64, len(r.inner))
	w, full := gp.NewMoments(1), make([]float64, c.d)
	for j, s := range k {
		m := c.parts[j]
		s.post.MeanGradient(w, c.row(0), full)
		slope := make([]float64, f)
		for a, t := range r.quad.free {
			slope[a] = r.quad.slope(full, t) * r.quad.scale[a]
		}
		rise, lift := c.lifts(m, r.inner)
		r.slope, r.grad = append(r.slope, slope), append(r.grad, r.quad.gradients(m))
		r.rise, r.lift = append(r.rise, rise), append(r.lift, lift)
		r.rows = append(r.rows, newOdds(o, n))
		r.parts, r.tilts = append(r.parts, make([]float64, o)), append(r.tilts, make([]float64, o))
	}
	return r
}

func (r *mixedRanking) pairs() (all, near []ranked) { return r.c.best(r.score) }

// score predicts the gain of the question (candidate i, candidate j).
func (r *mixedRanking) score(i, j int) float64 {
	r.outcomes(i, j)
	var gain float64
	for o, p := range r.prob {
		if p <= 0 {
			continue
		}
		best := r.local(i, j, o)
		if _, g := r.argmax(i, j, o); g > best {
			best = g
		}
		gain += best
	}
	return gain
}

// outcomes fills prob, parts and tilts for the pair.
func (r *mixedRanking) outcomes(i, j int) {
	n := r.c.n
	clear(r.prob)
	for k, s := range r.k {
		m := r.c.parts[k]
		row := &r.rows[k]
		row.hold(s.kg, m, i, j)
		for o := range r.prob {
			r.parts[k][o] = s.weight * row.prob[o*n+j]
			r.tilts[k][o] = s.weight * row.tilt[o*n+j]
			r.prob[o] += r.parts[k][o]
		}
	}
}

// local returns what the quadratic model gains from outcome o, counted beyond the trust radius only in proportion, and leaves L⁻¹G in g.
func (r *mixedRanking) local(i, j, o int) float64 {
	g, f := r.g, len(r.g)
	clear(g)
	for k := range r.k {
		p, w := r.parts[k][o], r.tilts[k][o]
		slope, gi, gj := r.slope[k], r.grad[k][i*f:(i+1)*f], r.grad[k][j*f:(j+1)*f]
		for a := range g {
			g[a] += p*slope[a] + w*(gi[a]-gj[a])
		}
	}
	var reach, square float64
	for _, v := range g {
		reach += math.Abs(v)
	}
	forward(r.quad.chol, g)
	for _, v := range g {
		square += v * v
	}
	return math.Min(square/(2*r.prob[o]), trustRadius*reach)
}

// argmax returns the candidate x that maximises Σ_k w_k [P_k (μ_k(x) − μ_k(x̂)) + …(c_k(x) − c_k(x̂))], and that value; x̂ itself has 0.
func (r *mixedRanking) argmax(i, j, o int) (int, float64) {
	n, q := r.c.n, len(r.inner)
	clear(r.sum)
	var first, second float64 // the options themselves
	for k := range r.k {
		p, w := r.parts[k][o], r.tilts[k][o]
		rise, li, lj := r.rise[k][:q], r.lift[k][i*q:(i+1)*q], r.lift[k][j*q:(j+1)*q]
		linalg.Axpy(p, rise, r.sum)
		linalg.Axpy(w, li, r.sum)
		linalg.Axpy(-w, lj, r.sum)
		m := r.c.parts[k]
		ci, cj := m.Cov[i*n:(i+1)*n], m.Cov[j*n:(j+1)*n]
		here := ci[0] - cj[0]
		first += p*(m.Mean[i]-m.Mean[0]) + w*(ci[i]-cj[i]-here)
		second += p*(m.Mean[j]-m.Mean[0]) + w*(ci[j]-cj[j]-here)
	}
	arg, best := 0, 0.0
	try := func(x int, v float64) {
		if v > best {
			arg, best = x, v
		}
	}
	for b, v := range r.sum {
		try(r.inner[b], v)
	}
	try(i, first)
	try(j, second)
	return arg, best
}

// start writes into x the one-shot point of a pair: its two options and, for every outcome, the better of the two stand-ins' maximisers.
func (r *mixedRanking) start(x []float64, pair ranked) {
	d, i, j := r.c.d, pair.i, pair.j
	copy(x[:d], r.c.row(i))
	copy(x[d:2*d], r.c.row(j))
	r.outcomes(i, j)
	for o, p := range r.prob {
		at := x[(2+o)*d : (3+o)*d]
		if p <= 0 {
			copy(at, r.c.row(0))
			continue
		}
		local := r.local(i, j, o)
		if k, g := r.argmax(i, j, o); g > local {
			copy(at, r.c.row(k))
			continue
		}
		for a := range r.g {
			r.g[a] /= p
		}
		r.quad.walk(at, r.c.row(0), r.g)
	}
}
