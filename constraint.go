package prefer

import (
	"fmt"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

// constraint is a compiled condition on the parameters.
type constraint struct {
	text    string
	program *vm.Program
}

// compile reads the constraints of a space. They see the parameters by name, numbers as float64, and the
// functions of the expression language that are functions of their arguments alone.
func (s Space) compile() ([]constraint, error) {
	env := map[string]any{}
	for _, p := range s.Parameters {
		switch {
		case p.kind() == typeFloat || p.kind() == typeInt:
			env[p.Name] = 0.0
		case p.kind() == typeBool:
			env[p.Name] = false
		case sameKind(p.Choices):
			env[p.Name] = p.Choices[0].any()
		default:
			env[p.Name] = any(nil) // numbers and words mixed: checked when it runs
		}
	}
	var out []constraint
	for i, text := range s.Constraints {
		program, err := expr.Compile(text, expr.Env(env), expr.AsBool(), expr.DisableBuiltin("now"))
		if err != nil {
			return nil, fmt.Errorf("prefer: constraint %d, %q: %w", i, text, err)
		}
		out = append(out, constraint{text, program})
	}
	return out, nil
}

func sameKind(values []Value) bool {
	for _, v := range values {
		if v.kind != values[0].kind {
			return false
		}
	}
	return true
}

// any returns the value as the expression language knows it.
func (v Value) any() any {
	switch v.kind {
	case word:
		return v.word
	case boolean:
		return v.num == 1
	}
	return v.num
}

// holds computes the condition for an option.
func (c constraint) holds(o Option) (bool, error) {
	env := make(map[string]any, len(o))
	for name, v := range o {
		env[name] = v.any()
	}
	out, err := expr.Run(c.program, env)
	if err != nil {
		return false, fmt.Errorf("prefer: constraint %q cannot be computed for %v: %w", c.text, o, err)
	}
	ok, _ := out.(bool) // AsBool promises it
	return ok, nil
}

// scratch is what computing constraints needs, kept from one time to the next: a search asks about thousands of points.
type scratch struct {
	env     map[string]any
	machine vm.VM
}

// satisfiesAt reports whether the option at a point meets all constraints. One that cannot be computed is not met.
func (c *coding) satisfiesAt(x []float64) bool {
	s, ok := c.scratch.Get().(*scratch)
	if !ok {
		s = &scratch{env: make(map[string]any, len(c.axes))}
	}
	defer c.scratch.Put(s)
	for _, a := range c.axes {
		s.env[a.Name] = a.decode(x).any()
	}
	for _, k := range c.constraints {
		out, err := s.machine.Run(k.program, s.env)
		if met, _ := out.(bool); err != nil || !met {
			return false
		}
	}
	return true
}
