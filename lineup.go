package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
)

// A line-up has every item of a crossed space once, at the setting that suits it best. Two of three questions are about it: which item is best. The third
// is what the method finds among everything, and is mostly about settings. Left alone, a knowledge gradient that looks one answer ahead would set the
// favourite a little better for ever: every such answer is worth something, while no single one makes another item the pick.
const (
	lineupEvery = 3 // questions of which one is about everything
)

// choosing returns where the next question is looked for: a line-up of the items when it is their turn and two may be asked about, else everything.
func (v view) choosing(all *acquisition.Domain, law acquisition.Utility, best []float64, r rules) *acquisition.Domain {
	if v.code.Table() == nil || v.code.List != nil || v.count%lineupEvery == lineupEvery-1 || r.hold != nil || best == nil {
		return all
	}
	rows := v.code.Lineup(law, best, v.shown, r.fixed)
	may := 0
	for x := range slices.Chunk(rows, v.code.Dim) {
		if r.allowed == nil || r.allowed(x) {
			may++
		}
	}
	if may < 2 {
		return all
	}
	return &acquisition.Domain{List: rows, Dim: v.code.Dim}
}
