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
// be alike. It is NaN where there are level duels: what somebody would take is not chance.
func (m Model) Chance(duels *Duels) float64 {
	m = m.WithDefaults()
	if slices.Contains(duels.Level, true) {
		return math.NaN()
	}
	counts := map[Outcome]float64{}
	for _, o := range duels.Outcome {
		counts[o]++
	}
	at := func(cuts Cuts) (sum float64) {
		for _, o := range m.Answers.Outcomes() {
			if n := counts[o]; n > 0 {
				iv := cuts.Interval(o, 1)
				sum += n * normal.LogInterval(iv.Lo, iv.Hi)
			}
		}
		return sum
	}
	var priors []Prior
	for _, g := range m.gaps() {
		priors = append(priors, g.prior)
	}
	free := len(priors)
	if free == 0 {
		return at(m.Answers.cuts(nil))
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
		each[k] += at(m.Answers.cuts(gaps))
	}
	return logMean(each)
}
