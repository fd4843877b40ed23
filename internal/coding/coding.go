// Package coding translates between options in the user's units and points of the model, in the unit cube: one coordinate for a number, several for a choice, a
// circle or an item. It compiles constraints, holds parameters at fixed values, and describes to the search where it may look.
//
// # Contents
//
//	coding.go      options as points, for the model and for other packages
//	axis.go        the same parameter by parameter; options next to a point, and quasi-random ones
//	list.go        items, alone and crossed with parameters
//	constraint.go  conditions on options, and what they cost to compute
//	fixed.go       options that are held at given values
package coding

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

func Gap(a, b []float64) float64 {
	var g float64
	for i := range a {
		g = math.Max(g, math.Abs(a[i]-b[i]))
	}
	return g
}

// coding is the one place where user units and the coordinates of the model meet.
type Coding struct {
	Space       space.Space
	Axes        []Axis // of parameters, or of the items' features; with both the item is the first (list.go)
	features    []Axis // of items that are crossed with parameters: parts of the item's coordinates
	Dim         int    // coordinates
	Scales      []int  // gp.Model.Scales; nil if every coordinate has its own
	Constraints []constraint
	Costly      error        // of a constraint that takes too many steps, in a log of before there was a limit: nothing is searched
	scratch     sync.Pool    // of *scratch
	List        *List        // nil unless items are all there is to choose
	Fixed       space.Option // values that options are held at
	Whole       *Coding      // the one without them; nil if this is it
}

// layOut lays out the coordinates of a valid space, of whose items the first base give the ranges of features.
func layOut(s space.Space, base int) (*Coding, error) {
	switch {
	case s.Crossed():
		return newCrossedCoding(s, base)
	case len(s.Items) > 0:
		return newItemCoding(s, base)
	}
	c := &Coding{Space: s}
	return c, c.addParameters()
}

func (c *Coding) addParameters() (err error) {
	for _, p := range c.Space.Parameters {
		c.add(NewAxis(p, c.Dim, false))
	}
	if c.Constraints, err = Compile(c.Space); err == nil {
		c.Costly = costly(c.Constraints)
	}
	return err
}

func (c *Coding) add(a Axis) {
	if a.Width > 1 && c.Scales == nil {
		c.Scales = make([]int, c.Dim)
		for i := range c.Scales {
			c.Scales[i] = i
		}
	}
	c.Axes = append(c.Axes, a)
	c.Dim += a.Width
	if c.Scales != nil {
		next := slices.Max(append(c.Scales, -1)) + 1
		for range a.Width {
			c.Scales = append(c.Scales, next)
		}
	}
}

func (c *Coding) Unit(o space.Option) ([]float64, error) {
	if c.List != nil && !c.Space.Crossed() {
		return c.List.unit(o)
	}
	x := make([]float64, c.Dim)
	for _, a := range c.Axes {
		v, ok := o[a.Name]
		if !ok {
			return nil, RefuseField("option", a.Name, nil, "option has no %q, want %s", a.Name, a.Allowed())
		}
		if err := a.Encode(v, x); err != nil {
			return nil, err
		}
	}
	if len(o) > len(c.Axes) {
		for name := range o {
			if !slices.ContainsFunc(c.Axes, func(a Axis) bool { return a.Name == name }) {
				return nil, RefuseField("option", name, o[name], "option has %q, which is not a parameter of the study", name)
			}
		}
	}
	if c.Costly != nil { // what the log has was allowed once
		return x, nil
	}
	if unmet, err := c.unmet(func(a Axis) space.Value { return a.Canonical(o[a.Name]) }); err != nil {
		return nil, Refuse("option", "%s", bare(err))
	} else if unmet != "" {
		return nil, Refuse("option", "option %v does not satisfy %s", o, quoted(unmet))
	}
	return x, nil
}

// sameOption is the distance below which two points are one option: rounding, on the way to user units and back.
const SameOption = 1e-9

// gap is the distance of two points in the parameter where they differ most, as a part of its range; on a circle that of
// the shorter way, asin(chord)/π of the period, at most ½.
func (c *Coding) Gap(x, y []float64) float64 {
	if !slices.ContainsFunc(c.Axes, func(a Axis) bool { return a.Circular || a.items != nil }) {
		return Gap(x, y)
	}
	var g float64
	for i := range c.Axes {
		a := &c.Axes[i]
		switch u, v := x[a.At:a.At+a.Width], y[a.At:a.At+a.Width]; {
		case a.items != nil && !slices.Equal(u, v):
			return 1 // items that differ are never the same picture twice
		case a.Circular:
			g = math.Max(g, math.Asin(a.Chord(x, y))/math.Pi)
		case a.items == nil:
			g = math.Max(g, Gap(u, v))
		}
	}
	return g
}

// Near reports whether the gap of two points is less than some distance. On a circle coordinates differ by at most π times the gap.
func (c *Coding) Near(x, y []float64, distance float64) bool {
	for i := range x {
		if math.Abs(x[i]-y[i]) > math.Pi*distance {
			return false
		}
	}
	return c.Gap(x, y) < distance
}

func (c *Coding) Pair(first, second space.Option) (a, b []float64, err error) {
	if a, err = c.Unit(first); err == nil {
		b, err = c.Unit(second)
	}
	if err == nil {
		err = c.across(a, b)
	}
	return a, b, err
}

func (c *Coding) Axis(name string) *Axis {
	for _, axes := range [][]Axis{c.Axes, c.features} {
		if i := slices.IndexFunc(axes, func(a Axis) bool { return a.Name == name }); i >= 0 {
			return &axes[i]
		}
	}
	return nil
}

func (c *Coding) Names() []string { return c.names(func(a Axis) bool { return !a.Context }) }

