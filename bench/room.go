package bench

import (
	"fmt"
	"strconv"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// Room is the space of a taste as a study knows it: it translates between the options of the one and the points of the other.
type Room struct{ *problem.Taste }

func partName(j int) string { return fmt.Sprintf("p%d", j+1) }

// Space returns what a study about the taste searches.
func (r Room) Space() space.Space {
	var s space.Space
	if r.Items == nil {
		for j, p := range r.Parts {
			s.Parameters = append(s.Parameters, parameter(partName(j), p))
		}
		return s
	}
	for i, row := range r.Items {
		it := space.Item{ID: strconv.Itoa(i)}
		if len(row) > 0 {
			it.Features = r.setting(row)
		}
		s.Items = append(s.Items, it)
	}
	return s
}

func parameter(name string, p problem.Part) space.Parameter {
	switch {
	case p.Kind == problem.Continuous:
		return space.Float(name, 0, 1)
	case p.Kind == problem.Circular:
		return space.Circle(name, 0, 1)
	case p.Kind == problem.Ordered:
		return space.Int(name, 0, p.Levels-1)
	case p.Levels == 2:
		return space.Switch(name)
	}
	words := make([]string, p.Levels)
	for i := range words {
		words[i] = word(i)
	}
	return space.Categorical(name, words...)
}

// word names a choice.
func word(i int) string { return string(rune('a' + i)) }

// setting returns the values of the parts at x.
func (r Room) setting(x []float64) space.Option {
	o := space.Option{}
	for j, p := range r.Parts {
		switch v := x[j]; {
		case p.Kind != problem.Unordered:
			o[partName(j)] = space.ValueOf(v)
		case p.Levels == 2:
			o[partName(j)] = space.ValueOf(v == 1)
		default:
			o[partName(j)] = space.ValueOf(word(int(v)))
		}
	}
	return o
}

// Option returns the option at a point.
func (r Room) Option(x []float64) space.Option {
	if r.Items != nil {
		return space.ItemOption(strconv.Itoa(int(x[0])))
	}
	return r.setting(x)
}

// Point returns where an option lies.
func (r Room) Point(o space.Option) []float64 {
	if r.Items != nil {
		i, err := strconv.Atoi(o.Item())
		if err != nil {
			panic(fmt.Sprintf("bench: %v is no item of the list", o))
		}
		return []float64{float64(i)}
	}
	x := make([]float64, len(r.Parts))
	for j := range x {
		x[j] = r.Coordinate(j, o[partName(j)])
	}
	return x
}

// Coordinate returns where a value of part j lies.
func (r Room) Coordinate(j int, v space.Value) float64 {
	switch p := r.Parts[j]; {
	case p.Kind != problem.Unordered:
		return v.Float()
	case p.Levels == 2:
		if v.Bool() {
			return 1
		}
		return 0
	default:
		return float64(v.Word()[0] - 'a')
	}
}

// Worth returns the true utility of an option.
func (r Room) Worth(o space.Option) float64 { return r.Utility(r.Point(o)) }

// Replies are a rater's replies as a study takes them.
var Replies = map[problem.Reply]prefer.Choice{
	problem.First: prefer.First, problem.Second: prefer.Second, problem.Tie: prefer.Tie, problem.BothBad: prefer.BothBad, problem.Skip: prefer.Skip,
}
