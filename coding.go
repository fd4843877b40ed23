package prefer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// coding is the one place where user units and the coordinates of the model meet.
type coding struct {
	space       Space
	axes        []axis // of parameters, or of the items' features; with both the item is the first (cross.go)
	features    []axis // of items that are crossed with parameters: parts of the item's coordinates
	dim         int    // coordinates
	scales      []int  // gp.Model.Scales; nil if every coordinate has its own
	constraints []constraint
	costly      error      // of a constraint that takes too many steps, in a log of before there was a limit: nothing is searched
	scratch     sync.Pool  // of *scratch
	items       *itemTable // nil unless items are all there is to choose
	fixed       Option     // values that options are held at
	whole       *coding    // the one without them; nil if this is it
}

// layOut lays out the coordinates of a valid space.
func layOut(s Space) (*coding, error) {
	switch {
	case s.Crossed():
		return newCrossedCoding(s, len(s.Items))
	case len(s.Items) > 0:
		return newItemCoding(s, len(s.Items))
	}
	c := &coding{space: s}
	return c, c.addParameters()
}

// addParameters appends the axes of the space's parameters, and its constraints.
func (c *coding) addParameters() (err error) {
	for _, p := range c.space.Parameters {
		c.add(newAxis(p, c.dim, false))
	}
	if c.constraints, err = compile(c.space); err == nil {
		c.costly = costly(c.constraints)
	}
	return err
}

// add appends an axis, with one lengthscale for all its coordinates.
func (c *coding) add(a axis) {
	if a.width > 1 && c.scales == nil {
		c.scales = make([]int, c.dim)
		for i := range c.scales {
			c.scales[i] = i
		}
	}
	c.axes = append(c.axes, a)
	c.dim += a.width
	if c.scales != nil {
		next := slices.Max(append(c.scales, -1)) + 1
		for range a.width {
			c.scales = append(c.scales, next)
		}
	}
}

// unit returns the point that o stands for.
func (c *coding) unit(o Option) ([]float64, error) {
	if c.items != nil && !c.space.Crossed() {
		return c.items.unit(o)
	}
	x := make([]float64, c.dim)
	for _, a := range c.axes {
		v, ok := o[a.Name]
		if !ok {
			return nil, fmt.Errorf("prefer: option has no %q, want %s: %w", a.Name, a.allowed(), ErrOption)
		}
		if err := a.encode(v, x); err != nil {
			return nil, err
		}
	}
	if len(o) > len(c.axes) {
		for name := range o {
			if !slices.ContainsFunc(c.axes, func(a axis) bool { return a.Name == name }) {
				return nil, fmt.Errorf("prefer: option has %q, which is no parameter of the study: %w", name, ErrOption)
			}
		}
	}
	if c.costly != nil { // what the log has was allowed once
		return x, nil
	}
	if unmet, err := c.unmet(func(a axis) Value { return a.canonical(o[a.Name]) }); err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrOption)
	} else if unmet != "" {
		return nil, fmt.Errorf("prefer: option %v does not satisfy %s: %w", o, quoted(unmet), ErrOption)
	}
	return x, nil
}

// sameOption is the distance below which two points are one option: rounding, on the way to user units and back.
const sameOption = 1e-9

// gap is the distance of two points in the parameter where they differ most, as a part of its range; on a circle that of
// the shorter way, asin(chord)/π of the period, at most ½.
func (c *coding) gap(x, y []float64) float64 {
	if !slices.ContainsFunc(c.axes, func(a axis) bool { return a.Circular || a.items != nil }) {
		return gap(x, y)
	}
	var g float64
	for _, a := range c.axes {
		if a.items != nil {
			if !slices.Equal(x[a.at:a.at+a.width], y[a.at:a.at+a.width]) {
				return 1 // items that differ are never the same picture twice
			}
		} else if a.Circular {
			g = math.Max(g, math.Asin(a.chord(x, y))/math.Pi)
		} else {
			g = math.Max(g, gap(x[a.at:a.at+a.width], y[a.at:a.at+a.width]))
		}
	}
	return g
}

// pair returns the points of two options.
func (c *coding) pair(first, second Option) (a, b []float64, err error) {
	if a, err = c.unit(first); err == nil {
		b, err = c.unit(second)
	}
	if err == nil {
		err = c.across(a, b)
	}
	return a, b, err
}

// axis returns the axis of that name, or nil.
func (c *coding) axis(name string) *axis {
	for i := range c.axes {
		if c.axes[i].Name == name {
			return &c.axes[i]
		}
	}
	for i := range c.features {
		if c.features[i].Name == name {
			return &c.features[i]
		}
	}
	return nil
}

// names returns the names of the axes that are no contexts.
func (c *coding) names() []string {
	var names []string
	for _, a := range c.axes {
		if !a.Context {
			names = append(names, a.Name)
		}
	}
	return names
}

// option returns the setting at a point. 0 and 1 are the ends exactly; a circle has none.
func (c *coding) option(x []float64) Option {
	if c.items != nil && !c.space.Crossed() {
		return c.items.option(x)
	}
	o := make(Option, len(c.axes))
	for _, a := range c.axes {
		if a.held != nil { // what was given, to the last digit
			o[a.Name] = a.canonical(c.fixed[a.Name])
			continue
		}
		o[a.Name] = a.decode(x)
	}
	return o
}

// spread writes the option at a point u of the cube, one number per axis, into x.
func (c *coding) spread(x, u []float64) {
	for j, a := range c.axes {
		a.spread(u[j], x)
	}
}

// contains reports whether a point on the axes' values satisfies the constraints. One that cannot be computed is not met.
func (c *coding) contains(x []float64) bool {
	if t := c.table(); t != nil {
		if _, ok := t.row[bits(x[:t.dim])]; !ok || !c.space.Crossed() {
			return ok
		}
	}
	unmet, err := c.unmetAt(x)
	return unmet == "" && err == nil
}

// points returns n quasi-random options, row by row.
func (c *coding) points(n int, seed uint64) []float64 {
	if d := c.domain(context.Background()); d != nil {
		return d.Points(n, seed)
	}
	return sobol.Points(c.dim, n, seed)
}

// domain returns where the search may look, nil for the whole cube. When ctx ends constraints are no longer computed, so that a search
// ends soon whatever they cost, and everything meets them: what it returns then is to be looked at once more, or not used.
func (c *coding) domain(ctx context.Context) *acquisition.Domain {
	if c.items != nil {
		return &acquisition.Domain{List: c.items.rows, Dim: c.dim}
	}
	d := &acquisition.Domain{}
	plain := len(c.constraints) == 0
	for _, a := range c.axes {
		part := acquisition.Part{At: a.at, Width: a.width, Levels: a.levels, Ordered: a.ordered(), Circular: a.Circular}
		if a.held != nil {
			part.Levels, part.Ordered, part.Circular = a.held, true, false
		}
		plain = plain && part.Levels == nil && !part.Circular
		d.Parts = append(d.Parts, part)
	}
	if plain {
		return nil
	}
	if len(c.constraints) > 0 {
		d.Feasible = func(x []float64) bool { return ctx.Err() != nil || c.contains(x) }
	}
	return d
}
