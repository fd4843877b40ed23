package coding

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/space"
)

// given reports the first context that has no value.
func Given(s space.Space, fixed space.Option) error {
	for _, p := range s.Contexts() {
		if _, ok := fixed[p.Name]; !ok {
			return RefuseField("context", p.Name, nil, "context %q is missing, want %s", p.Name, p.Allowed())
		}
	}
	return nil
}

// across reports a pair that differs in a context: what is better there than here was never asked, and cannot be.
func (c *Coding) across(x, y []float64) error {
	for _, a := range c.Axes {
		if a.Context && Gap(x[a.At:a.At+a.Width], y[a.At:a.At+a.Width]) > SameOption {
			return Refuse("context", "the two options have %q = %v and %v, which is a context: no question goes across it", a.Name, a.Decode(x), a.Decode(y))
		}
	}
	return nil
}

// under returns the coding of those options that have the fixed values, of which there must be one for every context. The coordinates stay the same.
func (c *Coding) Under(fixed space.Option) (*Coding, error) {
	if c.Costly != nil {
		return nil, c.Costly
	}
	if err := Given(c.Space, fixed); err != nil || len(fixed) == 0 {
		return c, err
	}
	if err := c.Meets(fixed); err != nil {
		return nil, err
	}
	out := &Coding{Space: c.Space, Axes: slices.Clone(c.Axes), features: slices.Clone(c.features), Dim: c.Dim, Scales: c.Scales, Constraints: c.Constraints, Costly: c.Costly, Fixed: maps.Clone(fixed), Whole: c.All()}
	for _, axes := range [][]Axis{out.Axes, out.features} {
		for i, a := range axes {
			if v, ok := fixed[a.Name]; ok {
				x := make([]float64, c.Dim)
				_ = a.Encode(v, x) // Meets has tried
				axes[i].Held = x[a.At : a.At+a.Width]
			}
		}
	}
	if c.Space.Crossed() {
		if err := out.hold(fixed); err != nil {
			return nil, err
		}
	} else if c.List != nil {
		if out.List = c.List.those(func(_ string, x []float64) bool { return out.Holds(x) }); len(out.List.Back) == 0 {
			return nil, Refuse("option", "no item has {%v}", fixed)
		}
		out.List.Ever = c.List.Ever
	}
	if len(c.Constraints) > 0 {
		if err := out.feasible(); err != nil {
			return nil, Refuse("option", "%s under {%v}", bare(err), fixed)
		}
	}
	return out, nil
}

func (c *Coding) All() *Coding { return cmp.Or(c.Whole, c) }

// holds reports whether a point has the values that options are held at.
func (c *Coding) Holds(x []float64) bool { return held(c.Axes, x) && held(c.features, x) }

func held(axes []Axis, x []float64) bool {
	return !slices.ContainsFunc(axes, func(a Axis) bool { return a.Held != nil && Gap(x[a.At:a.At+a.Width], a.Held) > SameOption })
}

// concerns reports whether a point lies under the contexts that options are held at; others that are held do not matter.
func (c *Coding) Concerns(x []float64) bool {
	return !slices.ContainsFunc(c.Axes, func(a Axis) bool {
		return a.Context && a.Held != nil && Gap(x[a.At:a.At+a.Width], a.Held) > SameOption
	})
}

// single reports whether there is one option at most, so that nothing can be asked.
func (c *Coding) Single() bool {
	d := c.Domain(context.Background())
	return d != nil && len(d.Points(2, 0)) <= c.Dim
}

func (c *Coding) Meets(fixed space.Option, points ...[]float64) error {
	for name, value := range fixed {
		a := c.Axis(name)
		if a == nil {
			return RefuseField("option", name, fixed[name], "fixed %q is not a parameter of the study", name)
		}
		want := make([]float64, c.Dim)
		if err := a.Encode(value, want); err != nil {
			return fmt.Errorf("prefer: fixed: %w", err)
		}
		for _, x := range points {
			if Gap(x[a.At:a.At+a.Width], want[a.At:a.At+a.Width]) > SameOption {
				return Refuse("option", "option {%v} has not %q = %v, which is fixed", c.Option(x), name, value)
			}
		}
	}
	return nil
}
