package gp

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Effort of Average, measured on answers of real people and on simulated ones (docs/results/statements.md).
const (
	averagePrior  = 16   // settings drawn from the prior, …
	averageNear   = 16   // … near the likeliest one, …
	averageAgain  = 32   // … and where these two found weight
	averageWiden  = 1.15 // by how much wider than that the last ones are spread …
	averageNarrow = 0.2  // … and how narrow they may become, in log hyper-parameters
	averageKept   = 16   // equal parts of the weight that settings are taken from, at most one each
	averageSeed   = 0xa7e
	averageFew    = 200  // up to so many duels all of this; beyond, in proportion fewer settings, …
	averageNone   = 1000 // … and from here on the likeliest one alone, which nothing else comes near
)

// Average returns the utility when hyper-parameters are not taken for known: posteriors at several settings θ, weighted
// by how well they predicted the answers,
//
//	p(f | answers) ≈ Σ_k w_k p(f | θ_k, answers),   w_k ∝ Z(θ_k) p(θ_k)/q(θ_k),
//
// with Z the evidence, p(θ) the prior of the logs of lengthscales, outputscale, trend and gaps between cuts (see
// hyperDensity), and q what the θ_k were drawn from. After a few dozen answers the likeliest setting is one of many that fit
// nearly as well, and most of the others say that less is known: taken for known it says 87 % where 60 to 77 are true.
//
// Importance sampling in two rounds (population Monte Carlo, Cappé et al. 2004) in place of a chain: quasi-random θ from the prior and from round the
// likeliest setting, then from a normal with the mean and spread of what these weigh. q is the mixture of all three in proportion to their numbers (Owen &
// Zhou 2000; Veach's balance heuristic), so that no weight can explode: the prior is always a part of it. 64 evidences without gradients, two to three fits;
// the draws of a chain that say as much take 170. The points are the same at every call, so that one more answer moves the weights and not the points of the
// first round: what is said about a study does not flicker.
//
// Nor is a prior taken for known: with several models each has the same chance beforehand, and shares in the whole by the
// evidence of its average. The effort is shared among them.
//
// The noise of raters, of whom there may be hundreds, is taken at its likeliest. The result depends on duels and models alone.
func Average(ctx context.Context, duels *Duels, models ...Model) (*Mixture, error) {
	settings, each := make([][]setting, len(models)), make([]float64, len(models))
	if err := cooperate.Each(ctx, len(models), 0, func(k int) (err error) {
		settings[k], each[k], err = models[k].average(ctx, duels, len(models))
		return err
	}); err != nil {
		return nil, err
	}
	for k, evidence := range each {
		for i := range settings[k] {
			settings[k][i].weight = math.Log(settings[k][i].weight) + evidence
		}
	}
	x, err := mixture(slices.Concat(settings...))
	if err != nil {
		return nil, err
	}
	x.evidence = logMean(each)
	return x, nil
}

// setting is one θ of an average, with its share of the weight, or the log of that.
type setting struct {
	of     *average
	theta  []float64
	sites  Sites // where its evidence left them
	weight float64
	post   *Posterior // nil if it must be made
}

// average returns the settings of one model of so many, with weights that add up to 1, and its evidence.
func (m Model) average(ctx context.Context, duels *Duels, models int) ([]setting, float64, error) {
	from, err := m.Fit(ctx, duels, nil)
	if err != nil {
		return nil, 0, err
	}
	n := duels.Len()
	if n >= averageNone || from.maker == Sparse {
		return []setting{{weight: 1, post: from}}, from.evidence, nil
	}
	m = m.WithDefaults()
	a, err := newAverage(m, duels, from)
	if err != nil {
		return nil, 0, err
	}
	share := min(1, float64(averageFew)/float64(max(n, 1))) / float64(models)
	count := func(all int) int { return max(2, int(math.Round(share*float64(all)))) }
	priors := xslices.Map(a.free, func(v variable) Prior { return v.prior })
	q := proposals{proposalOf(priors, a.start), {mean: shift(a.start, drawCentre), sd: fill(len(a.start), drawScale)}}
	points := spreadNormals(len(a.start), averagePrior+averageNear+averageAgain)
	draw := func(p *proposal, count int) {
		p.count = float64(count)
		for range count {
			cooperate.YieldIfDue()
			a.add(p.at(points[:len(a.start)]))
			points = points[len(a.start):]
		}
	}
	draw(&q[0], count(averagePrior))
	draw(&q[1], count(averageNear))
	if err := ctx.Err(); err != nil {
		return nil, 0, context.Cause(ctx)
	}
	q = append(q, a.fit(a.weights(q)))
	draw(&q[2], count(averageAgain))
	if err := ctx.Err(); err != nil {
		return nil, 0, context.Cause(ctx)
	}
	if m.Inference == Reduced {
		a.ev = newReduced(m, duels, nil) // posteriors have inducing duels of their own
	}
	var out []setting
	for k, w := range a.weights(q) {
		out = append(out, setting{of: a, theta: a.theta[k], sites: a.sites[k], weight: w})
	}
	return out, a.evidence(q), nil
}

