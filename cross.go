package prefer

import (
	"fmt"
	"slices"
)

// Items crossed with parameters are one space: forty prompts, each at any temperature, are options like {"item": "p17", "temperature": 0.4}. The item is
// the first axis, and its values are the points of the list (item.go): the coordinates of its features, or a name of its own without any. The search
// sees a part with as many levels as there are items, each a row of those coordinates.
//
// With names the model is, of an item i at the setting x,
//
//	f(i, x) = t(x) + g_i(x),   t the trend (package gp), g_i independent draws of Matérn-5/2 with common lengthscales:
//
// what the parameters do whatever the item is, which every answer teaches, and what is the item's alone, a level of its own and how it departs from the
// others. With long lengthscales g_i is a number, and f a sum of effects; with short ones every item has a best setting of its own. Features take
// the place of names, and the Matérn part is then a function of features and parameters together.

// maxCrossed is the number of items up to which they are crossed with parameters: a search tries each of them at a setting.
const maxCrossed = 1000

// Crossed reports whether options are items with a setting of parameters.
func (s Space) Crossed() bool { return len(s.Items) > 0 && len(s.Parameters) > 0 }

// checkCrossed reports what keeps items and parameters from going together.
func (s Space) checkCrossed() error {
	if n := len(s.Items); n > maxCrossed {
		return fmt.Errorf("prefer: Space has %d items beside %d parameters, at most %d can be crossed with parameters: leave some out, or search the list first", n, len(s.Parameters), maxCrossed)
	}
	if n := len(s.Parameters); n >= maxParameters {
		return fmt.Errorf("prefer: Space has %d parameters beside its items, at most %d are supported", n, maxParameters-1)
	}
	features := s.Features()
	for _, p := range s.Parameters {
		if p.Name == itemParameter || p.Name == "text" {
			return fmt.Errorf("prefer: a parameter is called %q beside %d items, where that is what an option's item is called, want another name", p.Name, len(s.Items))
		}
		if _, both := features[p.Name]; both {
			return fmt.Errorf("prefer: %q is both a parameter and a feature of the items, want two names", p.Name)
		}
	}
	return nil
}

// newCrossedCoding lays out the coordinates of items, as newItemCoding does, and after them those of the parameters.
func newCrossedCoding(s Space, base int) (*coding, error) {
	list, err := newItemCoding(Space{Items: s.Items, Circular: s.Circular, Own: s.Own}, base)
	if err != nil {
		return nil, err
	}
	c := &coding{space: s, features: list.axes, dim: list.dim, scales: list.scales}
	c.axes = []axis{itemAxis(list.items)}
	return c, c.addParameters()
}

// itemAxisName is how space.ItemOption names the item of an option.
const itemAxisName = "item"

// itemAxis is the axis whose values are the items of a list.
func itemAxis(t *itemTable) axis {
	a := axis{Parameter: Parameter{Name: itemAxisName, Type: "categorical"}, width: t.dim, levels: t.rows, items: t}
	for _, i := range t.back {
		a.vals = append(a.vals, ValueOf(t.list[i].ID))
	}
	a.Choices = a.vals
	return a
}

// encodeItem writes the coordinates of an item into the point x.
func (a axis) encodeItem(v Value, x []float64) error {
	at, ok := a.items.find(v.Word())
	if !ok {
		return fmt.Errorf("prefer: option has %q = %v, which is no item of the study, want one of its %d ids: %w", a.Name, v, len(a.items.list), ErrOption)
	}
	copy(x[a.at:], at)
	return nil
}

// table returns the list that options are of, or name an item of; nil in a box. Its points are the first coordinates of an option.
func (c *coding) table() *itemTable {
	if c.items == nil && c.space.Crossed() {
		return c.axes[0].items
	}
	return c.items
}

// named reports whether items have names alone to be told apart by.
func (c *coding) named() bool {
	return len(c.features) == 0 && (c.space.Crossed() || len(c.axes) == 0)
}

// settled makes a list of the options where parameters leave nothing to choose but the item, as those of a list under a context.
func (c *coding) settled() {
	if slices.ContainsFunc(c.axes[1:], func(a axis) bool { return a.held == nil }) || c.axes[0].held != nil {
		return
	}
	t := c.axes[0].items
	full := newItemTable(c.dim, len(t.list))
	for i, it := range t.list {
		x := append(t.point(t.at[i]), make([]float64, c.dim-t.dim)...)
		for _, a := range c.axes[1:] {
			copy(x[a.at:], a.held)
		}
		if c.contains(x) {
			full.add(it, x)
		}
	}
	c.items = full
}

// among returns the coding of those items that are meant, in the same coordinates; items that are not stay known by their names.
func (c *coding) among(meant func(id string, x []float64) bool) *coding {
	out := &coding{space: c.space, axes: slices.Clone(c.axes), features: c.features, dim: c.dim, scales: c.scales, constraints: c.constraints, costly: c.costly, fixed: c.fixed, whole: c.whole}
	t := c.table().those(meant)
	t.ever = c.table()
	if !c.space.Crossed() {
		out.items = t
		return out
	}
	out.axes[0] = itemAxis(t)
	return out
}

// hold narrows the items to those with the fixed features, and makes a list of them where nothing else is free.
func (c *coding) hold(fixed Option) error {
	if id := fixed.Item(); id != "" {
		if _, here := c.axes[0].items.byID[id]; !here {
			return fmt.Errorf("prefer: item %q has left the study: %w", id, ErrOption)
		}
	}
	narrow := false
	for i, a := range c.features {
		if v, ok := fixed[a.Name]; ok {
			x := make([]float64, c.dim)
			_ = a.encode(v, x) // meets has tried
			c.features[i].held, narrow = x[a.at:a.at+a.width], true
		}
	}
	if narrow {
		t := c.axes[0].items
		some := t.those(func(_ string, x []float64) bool { return held(c.features, x) })
		if len(some.back) == 0 {
			return fmt.Errorf("prefer: no item has {%v}: %w", fixed, ErrOption)
		}
		some.ever = t
		held := c.axes[0].held
		c.axes[0] = itemAxis(some)
		c.axes[0].held = held
	}
	c.settled()
	return nil
}
