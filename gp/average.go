package gp

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// Effort of Average, measured on answers of real people and on simulated ones (docs/statements.md).
const (
	averagePrior  = 16   // settings drawn from the prior, …
	averageNear   = 16   // … near the likeliest one, …
	averageAgain  = 32   // … and where these two found weight
	averageWiden  = 1.15 // by how much wider than that the last ones are spread …
	averageNarrow = 0.2  // … and how narrow they may become, in log hyper-parameters
	averageKept   = 12   // settings that are kept at most: the heaviest
	averageSmall  = 0.01 // a lighter one is not worth its algebra
	averageSeed   = 0xa7e
	averageFew    = 200  // up to so many duels all of this; beyond, in proportion fewer settings, …
	averageNone   = 1000 // … and from here on the likeliest one alone, which nothing else comes near
)

// Average returns the utility when hyper-parameters are not taken for known: posteriors at several settings θ, weighted
// by how well they foretold the answers,
//
//	p(f | answers) ≈ Σ_k w_k p(f | θ_k, answers),   w_k ∝ Z(θ_k) p(θ_k)/q(θ_k),
//
// with Z the evidence, p(θ) the prior of the logs of lengthscales, outputscale, trend and gaps between cuts (the density of
// Draws), and q what the θ_k were drawn from. After a few dozen answers the likeliest setting is one of many that fit
// nearly as well, and most of the others say that less is known: taken for known it says 87 % where 60 to 77 are true.
//
// Importance sampling in two rounds (population Monte Carlo, Cappé et al. 2004) in place of a chain: quasi-random θ from
// the prior and from round the likeliest setting, then from a normal with the mean and spread of what these weigh. q is the
// mixture of all three in proportion to their numbers (Owen & Zhou 2000; Veach's balance heuristic), so that no weight can
// explode: the prior is always a part of it. 64 evidences without gradients, two to three fits; the draws of a chain that
// say as much take 170. The points are the same at every call, so that one more answer moves the weights and not the
// points of the first round: what is said about a study does not flicker.
//
// Nor is a prior taken for known: with several models each has the same chance beforehand, and shares in the whole by the
// evidence of its average. The effort is shared among them.
//
// The noise of raters, of whom there may be hundreds, is taken at its likeliest. The result depends on duels and models
// alone.
func Average(ctx context.Context, duels *Duels, models ...Model) (*Mixture, error) {
	var posts []*Posterior
	var weights, each []float64
	for _, m := range models {
		x, err := m.average(ctx, duels, len(models))
		if err != nil {
			return nil, err
		}
		each = append(each, x.evidence)
		for k := range x.Len() {
			posts, weights = append(posts, x.Posterior(k)), append(weights, math.Log(x.Weight(k))+x.evidence)
		}
	}
	top := slices.Max(weights)
	for k := range weights {
		weights[k] = math.Exp(weights[k] - top)
	}
	out := heaviest(posts, weights)
	out.evidence = logMean(each)
	return out, nil
}

