package view

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

const (
	noticeable = 0.05 // the part of a range from which on two values count as different
	byChance   = 0.05 // a count that chance makes this often says nothing
	bearings   = 12   // the values of a circle that are tried
)

// count is how often the option with one property was taken, of the answers in which one of the two had it.
type count struct {
	key         string // of its text
	name, value string
	taken, of   int
	chance      float64 // the probability of such a count if the property did not matter
}

// Counted says, by counting, which property was taken most consistently: "the one with higher chroma was chosen 14 of 16 times". It needs no model, so it can
// be said early. A sign test of each parameter decides whether it says anything; without such a parameter the text is empty. In a study per rater the
// answers are those of one rater, under contexts those given there.
func (p Presenter) Counted(rater string, fixed space.Option) string {
	pairs := p.taken(rater, fixed)
	best := count{chance: byChance}
	for _, a := range p.Axes() {
		if c := a.count(p, pairs); c.chance < best.chance {
			best = c
		}
	}
	if best.key == "" {
		return ""
	}
	return p.Lang.T("counted."+best.key, "name", best.name, "value", best.value, "taken", best.taken, "of", best.of)
}

// taken returns the options of the answers that count and prefer one of the two, the one that was taken first.
func (p Presenter) taken(rater string, fixed space.Option) (out [][2]space.Option) {
	own, here := p.study.Config().People == prefer.PerRater, p.space.Context(fixed)
	for _, e := range p.study.History() {
		person, _, _ := strings.Cut(e.Rater, "#")
		if e.Number == 0 || own && person != rater || !maps.Equal(p.space.Context(e.First), here) {
			continue
		}
		switch first, second := p.Values(e.First), p.Values(e.Second); e.Answer.Choice {
		case prefer.First:
			out = append(out, [2]space.Option{first, second})
		case prefer.Second:
			out = append(out, [2]space.Option{second, first})
		}
	}
	return out
}

// Axis is a parameter, or a feature of items with the values that it has.
type Axis struct{ space.Parameter }

// Axes lists the parameters whose values are chosen, and the features of items.
func (p Presenter) Axes() (out []Axis) {
	for _, q := range p.space.Parameters {
		if !q.Context {
			out = append(out, Axis{q})
		}
	}
	features := map[string][]space.Value{}
	for _, it := range p.items {
		for name, v := range it.Features {
			if !math.IsNaN(v.Float()) || !slices.Contains(features[name], v) {
				features[name] = append(features[name], v)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(features)) {
		a := Axis{p.Parameter(name)}
		if values := features[name]; math.IsNaN(values[0].Float()) {
			a.Type, a.Choices = "categorical", values
		} else if !a.Circular {
			less := func(x, y space.Value) int { return cmp.Compare(x.Float(), y.Float()) }
			a.Low, a.High = slices.MinFunc(values, less).Float(), slices.MaxFunc(values, less).Float()
		}
		out = append(out, a)
	}
	return out
}

// count counts along an axis.
func (a Axis) count(p Presenter, pairs [][2]space.Option) (best count) {
	best.chance = 1
	switch {
	case a.Type == "bool" || slices.Contains(a.Choices, space.ValueOf(true)):
		best = a.over(pairs, "with", "without", func(v space.Value) float64 { return map[bool]float64{true: 1}[v == space.ValueOf(true)] })
	case a.Type == "categorical":
		for _, value := range a.Choices {
			c := a.over(pairs, "chosen", "", func(v space.Value) float64 { return map[bool]float64{true: 1}[v == value] })
			if c.chance *= float64(len(a.Choices)) / 2; c.key != "" && c.chance < best.chance {
				best, best.value = c, p.choice(value)
			}
		}
	case a.Circular:
		for n := range bearings {
			at := a.Low + float64(n)/bearings*(a.High-a.Low)
			c := a.over(pairs, "near", "", func(v space.Value) float64 {
				turns := math.Abs(v.Float()-at) / (a.High - a.Low)
				return 1 - 2*math.Abs(turns-math.Round(turns))
			})
			if c.chance *= bearings / 2; c.key != "" && c.chance < best.chance {
				best, best.value = c, p.Value(a.Name, space.ValueOf(at))
			}
		}
	default:
		best = a.over(pairs, "higher", "lower", func(v space.Value) float64 { at, _ := Position(a.Parameter, v); return at })
	}
	best.name = p.Term(a.Name)
	return best
}

// over counts how often the option was taken that has more of something, from 0 to 1, or the one with less if that is more often. An empty key for less
// means that only more is said. Its chance is that of both directions together.
func (a Axis) over(pairs [][2]space.Option, more, less string, of func(space.Value) float64) count {
	c := count{key: more}
	for _, pair := range pairs {
		switch d := of(pair[0][a.Name]) - of(pair[1][a.Name]); {
		case d >= noticeable:
			c.taken++
			c.of++
		case d <= -noticeable:
			c.of++
		}
	}
	if 2*c.taken < c.of {
		c.key, c.taken = less, c.of-c.taken
	}
	c.chance = math.Min(1, 2*atLeast(c.taken, c.of))
	return c
}

// atLeast is the probability of at least k heads in n tosses of a fair coin.
func atLeast(k, n int) (sum float64) {
	all, _ := math.Lgamma(float64(n + 1))
	for i := k; i <= n; i++ {
		in, _ := math.Lgamma(float64(i + 1))
		out, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(all - in - out - float64(n)*math.Ln2)
	}
	return sum
}