func (c *Coding) names(meant func(Axis) bool) []string {
	return xslices.Map(xslices.Filter(c.Axes, meant), func(a Axis) string { return a.Name })
}

// option returns the setting at a point. 0 and 1 are the ends exactly; a circle has none.
func (c *Coding) Option(x []float64) space.Option {
	if c.List != nil && !c.Space.Crossed() {
		return space.ItemOption(c.List.id(x))
	}
	o := make(space.Option, len(c.Axes))
	for _, a := range c.Axes {
		if a.Held != nil { // what was given, to the last digit
			o[a.Name] = a.Canonical(c.Fixed[a.Name])
			continue
		}
		o[a.Name] = a.Decode(x)
	}
	return o
}

// spread writes the option at a point u of the cube, one number per axis, into x.
func (c *Coding) Spread(x, u []float64) {
	for j, a := range c.Axes {
		a.Spread(u[j], x)
	}
}

// At returns the option at a point u of the cube, one number per axis; ok is false if the constraints rule it out. A list has no such options.
func (c *Coding) At(u []float64) (o space.Option, ok bool) {
	x := make([]float64, c.Dim)
	if c.List != nil {
		return nil, false
	}
	if c.Spread(x, u); !c.Contains(x) {
		return nil, false
	}
	return c.Option(x), true
}

// contains reports whether a point on the axes' values satisfies the constraints. One that cannot be computed is not met.
func (c *Coding) Contains(x []float64) bool {
	if t := c.Table(); t != nil {
		if _, ok := t.row[Bits(x[:t.Dim])]; !ok || !c.Space.Crossed() {
			return ok
		}
	}
	unmet, err := c.unmetAt(x)
	return unmet == "" && err == nil
}

// points returns n quasi-random options, row by row.
func (c *Coding) Points(n int, seed uint64) []float64 {
	if d := c.Domain(context.Background()); d != nil {
		return d.Points(n, seed)
	}
	return sobol.Points(c.Dim, n, seed)
}

// domain returns where the search may look, nil for the whole cube. When ctx ends constraints are no longer computed, so that a search
// ends soon whatever they cost, and everything meets them: what it returns then is to be looked at once more, or not used.
func (c *Coding) Domain(ctx context.Context) *acquisition.Domain {
	if c.List != nil {
		return &acquisition.Domain{List: c.List.Rows, Dim: c.Dim}
	}
	d := &acquisition.Domain{}
	plain := len(c.Constraints) == 0
	for _, a := range c.Axes {
		part := a.part()
		plain = plain && part.Levels == nil && !part.Circular
		d.Parts = append(d.Parts, part)
	}
	if plain {
		return nil
	}
	if len(c.Constraints) > 0 {
		d.Feasible = func(x []float64) bool { return ctx.Err() != nil || c.Contains(x) }
	}
	return d
}

// byScore returns the places of a score from the highest down.
func ByScore[T cmp.Ordered](score []T) []int {
	order := xslices.Times(len(score), func(i int) int { return i })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order
}

// Features returns the features of the first item that has any: their names and kinds are those of all items.
func Features(items []space.Item) space.Option {
	for _, it := range items {
		if len(it.Features) > 0 {
			return it.Features
		}
	}
	return nil
}

// Dimension returns the number of parameters and of the items' features; items without features count as 1.
func Dimension(s space.Space) int {
	d := len(s.Parameters)
	if len(s.Items) > 0 {
		d += max(1, len(Features(s.Items)))
	}
	return d
}

// continuousCount returns the number of real parameters that have ends and are searched.
func ContinuousCount(s space.Space) int {
	return xslices.Count(s.Parameters, func(p space.Parameter) bool { return Continuous(p) && !p.Circular && !p.Context })
}

// newCoding returns the coordinates of a space, or the first thing about it that makes no sense.
func New(s space.Space) (*Coding, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	code, err := layOut(s, len(s.Items))
	if err != nil {
		return nil, err
	}
	if len(s.Constraints) > 0 && code.Costly == nil {
		err = code.feasible()
	}
	return code, err
}

// feasibleTries is the number of quasi-random options among which one must satisfy the constraints.
const feasibleTries = 1 << 14

// feasible reports constraints that nothing seems to satisfy, or that cannot be computed.
func (c *Coding) feasible() error {
	seq := sobol.Scrambled(len(c.Axes), 1)
	u := make([]float64, len(c.Axes))
	x := make([]float64, c.Dim)
	for i := range feasibleTries {
		seq.At(uint64(i), u)
		c.Spread(x, u)
		if unmet, err := c.unmetAt(x); unmet == "" || err != nil {
			return err
		}
	}
	all := xslices.Map(c.Constraints[:min(3, len(c.Constraints))], func(k constraint) string { return quoted(k.text) })
	if more := len(c.Constraints) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return fmt.Errorf("prefer: none of %d random options satisfies the constraints %s: they allow nothing, or too little to be found by chance; "+
		"an equality is not met by chance: leave one of its parameters out, and work it out from the others", feasibleTries, strings.Join(all, " and "))
}

// Refuse returns the error of something the caller gave, by its code: "option", "context", "costly" and those of package prefer.
func Refuse(code, format string, args ...any) error {
	return RefuseField(code, "", nil, format, args...)
}

// RefuseField is Refuse for one field with a value that makes no sense.
func RefuseField(code, field string, value any, format string, args ...any) error {
	return &errcode.Error{Code: code, Field: field, Value: value, Detail: fmt.Sprintf(format, args...), Err: errcode.ErrInvalid}
}

// bare returns the text of an error without the name of the module, to stand inside another.
func bare(err error) string { return strings.TrimPrefix(err.Error(), "prefer: ") }
