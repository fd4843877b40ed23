package judges

import (
	"context"
	"math/rand/v2"
)

// sorting sorts by merging, with the judge as comparator, and begins again in another order when it is done. The best has the best place in the mean of the sorts that are done or, before
// the first is, heads the longest run.
type sorting struct {
	r       *rand.Rand
	repeats int     // of one comparison, odd
	runs    [][]int // sorted, best first, yet to be merged: the first two are
	merged  []int   // of these two
	left    int     // repeats of the comparison that are left
	won     int     // by the first run's head, less those it lost
	place   []float64
	sorts   int
}

func newSorting(r *rand.Rand, n, repeats int) *sorting {
	p := &sorting{r: r, repeats: repeats, place: make([]float64, n)}
	p.begin()
	return p
}

// begin has everybody in a run of her own.
func (p *sorting) begin() {
	p.runs = nil
	for _, i := range p.r.Perm(len(p.place)) {
		p.runs = append(p.runs, []int{i})
	}
	p.left = p.repeats
}

func (p *sorting) next(context.Context) (int, int, error) { return p.runs[0][0], p.runs[1][0], nil }

func (p *sorting) told(_ context.Context, tookA, _ bool) error {
	if tookA {
		p.won++
	} else {
		p.won--
	}
	p.left--
	if p.left > 0 && p.won <= p.left && -p.won <= p.left { // the majority is open
		return nil
	}
	better := 0
	if p.won < 0 {
		better = 1
	}
	p.won, p.left = 0, p.repeats
	p.merged = append(p.merged, p.runs[better][0])
	p.runs[better] = p.runs[better][1:]
	if len(p.runs[0]) > 0 && len(p.runs[1]) > 0 {
		return nil
	}
	p.merged = append(append(p.merged, p.runs[0]...), p.runs[1]...)
	p.runs, p.merged = append(p.runs[2:], p.merged), nil
	if len(p.runs) == 1 {
		for at, i := range p.runs[0] {
			p.place[i] -= float64(at)
		}
		p.sorts++
		p.begin()
	}
	return nil
}

func (p *sorting) pick(context.Context) (int, float64, error) {
	if p.sorts > 0 {
		return most(p.r, p.place), 0, nil
	}
	longest := p.merged
	for _, run := range p.runs {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return longest[0], 0, nil
}
