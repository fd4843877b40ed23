package coding

import (
	"slices"

	"github.com/prefer-bo/prefer/space"
)

// newCrossedCoding lays out the coordinates of items, as newItemCoding does, and after them those of the parameters.
func newCrossedCoding(s space.Space, base int) (*Coding, error) {
	list, err := newItemCoding(space.Space{Items: s.Items, Circular: s.Circular, Own: s.Own}, base)
	if err != nil {
		return nil, err
	}
	c := &Coding{Space: s, features: list.Axes, Dim: list.Dim, Scales: list.Scales}
	c.Axes = []Axis{itemAxis(list.List)}
	return c, c.addParameters()
}

// encodeItem writes the coordinates of an item into the point x.
func (a Axis) encodeItem(v space.Value, x []float64) error {
	at, ok := a.items.find(v.Word())
	if !ok {
		return RefuseField("option", a.Name, v, "option has %q = %v, which is no item of the study, want one of its %d ids", a.Name, v, len(a.items.List))
	}
	copy(x[a.At:], at)
	return nil
}

// table returns the list that options are of, or name an item of; nil in a box. Its points are the first coordinates of an option.
func (c *Coding) Table() *List {
	if c.List == nil && c.Space.Crossed() {
		return c.Axes[0].items
	}
	return c.List
}

// named reports whether items have names alone to be told apart by.
func (c *Coding) Named() bool { return len(c.features) == 0 && (c.Space.Crossed() || len(c.Axes) == 0) }

// settled makes a list of the options where parameters leave nothing to choose but the item, as those of a list under a context.
func (c *Coding) settled() {
	if slices.ContainsFunc(c.Axes[1:], func(a Axis) bool { return a.Held == nil }) || c.Axes[0].Held != nil {
		return
	}
	t := c.Axes[0].items
	full := newItemTable(c.Dim, len(t.List))
	for i, it := range t.List {
		x := append(t.Point(t.At[i]), make([]float64, c.Dim-t.Dim)...)
		for _, a := range c.Axes[1:] {
			copy(x[a.At:], a.Held)
		}
		if c.Contains(x) {
			full.add(it, x)
		}
	}
	c.List = full
}

// among returns the coding of those items that are meant, in the same coordinates; items that are not stay known by their names.
func (c *Coding) among(meant func(id string, x []float64) bool) *Coding {
	out := &Coding{Space: c.Space, Axes: slices.Clone(c.Axes), features: c.features, Dim: c.Dim, Scales: c.Scales, Constraints: c.Constraints, Costly: c.Costly, Fixed: c.Fixed, Whole: c.Whole}
	t := c.Table().those(meant)
	t.Ever = c.Table()
	if !c.Space.Crossed() {
		out.List = t
		return out
	}
	out.Axes[0] = itemAxis(t)
	return out
}

// hold narrows the items to those with the fixed features, and makes a list of them where nothing else is free.
func (c *Coding) hold(fixed space.Option) error {
	if id := fixed.Item(); id != "" {
		if _, here := c.Axes[0].items.ByID[id]; !here {
			return Refuse("option", "item %q has left the study", id)
		}
	}
	narrow := false
	for i, a := range c.features {
		if v, ok := fixed[a.Name]; ok {
			x := make([]float64, c.Dim)
			_ = a.Encode(v, x) // meets has tried
			c.features[i].Held, narrow = x[a.At:a.At+a.Width], true
		}
	}
	if narrow {
		t := c.Axes[0].items
		some := t.those(func(_ string, x []float64) bool { return held(c.features, x) })
		if len(some.Back) == 0 {
			return Refuse("option", "no item has {%v}", fixed)
		}
		some.Ever = t
		held := c.Axes[0].Held
		c.Axes[0] = itemAxis(some)
		c.Axes[0].Held = held
	}
	c.settled()
	return nil
}

// joined returns the coordinates of a space with these items, of which its own come first.
func Join(space space.Space, all []space.Item) (*Coding, error) {
	base := len(space.Items)
	space.Items = all
	if err := space.Validate(); err != nil {
		return nil, err
	}
	return layOut(space, base)
}
