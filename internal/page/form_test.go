package page

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// What makes no sense is found, and said at the field it is in.
func TestWrong(t *testing.T) {
	with := func(p space.Parameter, change func(*space.Parameter)) space.Parameter { change(&p); return p }
	x := space.Float("x", 0, 1)
	for _, c := range []struct {
		params      []space.Parameter
		constraints []string
		field, text string
	}{
		{params: []space.Parameter{x}},
		{field: "params", text: "no parameters"},
		{params: []space.Parameter{x, space.Float(" ", 0, 1)}, field: "params[1].name", text: "parameter 2 has no name"},
		{params: []space.Parameter{x, x}, field: "params[1].name", text: `two parameters are called "x"`},
		{params: []space.Parameter{space.Float("y", 2, 1)}, field: "params[0].high", text: "low < high"},
		{params: []space.Parameter{x, space.LogFloat("y", 0, 1)}, field: "params[1].log", text: "log scale"},
		{params: []space.Parameter{with(space.Int("y", 0, 10), func(p *space.Parameter) { p.Step = 3 })}, field: "params[0].step", text: "does not reach"},
		{params: []space.Parameter{with(space.Int("y", 0, 10), func(p *space.Parameter) { p.Low = .5 })}, field: "params[0].low", text: "whole numbers"},
		{params: []space.Parameter{with(space.Int("y", 0, 10), func(p *space.Parameter) { p.High = 9.5 })}, field: "params[0].high", text: "whole numbers"},
		{params: []space.Parameter{with(space.Int("y", 0, 1), func(p *space.Parameter) { p.Circular = true })}, field: "params[0].circular", text: "circular"},
		{params: []space.Parameter{space.Categorical("y", "only")}, field: "params[0].choices", text: "has 1 choices"},
		{params: []space.Parameter{{Name: "y", Type: "colour"}}, field: "params[0].type", text: `type "colour"`},
		{params: []space.Parameter{with(x, func(p *space.Parameter) { p.Context = true })}, field: "params", text: "contexts only"},
		{params: []space.Parameter{x}, constraints: []string{"x > 0", "x > frog"}, field: "constraints[1]", text: "frog"},
		{params: []space.Parameter{x}, constraints: []string{"x > 2"}, field: "constraints[0]", text: "constraint"},
	} {
		field, err := wrong(space.Space{Parameters: c.params, Constraints: c.constraints})
		if field != c.field || (err == nil) != (c.text == "") || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%+v %q: %q, %v; want %q, %q", c.params, c.constraints, field, err, c.field, c.text)
		}
	}
}
