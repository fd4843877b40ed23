package coding

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
	"github.com/prefer-bo/prefer/space"
)

type constraint struct {
	text    string
	program *vm.Program
	Steps   float64 // that computing it takes at most
}

// compile reads the constraints of a space. They see the parameters by name, numbers as float64, and the
// functions of the expression language that are functions of their arguments alone.
func Compile(s space.Space) ([]constraint, error) {
	env := map[string]any{}
	words := map[string]float64{}
	if s.Crossed() {
		env[itemAxisName] = ""
		for _, it := range s.Items {
			words[itemAxisName] = max(words[itemAxisName], float64(len(it.ID)))
		}
	}
	for _, p := range s.Parameters {
		for _, v := range p.Choices {
			words[p.Name] = max(words[p.Name], float64(len(v.String())))
		}
		switch {
		case IsNumber(p):
			env[p.Name] = 0.0
		case p.Type == "bool":
			env[p.Name] = false
		case sameKind(p.Choices):
			env[p.Name] = p.Choices[0].Any()
		default:
			env[p.Name] = any(nil) // numbers and words mixed: checked when it runs
		}
	}
	var out []constraint
	for i, text := range s.Constraints {
		program, err := expr.Compile(text, expr.Env(env), expr.AsBool(), expr.DisableBuiltin("now"))
		if err != nil {
			return nil, fmt.Errorf("prefer: constraint %d, %s: %w", i, quoted(text), brief(err, text))
		}
		out = append(out, constraint{text, program, (&meter{words: words, vars: map[string]cost{}}).of(program.Node()).steps})
	}
	return out, nil
}

// maxQuoted is how much of a constraint an error repeats.
const maxQuoted = 120

// quoted returns a constraint as an error names it: its beginning, if it is long.
func quoted(text string) string {
	if r := []rune(text); len(r) > maxQuoted {
		return strconv.Quote(string(r[:maxQuoted])+"…") + fmt.Sprintf(" (%d characters)", len(r))
	}
	return strconv.Quote(text)
}

// brief returns an error of the expression language without the whole of a long text.
func brief(err error, text string) error {
	var at *file.Error
	if len(text) > maxQuoted && errors.As(err, &at) {
		return fmt.Errorf("%.*s (line %d, character %d)", maxQuoted, at.Message, at.Line, at.Column+1)
	}
	return err
}

func sameKind(values []space.Value) bool {
	return !slices.ContainsFunc(values, func(v space.Value) bool { return reflect.TypeOf(v.Any()) != reflect.TypeOf(values[0].Any()) })
}

// scratch is what computing constraints needs, kept from one time to the next: a search asks about thousands of points.
type scratch struct {
	env     map[string]any
	machine vm.VM
}

// unmet returns the first constraint that the values of an option do not meet, "" if there is none.
func (c *Coding) unmet(value func(Axis) space.Value) (string, error) {
	if len(c.Constraints) == 0 {
		return "", nil
	}
	s, ok := c.scratch.Get().(*scratch)
	if !ok {
		s = &scratch{env: make(map[string]any, len(c.Axes))}
	}
	defer c.scratch.Put(s)
	for _, a := range c.Axes {
		s.env[a.Name] = value(a).Any()
	}
	for _, k := range c.Constraints {
		out, err := s.machine.Run(k.program, s.env)
		if err != nil {
			o := space.Option{}
			for _, a := range c.Axes {
				o[a.Name] = value(a)
			}
			return k.text, fmt.Errorf("prefer: constraint %s cannot be computed for %v: %w", quoted(k.text), o, brief(err, k.text))
		}
		if met, _ := out.(bool); !met { // AsBool promises it
			return k.text, nil
		}
	}
	return "", nil
}

func (c *Coding) unmetAt(x []float64) (string, error) {
	return c.unmet(func(a Axis) space.Value { return a.Decode(x) })
}
