package statements

import (
	"fmt"
	"strconv"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/problem"
)

// room translates between the options of a study and the points of a taste.
type room struct{ *problem.Taste }

func name(j int) string { return fmt.Sprintf("p%d", j+1) }

// space returns what a study about the taste searches.
func (r room) space() prefer.Space {
	var s prefer.Space
	if r.Items == nil {
		for j, p := range r.Parts {
			s.Parameters = append(s.Parameters, parameter(name(j), p))
		}
		return s
	}
	for i, row := range r.Items {
		it := prefer.Item{ID: strconv.Itoa(i)}
		if len(row) > 0 {
			it.Features = r.setting(row)
		}
		s.Items = append(s.Items, it)
	}
	return s
}

func parameter(name string, p problem.Part) prefer.Parameter {
	switch {
	case p.Kind == problem.Continuous:
		return prefer.Float(name, 0, 1)
	case p.Kind == problem.Circular:
		return prefer.Circle(name, 0, 1)
	case p.Kind == problem.Ordered:
		return prefer.Int(name, 0, p.Levels-1)
	case p.Levels == 2:
		return prefer.Switch(name)
	}
	words := make([]string, p.Levels)
	for i := range words {
		words[i] = word(i)
	}
	return prefer.Categorical(name, words...)
}

// word names a choice.
func word(i int) string { return string(rune('a' + i)) }

// setting returns the values of the parts at x.
func (r room) setting(x []float64) prefer.Option {
	o := prefer.Option{}
	for j, p := range r.Parts {
		switch v := x[j]; {
		case p.Kind != problem.Unordered:
			o[name(j)] = prefer.ValueOf(v)
		case p.Levels == 2:
			o[name(j)] = prefer.ValueOf(v == 1)
		default:
			o[name(j)] = prefer.ValueOf(word(int(v)))
		}
	}
	return o
}

// option returns the option at a point.
func (r room) option(x []float64) prefer.Option {
	if r.Items != nil {
		return prefer.ItemOption(strconv.Itoa(int(x[0])))
	}
	return r.setting(x)
}

// point returns where an option lies.
func (r room) point(o prefer.Option) []float64 {
	if r.Items != nil {
		i, err := strconv.Atoi(o.Item())
		if err != nil {
			panic(fmt.Sprintf("statements: %v is no item of the list", o))
		}
		return []float64{float64(i)}
	}
	x := make([]float64, len(r.Parts))
	for j := range x {
		x[j] = r.coordinate(j, o[name(j)])
	}
	return x
}

// coordinate returns where a value of part j lies.
func (r room) coordinate(j int, v prefer.Value) float64 {
	switch p := r.Parts[j]; {
	case p.Kind != problem.Unordered:
		return v.Float()
	case p.Levels == 2:
		return truth(v.Bool())
	default:
		return float64(v.Word()[0] - 'a')
	}
}

// worth returns the true utility of an option.
func (r room) worth(o prefer.Option) float64 { return r.Utility(r.point(o)) }