// average returns the average of one model of so many.
func (m Model) average(ctx context.Context, duels *Duels, models int) (*Mixture, error) {
	from, err := m.Fit(ctx, duels, nil)
	if err != nil {
		return nil, err
	}
	n := duels.Len()
	if n >= averageNone || from.maker == Sparse {
		x := NewMixture([]*Posterior{from}, nil)
		x.evidence = from.evidence
		return x, nil
	}
	m = m.WithDefaults()
	a, err := newAverage(m, duels, from)
	if err != nil {
		return nil, err
	}
	share := min(1, float64(averageFew)/float64(max(n, 1))) / float64(models)
	count := func(all int) int { return max(2, int(math.Round(share*float64(all)))) }
	start := proposals{a.prior(), {mean: shift(a.start, drawCentre), sd: fill(len(a.start), drawScale)}}
	points := sobol.Normals(len(a.start), averagePrior+averageNear+averageAgain, averageSeed, normal.Quantile)
	next := func() []float64 {
		z := points[:len(a.start)]
		points = points[len(a.start):]
		return z
	}
	for i, k := range []int{count(averagePrior), count(averageNear)} {
		for range k {
			a.add(start[i].at(next()))
		}
		start[i].count = float64(k)
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	again := a.fit(a.weights(start))
	again.count = float64(count(averageAgain))
	for range int(again.count) {
		a.add(again.at(next()))
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	all := append(start, again)
	x, err := a.mixture(a.weights(all))
	if err == nil {
		x.evidence = a.evidence(all)
	}
	return x, err
}

// heaviest returns the mixture of those posteriors that are worth their algebra, the heaviest first. Nothing else depends on
// their order but bits.
func heaviest(posts []*Posterior, weights []float64) *Mixture {
	order := make([]int, len(posts))
	var sum float64
	for k := range order {
		order[k] = k
		sum += weights[k]
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(weights[k], weights[i]) })
	var kept []*Posterior
	var w []float64
	for _, k := range order[:min(len(order), averageKept)] {
		if weights[k] < averageSmall*sum && len(kept) > 0 {
			break
		}
		kept, w = append(kept, posts[k]), append(w, weights[k])
	}
	return NewMixture(kept, w)
}

// average gathers settings and their densities.
type average struct {
	walk
	fixed   float64 // log prior of the noise of raters, a part of every density
	start   []float64
	theta   [][]float64
	density []float64
}

func newAverage(m Model, duels *Duels, from *Posterior) (*average, error) {
	h := from.Hyper()
	if err := m.check(duels, h); err != nil {
		return nil, err
	}
	ev, err := m.evaluator(duels, h, from)
	if err != nil {
		return nil, err
	}
	a := &average{fixed: m.logPrior(h, nil)}
	raters := h.Raters
	h.Raters = nil
	a.fixed -= m.logPrior(h, nil)
	a.walk = walk{model: m, duels: duels, ev: ev, free: m.variables(h), raters: raters}
	a.lo, a.hi = m.box(h)
	a.start = m.theta(h)
	return a, nil
}

// proposal is a normal with independent coordinates that count settings are drawn from.
type proposal struct {
	mean, sd []float64
	count    float64
}

type proposals []proposal

// at returns the setting of a standard normal z.
func (p proposal) at(z []float64) []float64 {
	x := make([]float64, len(z))
	for i := range x {
		x[i] = p.mean[i] + p.sd[i]*z[i]
	}
	return x
}

// log returns the log density of all proposals together.
func (ps proposals) log(x []float64) float64 {
	var sum, all float64
	top := math.Inf(-1)
	each := make([]float64, len(ps))
	for k, p := range ps {
		for i := range x {
			each[k] += normal.LogPDF((x[i]-p.mean[i])/p.sd[i]) - math.Log(p.sd[i])
		}
		top = max(top, each[k])
	}
	for k, p := range ps {
		sum += p.count * math.Exp(each[k]-top)
		all += p.count
	}
	return top + math.Log(sum/all)
}

// prior returns a normal like the prior of θ.
func (a *average) prior() proposal {
	priors := make([]Prior, len(a.free))
	for i, v := range a.free {
		priors[i] = v.prior
	}
	return proposalOf(priors, a.start)
}

// proposalOf returns a normal like priors of logs: the prior itself where that is log-normal, one with the same mean and
// spread of the log for a Gamma, and a wide one round start where there is no opinion.
func proposalOf(priors []Prior, start []float64) proposal {
	p := proposal{mean: make([]float64, len(priors)), sd: make([]float64, len(priors)), count: 1}
	for i, v := range priors {
		switch v.Family {
		case LogNormalFamily:
			p.mean[i], p.sd[i] = v.A, v.B
		case GammaFamily: // Var log x = ψ′(A) ≈ 1/A + 1/2A², E log x = ψ(A) − log B ≈ log(A/B) − 1/2A
			p.mean[i], p.sd[i] = math.Log(v.A/v.B)-1/(2*v.A), math.Sqrt(1/v.A+1/(2*v.A*v.A))
		default:
			p.mean[i], p.sd[i] = start[i], 2
		}
	}
	return p
}

func (a *average) add(theta []float64) {
	a.theta = append(a.theta, theta)
	a.density = append(a.density, a.walk.density(theta))
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

// logMean returns log mean_k e^{x_k}.
func logMean(x []float64) float64 {
	top := slices.Max(x)
	var sum float64
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum/float64(len(x)))
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

// mixture returns the posteriors at the settings that weigh anything.
func (a *average) mixture(w []float64) (*Mixture, error) {
	var posts []*Posterior
	var weights []float64
	for k := range w {
		if !(w[k] >= averageSmall) {
			continue
		}
		a.walk.theta = a.theta[k]
		p, err := a.walk.posterior()
		if err != nil {
			return nil, err
		}
		posts, weights = append(posts, p), append(weights, w[k])
	}
	if len(posts) == 0 {
		return nil, fmt.Errorf("gp: %v inference broke down on %d duels at all of %d settings of the hyper-parameters", a.model.Inference, a.duels.Len(), len(w))
	}
	return heaviest(posts, weights), nil
}

func shift(x []float64, by float64) []float64 {
	out := slices.Clone(x)
	for i := range out {
		out[i] += by
	}
	return out
}

func fill(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }
