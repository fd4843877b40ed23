package prefer

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
)

// A line-up has every item of a crossed space once, at the setting that suits it best. Two of three questions are about it: which item is best. The third
// is what the method finds among everything, and is mostly about settings. Left alone, a knowledge gradient that looks one answer ahead would set the
// favourite a little better for ever: every such answer is worth something, while no single one makes another item the pick.
const (
	lineupEvery = 3 // questions of which one is about everything
)

const (
	lineupPoints = 64     // settings that items are tried at beside those that were shown
	lineupMeans  = 20_000 // items times settings, at most
)

// lineup returns every item at the one with the highest mean of some settings, best item first, row by row: those of best and of what was shown last, and some
// everywhere. An item that the constraints allow at none of them, or that ok does not let through, is left out.
func (c *coding) lineup(law acquisition.Utility, best, shown []float64, set func(x []float64)) []float64 {
	t := c.table()
	n, most := len(t.back), max(4, lineupMeans/len(t.back))
	settings := slices.Concat(best, c.points(min(lineupPoints, most/2), 0x7e57))
	if some := (most - len(settings)/c.dim) * c.dim; len(shown) > some {
		shown = shown[len(shown)-some:]
	}
	settings = slices.Concat(settings, shown)
	var tried []float64
	var of []int
	for i := range n {
		for at := range slices.Chunk(settings, c.dim) {
			x := slices.Concat(t.rows[i*t.dim:(i+1)*t.dim], at[t.dim:])
			if set != nil {
				set(x)
			}
			if c.contains(x) {
				tried, of = append(tried, x...), append(of, i)
			}
		}
	}
	mean := make([]float64, len(of))
	law.Means(mean, tried, 1)
	top, score := make([]int, n), make([]float64, n)
	for i := range top {
		top[i], score[i] = -1, math.Inf(-1)
	}
	for k, i := range of {
		if top[i] < 0 || mean[k] > score[i] {
			top[i], score[i] = k, mean[k]
		}
	}
	var rows []float64
	for _, i := range byScore(score) {
		if top[i] >= 0 {
			rows = append(rows, tried[top[i]*c.dim:(top[i]+1)*c.dim]...)
		}
	}
	return rows
}

// choosing returns where the next question is looked for: a line-up of the items when it is their turn and two may be asked about, else everything.
func (v view) choosing(all *acquisition.Domain, law acquisition.Utility, best []float64, r rules) *acquisition.Domain {
	if v.code.table() == nil || v.code.items != nil || v.count%lineupEvery == lineupEvery-1 || r.hold != nil || best == nil {
		return all
	}
	rows := v.code.lineup(law, best, v.shown, r.fixed)
	may := 0
	for x := range slices.Chunk(rows, v.code.dim) {
		if r.allowed == nil || r.allowed(x) {
			may++
		}
	}
	if may < 2 {
		return all
	}
	return &acquisition.Domain{List: rows, Dim: v.code.dim}
}
