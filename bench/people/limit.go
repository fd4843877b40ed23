package people

import "fmt"

// Quick returns the plan of some seconds: one small group of the same taste and one of strangers, one space.
func Quick() Plan {
	return Plan{Numbers: 2, Seed: 1, Populations: []string{"same", "strangers"}, Spaces: []string{"2"}, Family: "smooth", People: []int{4}, Marks: []int{4, 8}}
}

// Limit is what must hold of the studies of Quick: one mean is below another by so much, or above it by no more. With so few they are wide: they catch
// what is broken, not what has become a little worse.
type Limit struct {
	Less, More Side
	By         float64
}

// Side is a mean of the table after the last answer.
type Side struct{ Population, Arm, Measure string }

// Limits returns what must hold. A team of one taste gains by everybody's answers, a team of strangers has a blend that nobody
// wants; who learns from others as far as they are alike gains by the first and does not lose by the second.
func Limits() []Limit {
	of := func(population, arm string) Side { return Side{population, arm, everybody.missed} }
	return []Limit{
		{of("same", "shared"), of("strangers", "shared"), 0.1},
		{of("strangers", "separate"), of("strangers", "shared"), 0.05},
		{of("same", "shared"), of("same", "separate"), 0},
		{of("same", "joint"), of("same", "separate"), 0},
		{of("strangers", "joint"), of("strangers", "separate"), -0.1},
		{Side{"same", "shared", newcomer.missed}, Side{"strangers", "shared", newcomer.missed}, 0.1},
	}
}

// Check returns an error that says how the limit is broken.
func (l Limit) Check(t Table) error {
	var values [2]float64
	for i, s := range []Side{l.Less, l.More} {
		r, ok := t.find(group{s.Population, Quick().People[0], 0}, s.Arm, "", s.Measure, t.Marks[len(t.Marks)-1])
		if !ok {
			return fmt.Errorf("%s, %s: no %s", s.Population, s.Arm, s.Measure)
		}
		values[i] = r.Value
	}
	if values[0] > values[1]-l.By {
		return fmt.Errorf("%s: %.3f of %s, %s, want it below the %.3f of %s, %s by %g", l.Less.Measure, values[0], l.Less.Population, l.Less.Arm,
			values[1], l.More.Population, l.More.Arm, l.By)
	}
	return nil
}

// Broken says which limits are, in words, that of checks among them, and of how many.
func Broken(t Table) (broken []string, of int) {
	for _, l := range Limits() {
		if err := l.Check(t); err != nil {
			broken = append(broken, err.Error())
		}
	}
	if c := t.Checks; c == nil || c.Missed > 0 {
		broken = append(broken, fmt.Sprintf("checks: %+v, want all that were due to everybody", c))
	}
	return broken, len(Limits()) + 1
}
