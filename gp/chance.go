package gp

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// chancePoints is the number of settings of the gaps between cuts that Chance averages over.
const chancePoints = 64

// Chance returns the log evidence of the answers if nothing is better than anything: every difference is noise alone, and
// only the gaps between cuts are learned,
//
//	log ∫ Π_i Pr(o_i | d = 0, gaps) p(gaps) dgaps,
//
// n log ½ for two outcomes. Against the Evidence of Average it says whether answers look like chance. Raters are taken to
// be alike, but for their position bias, which the model also has: to follow the order is no taste. It is NaN where there are level duels: what somebody
// would take is not chance.
func (m Model) Chance(duels *Duels) float64 {
	m, _ = m.WithDefaults().forSides(duels, Hyper{})
	if slices.Contains(duels.Level, true) {
		return math.NaN()
	}
	counts, sided := duels.tally(m.positioned())
	at := func(cuts Cuts, tau float64) (sum float64) {
		likelihood := func(counts map[Outcome]float64, shift float64) (sum float64) {
			for _, o := range m.Answers.Outcomes() {
				if n := counts[o]; n > 0 {
					iv := cuts.Interval(o, 1)
					sum += n * normal.LogInterval(iv.Lo-shift, iv.Hi-shift)
				}
			}
			return sum
		}
		sum = likelihood(counts, 0)
		for _, by := range sided {
			sum += logNormalMean(func(z float64) float64 { return likelihood(by, tau*z) })
		}
		return sum
	}
	var priors []Prior
	if m.positioned() {
		priors = append(priors, m.Position)
	}
	for _, g := range m.gaps() {
		priors = append(priors, g.prior)
	}
	free := len(priors)
	if free == 0 {
		return at(m.Answers.cuts(nil), 0)
	}
	p := proposalOf(priors, make([]float64, free))
	each := make([]float64, chancePoints)
	z := sobol.Normals(free, chancePoints, averageSeed, normal.Quantile)
	for k := range each {
		theta := p.at(z[k*free : (k+1)*free])
		gaps := make([]float64, free)
		each[k] = -proposals{p}.log(theta)
		for i, t := range theta {
			gaps[i] = math.Exp(t)
			prior, _ := priors[i].LogDensity(gaps[i])
			each[k] += prior
			if priors[i].Family != FlatFamily {
				each[k] += t
			}
		}
		tau := 0.0
		if m.positioned() {
			tau, gaps = gaps[0], gaps[1:]
		}
		each[k] += at(m.Answers.cuts(gaps), tau)
	}
	return logMean(each)
}

// tally counts outcomes: those of duels without a side and, where there is position bias, by rater those of duels with one, as seen from what was shown first.
func (d *Duels) tally(positioned bool) (counts map[Outcome]float64, sided []map[Outcome]float64) {
	counts = map[Outcome]float64{}
	for i, o := range d.Outcome {
		if !positioned || d.side(i) == 0 {
			counts[o]++
		}
	}
	if !positioned {
		return counts, nil
	}
	for _, r := range d.sidedBy() {
		by := map[Outcome]float64{}
		for _, i := range r.duels {
			by[d.Outcome[i]*Outcome(d.Side[i])]++
		}
		sided = append(sided, by)
	}
	return counts, sided
}

// logNormalMean returns log E e^{f(z)} for z ~ N(0, 1), by the trapezoidal rule: for the likelihoods here, which are log-concave, to all digits at a hundred
// answers and τ = 1, and to 0.1 at a thousand.
func logNormalMean(f func(z float64) float64) float64 {
	const reach, step = 7.0, 0.1
	var each []float64
	for z := -reach; z <= reach; z += step {
		each = append(each, normal.LogPDF(z)+f(z))
	}
	return logMean(each) + math.Log(float64(len(each))*step)
}
