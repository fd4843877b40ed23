package people

import (
	"fmt"
	"math"
)

// Quick returns the plan of some seconds: two small groups of the same taste and two of strangers, in one space.
func Quick() Plan {
	return Plan{Numbers: 2, Seed: 1, Populations: []string{"same", "strangers"}, Spaces: []string{"2"}, Family: "smooth", People: []int{4}, Marks: []int{8}}
}

// side is what picks miss after the last answer of Quick.
type side struct{ population, arm, measure string }

// limits are what must hold of Quick: less is below more by so much, or above it by no more than −by. A team of one taste gains by
// everybody's answers, a team of strangers has a blend that nobody wants; who learns from others as far as they are alike gains
// by the first and does not lose by the second. With so few studies they catch what is broken, not what has become a little worse.
var limits = []struct {
	less, more side
	by         float64
}{
	{side{"same", "shared", everybody.missed}, side{"strangers", "shared", everybody.missed}, 0.1},
	{side{"strangers", "separate", everybody.missed}, side{"strangers", "shared", everybody.missed}, 0.05},
	{side{"same", "shared", everybody.missed}, side{"same", "separate", everybody.missed}, 0},
	{side{"same", "joint", everybody.missed}, side{"same", "separate", everybody.missed}, 0},
	{side{"strangers", "joint", everybody.missed}, side{"strangers", "separate", everybody.missed}, -0.1},
	{side{"same", "shared", newcomer.missed}, side{"strangers", "shared", newcomer.missed}, 0.1},
}

// Broken says in words which limits the table of Quick breaks. What is not in it breaks its limits.
func Broken(t Table) (out []string) {
	q := Quick()
	of := func(s side) float64 {
		r, ok := t.find(group{s.population, q.People[0], 0}, s.arm, "", s.measure, q.Marks[len(q.Marks)-1])
		if !ok {
			return math.NaN()
		}
		return r.Value
	}
	for _, l := range limits {
		if less, more := of(l.less), of(l.more); !(less <= more-l.by) {
			out = append(out, fmt.Sprintf("%s: %.3f of %s, %s, want it below the %.3f of %s, %s by %g", l.less.measure, less, l.less.population, l.less.arm,
				more, l.more.population, l.more.arm, l.by))
		}
	}
	if t.Checks == nil || t.Checks.Missed > 0 {
		out = append(out, fmt.Sprintf("checks: %+v, want all that were due to everybody", t.Checks))
	}
	return out
}
