package compare

import (
	"math"
	"slices"
)

// Range is the questions From to To, both included, counted after the initial pairs.
type Range struct{ From, To int }

// allQuestions leaves the initial pairs out: nobody had to choose them.
var allQuestions = Range{1, maxCount}

// Cost is seconds per question, NaN where the rows do not tell.
type Cost struct{ Median, Mean float64 }

// Timing is what the questions of a series took in a group, over all seeds.
type Timing struct {
	Questions int

	// On the clock: to learn from the answers, to choose the question, to find x̂, and the three together.
	Fit, Ask, Recommend, Total Cost
	CPU                        Cost // processor seconds of the three together
}

// Timing returns the seconds per question of a series in a group over a range of questions.
func (t *Table) Timing(g Group, s Series, in Range) Timing {
	var fit, ask, recommend, total, cpu []float64
	for _, seed := range t.Seeds(g, s) {
		for _, p := range t.Run(g, s, seed).points {
			if int(p.iter) < in.From || int(p.iter) > in.To {
				continue
			}
			fit = append(fit, float64(p.fit))
			ask = append(ask, float64(p.ask))
			recommend = append(recommend, float64(p.recommend))
			total = append(total, float64(p.fit)+float64(p.ask)+float64(p.recommend))
			cpu = append(cpu, float64(p.cpu))
		}
	}
	return Timing{len(fit), newCost(fit), newCost(ask), newCost(recommend), newCost(total), newCost(cpu)}
}

// newCost sorts the seconds. Rows leave out what they do not know, so all of them 0 is not a time.
func newCost(seconds []float64) Cost {
	slices.Sort(seconds)
	if len(seconds) == 0 || seconds[len(seconds)-1] == 0 {
		return Cost{math.NaN(), math.NaN()}
	}
	return Cost{quantile(seconds, 0.5), mean(seconds)}
}

// Against returns how many times the median seconds of another timing these are, on the clock and of the
// processor; NaN where either is not known. Both should come from one machine.
func (t Timing) Against(other Timing) (clock, cpu float64) {
	return t.Total.Median / other.Total.Median, t.CPU.Median / other.CPU.Median
}
