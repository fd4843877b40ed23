package page

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

// What makes no sense is found, and said at the field it is in.
func TestWrong(t *testing.T) {
	with := func(p prefer.Parameter, change func(*prefer.Parameter)) prefer.Parameter { change(&p); return p }
	x := prefer.Float("x", 0, 1)
	for _, c := range []struct {
		params      []prefer.Parameter
		constraints []string
		field, text string
	}{
		{params: []prefer.Parameter{x}},
		{field: "params", text: "no parameters"},
		{params: []prefer.Parameter{x, prefer.Float(" ", 0, 1)}, field: "params[1].name", text: "parameter 2 has no name"},
		{params: []prefer.Parameter{x, x}, field: "params[1].name", text: `two parameters are called "x"`},
		{params: []prefer.Parameter{prefer.Float("y", 2, 1)}, field: "params[0].high", text: "low < high"},
		{params: []prefer.Parameter{x, prefer.LogFloat("y", 0, 1)}, field: "params[1].log", text: "log scale"},
		{params: []prefer.Parameter{with(prefer.Int("y", 0, 10), func(p *prefer.Parameter) { p.Step = 3 })}, field: "params[0].step", text: "does not reach"},
		{params: []prefer.Parameter{with(prefer.Int("y", 0, 10), func(p *prefer.Parameter) { p.Low = .5 })}, field: "params[0].low", text: "whole numbers"},
		{params: []prefer.Parameter{with(prefer.Int("y", 0, 10), func(p *prefer.Parameter) { p.High = 9.5 })}, field: "params[0].high", text: "whole numbers"},
		{params: []prefer.Parameter{with(prefer.Int("y", 0, 1), func(p *prefer.Parameter) { p.Circular = true })}, field: "params[0].circular", text: "circular"},
		{params: []prefer.Parameter{prefer.Categorical("y", "only")}, field: "params[0].choices", text: "has 1 choices"},
		{params: []prefer.Parameter{{Name: "y", Type: "colour"}}, field: "params[0].type", text: `type "colour"`},
		{params: []prefer.Parameter{with(x, func(p *prefer.Parameter) { p.Context = true })}, field: "params", text: "contexts only"},
		{params: []prefer.Parameter{x}, constraints: []string{"x > 0", "x > frog"}, field: "constraints[1]", text: "frog"},
		{params: []prefer.Parameter{x}, constraints: []string{"x > 2"}, field: "constraints[0]", text: "constraint"},
	} {
		field, err := wrong(prefer.Space{Parameters: c.params, Constraints: c.constraints})
		if field != c.field || (err == nil) != (c.text == "") || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%+v %q: %q, %v; want %q, %q", c.params, c.constraints, field, err, c.field, c.text)
		}
	}
}