// mixture returns the posteriors of a few of the settings, whose weights are logs, that stand for all: those at the middles
// of equal parts of the weight, with the settings laid out by how strong a taste they expect, which is what forecasts
// depend on most. To leave out the light ones would be to leave out most of what is doubtful.
func mixture(all []setting) (*Mixture, error) {
	top := math.Inf(-1)
	for _, s := range all {
		top = max(top, s.weight)
	}
	var sum float64
	for i := range all {
		all[i].weight = math.Exp(all[i].weight - top)
		if math.IsNaN(all[i].weight) {
			all[i].weight = 0
		}
		sum += all[i].weight
	}
	slices.SortStableFunc(all, func(s, t setting) int { return cmp.Compare(s.strength(), t.strength()) })
	var chosen []int
	var weights []float64
	k, upTo := 0, all[0].weight
	for j := range averageKept {
		at := k
		for upTo < (float64(j)+0.5)/averageKept*sum && k < len(all)-1 {
			k++
			upTo += all[k].weight
		}
		if j > 0 && k == at {
			weights[len(weights)-1]++
			continue
		}
		chosen, weights = append(chosen, k), append(weights, 1)
	}
	posts, err := posteriorsOf(xslices.Map(chosen, func(k int) setting { return all[k] }))
	if err != nil {
		return nil, err
	}
	return NewMixture(posts, weights), nil
}

// posteriorsOf returns the posteriors of settings: those of one average after each other, since each starts where the one before ended, several averages at the
// same time.
func posteriorsOf(settings []setting) ([]*Posterior, error) {
	var ofs []*average
	for _, s := range settings {
		if !slices.Contains(ofs, s.of) {
			ofs = append(ofs, s.of)
		}
	}
	posts := make([]*Posterior, len(settings))
	return posts, cooperate.Each(context.Background(), len(ofs), 0, func(k int) (err error) {
		for i, s := range settings {
			switch {
			case s.of != ofs[k] || err != nil:
			case s.of == nil:
				posts[i] = s.post
			default:
				s.of.ev.current().copyFrom(s.sites)
				posts[i], err = s.of.posterior(s.theta)
			}
		}
		return err
	})
}

// strength returns the variance of f averaged over the cube.
func (s setting) strength() float64 {
	if s.post != nil {
		return s.post.hyper.Kernel.averageVariance()
	}
	return s.of.hyper(s.theta).Kernel.averageVariance()
}

// averageVariance returns E k(x, x) over a uniform x: s + T for cosines, s + (T/D) Σ_j 1/ℓ_j² for polynomials.
func (k Kernel) averageVariance() float64 {
	if k.Trend == 0 || k.Effects != Polynomials {
		return k.Outputscale + k.Trend
	}
	var sum float64
	for j, l := range k.Lengthscale {
		switch {
		case l == identityLengthscale:
		case k.onCircle(j):
			sum += 1 / (2 * l * l) // twice: the circle counts once
		default:
			sum += 1 / (l * l)
		}
	}
	return k.Outputscale + 2*k.Trend*sum/k.effective()
}

// average gathers settings, their densities and the sites they ended at.
type average struct {
	hyperDensity
	fixed   float64 // log prior of the noise of raters, a part of every density
	start   []float64
	theta   [][]float64
	density []float64
	sites   []Sites
}

// add evaluates one more setting. Its sites start where those of the setting nearest to it ended.
func (a *average) add(theta []float64) {
	if len(a.theta) > 0 {
		near, least := 0, math.Inf(1)
		for k, other := range a.theta {
			var apart float64
			for i, t := range theta {
				apart += (t - other[i]) * (t - other[i])
			}
			if apart < least {
				near, least = k, apart
			}
		}
		a.ev.current().copyFrom(a.sites[near])
	}
	a.theta, a.density = append(a.theta, theta), append(a.density, a.at(theta))
	a.sites = append(a.sites, a.ev.current().clone())
}

func newAverage(m Model, duels *Duels, from *Posterior) (*average, error) {
	h := from.Hyper()
	if err := m.check(duels, h); err != nil {
		return nil, err
	}
	m, h = m.forSides(duels, h)
	ev, err := m.evaluator(duels, h, from)
	if err != nil {
		return nil, err
	}
	if r, ok := ev.(*reduced); ok {
		r.fix(from)
	}
	a := &average{fixed: m.logPrior(h, nil)}
	raters := h.Raters
	h.Raters = nil
	a.fixed -= m.logPrior(h, nil)
	a.hyperDensity = hyperDensity{model: m, duels: duels, ev: ev, free: m.variables(h), raters: raters}
	a.lo, a.hi = m.box(h)
	a.start = m.theta(h)
	return a, nil
}

// weights returns the weights of the settings, drawn from these proposals, with sum 1.
func (a *average) weights(q proposals) []float64 {
	w := make([]float64, len(a.theta))
	for k, theta := range a.theta {
		w[k] = a.density[k] - q.log(theta)
	}
	top := slices.Max(w)
	var sum float64
	for k := range w {
		w[k] = math.Exp(w[k] - top)
		sum += w[k]
	}
	for k := range w {
		w[k] /= sum
	}
	return w
}

// evidence returns log ∫ Z(θ) p(θ) dθ ≈ log mean_k Z(θ_k) p(θ_k)/q(θ_k), without the priors of what is not averaged.
func (a *average) evidence(q proposals) float64 {
	each := make([]float64, len(a.theta))
	for k, theta := range a.theta {
		each[k] = a.density[k] - q.log(theta)
	}
	return logMean(each) - a.fixed
}

// fit returns the normal with the mean and the spread of the weighted settings, a little wider.
func (a *average) fit(w []float64) proposal {
	p := proposal{mean: make([]float64, len(a.start)), sd: make([]float64, len(a.start))}
	for i := range p.mean {
		for k, theta := range a.theta {
			p.mean[i] += w[k] * theta[i]
		}
		for k, theta := range a.theta {
			d := theta[i] - p.mean[i]
			p.sd[i] += w[k] * d * d
		}
		p.sd[i] = averageWiden * max(averageNarrow, math.Sqrt(p.sd[i]))
	}
	return p
}
