package acquisition

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// A part with very many levels without order, as a list of prompts, cannot have each of them tried in every exchange of a climb: a thousand levels
// of four points would be ten thousand evaluations a round. The levels that may win are few: those with high means where x̂ is, and those of which
// little is known. Levels nobody has seen are all alike, and a few of them stand for the rest.
const (
	promisingAll  = 32 // levels up to which all are tried
	promisingEach = 8  // best ones by mean + z·sd, for every z below
)

var promisingDoubts = [...]float64{0, 1, 2}

// promising keeps the levels of large parts that climbs of a question try: the best ones at the peaks of the mean, and those of the peaks themselves.
// The search for x̂ itself tries all of them.
func (r *region) promising(p *gp.Posterior, peaks []Peak) {
	r.tried = make([][]int, len(r.discrete))
	for k, part := range r.discrete {
		n := part.count()
		if part.Ordered || n <= promisingAll {
			continue
		}
		x := make([]float64, 0, n*r.d)
		for l := range n {
			x = append(x, peaks[0].X...)
			copy(part.of(x[l*r.d:]), part.level(l))
		}
		mean, variance, score := make([]float64, n), make([]float64, n), make([]float64, n)
		p.Marginals(mean, variance, x, 1)
		levels := xslices.Map(peaks[:min(len(peaks), candidatePeaks)], func(pk Peak) int { return part.find(pk.X) })
		for _, z := range promisingDoubts {
			for l := range score {
				score[l] = mean[l] + z*math.Sqrt(math.Max(0, variance[l]))
				if slices.Contains(levels, l) {
					score[l] = math.NaN()
				}
			}
			levels = append(levels, topRows(score, promisingEach)...)
		}
		slices.Sort(levels)
		r.tried[k] = slices.Compact(levels)
	}
}

// trial returns the levels of discrete part k that an exchange tries.
func (r *region) trial(k int) []int {
	if k < len(r.tried) && r.tried[k] != nil {
		return r.tried[k]
	}
	return r.every[k]
}
