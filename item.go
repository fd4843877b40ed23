package prefer

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Item is one thing of a list: an image, a prompt, a product.
type Item struct {
	// ID names the item within its study.
	ID string `json:"id"`

	// Media is a file or an address to show; Text is what to show without one. Both may be empty.
	Media string `json:"media,omitempty"`
	Text  string `json:"text,omitempty"`

	// Sum names the content of Media, so that a file that was changed is told from one that was not; empty where nobody has looked.
	// Any text will do.
	Sum string `json:"sum,omitempty"`

	// Features are what the utility is learned from: numbers, words, yes or no. All items of a study have
	// the same ones, but that with Space.Own one may have none: it is taken to be like the average. Without features each item has a utility of its own, and an answer about two items
	// says nothing of the others.
	Features Option `json:"features,omitempty"`
}

// itemParameter is the parameter of an option by which it names its item: the only one in a list, the first in a list crossed with
// parameters. Its value is the item's ID.
const itemParameter = "item"

// ItemOption returns the option that stands for the item with this ID: its one parameter is called "item".
func ItemOption(id string) Option { return Option{itemParameter: ValueOf(id)} }

// Item returns the ID of the item an option stands for, alone or with a setting of parameters, or "" if it stands for none. In a study without
// items it is the word that a parameter called "item" is set to.
func (o Option) Item() string {
	if v := o[itemParameter]; v.kind == word {
		return v.word
	}
	return ""
}

const (
	maxItems    = 1_000_000 // identity coordinates are exact far beyond
	maxFeatures = 256
	maxFeature  = 1e150 // in size: the width of a range must be a float64
)

// validateItems reports the first item that does not go with the others.
func validateItems(items []Item, own bool) error {
	if len(items) < 2 || len(items) > maxItems {
		return fmt.Errorf("prefer: Space has %d items, want 2 to %d", len(items), maxItems)
	}
	lead := items[0]
	if own {
		if i := slices.IndexFunc(items, func(it Item) bool { return len(it.Features) > 0 }); i >= 0 {
			lead = items[i]
		}
	}
	if n := len(lead.Features); n > maxFeatures {
		return fmt.Errorf("prefer: item %q has %d features, at most %d are supported", lead.ID, n, maxFeatures)
	}
	seen := make(map[string]bool, len(items))
	for i, it := range items {
		switch {
		case it.ID == "":
			return fmt.Errorf("prefer: item %d has no id", i)
		case seen[it.ID]:
			return fmt.Errorf("prefer: two items have the id %q", it.ID)
		}
		seen[it.ID] = true
		if own && len(it.Features) == 0 {
			continue
		}
		if err := likeFirst(lead, it); err != nil {
			return err
		}
	}
	return nil
}

// Features returns the features of the first item that has any: their names and kinds are those of all items.
func (s Space) Features() Option {
	if i := slices.IndexFunc(s.Items, func(it Item) bool { return len(it.Features) > 0 }); i >= 0 {
		return s.Items[i].Features
	}
	return nil
}

// likeFirst reports features in which an item differs in kind from the first.
func likeFirst(first, it Item) error {
	if len(it.Features) != len(first.Features) {
		return fmt.Errorf("prefer: item %q has %d features, item %q has %d: want the same for all", it.ID, len(it.Features), first.ID, len(first.Features))
	}
	for name, v := range it.Features {
		f, ok := first.Features[name]
		switch {
		case name == "" || name == itemParameter:
			return fmt.Errorf("prefer: item %q has a feature called %q, want another name", it.ID, name)
		case !ok:
			return fmt.Errorf("prefer: item %q has the feature %q, item %q has not: want the same for all", it.ID, name, first.ID)
		case f.kind != v.kind:
			return fmt.Errorf("prefer: item %q has %q = %v, item %q has %v: want the same kind of value for all", it.ID, name, v, first.ID, f)
		case v.kind == number && !(math.Abs(v.num) <= maxFeature):
			return fmt.Errorf("prefer: item %q has %q = %v, want a number of reasonable size", it.ID, name, v)
		}
	}
	return nil
}

// validateCircular reports a period that makes no sense, or that of no feature of numbers.
func (s Space) validateCircular() error {
	for _, name := range slices.Sorted(maps.Keys(s.Circular)) {
		period := s.Circular[name]
		switch v, ok := s.Features()[name]; {
		case !ok:
			return fmt.Errorf("prefer: Space.Circular has %q = %g, which is no feature of the items", name, period)
		case v.kind != number:
			return fmt.Errorf("prefer: Space.Circular has %q = %g, but items have %q = %v, want a feature of numbers", name, period, name, v)
		case !(period > 0 && period <= maxFeature):
			return fmt.Errorf("prefer: Space.Circular has %q = %g, want a positive period", name, period)
		}
	}
	return nil
}

// differs names the first thing in which two items differ, or returns "".
func differs(i, other Item) string {
	switch {
	case i.ID != other.ID:
		return "id"
	case i.Media != other.Media:
		return "media"
	case i.Text != other.Text:
		return "text"
	case i.Sum != other.Sum:
		return "sum"
	case !maps.Equal(i.Features, other.Features):
		return "features"
	}
	return ""
}

// itemTable is a list in the coordinates of the model.
type itemTable struct {
	ever *itemTable // with the items that are not in it, of which something may still be known; nil if there are none
	dim  int
	list []Item
	byID map[string]int // place in list
	at   []int          // row of each item
	rows []float64      // distinct points, row by row
	back []int          // first item of each row
	row  map[string]int // row of a point, by its bits
}

func newItemTable(dim, n int) *itemTable {
	return &itemTable{dim: dim, byID: make(map[string]int, n), row: make(map[string]int, n)}
}

// add appends an item at the point x.
func (t *itemTable) add(it Item, x []float64) {
	i, key := len(t.list), bits(x)
	t.list, t.byID[it.ID] = append(t.list, it), i
	r, ok := t.row[key]
	if !ok {
		r = len(t.back)
		t.row[key] = r
		t.back = append(t.back, i)
		t.rows = append(t.rows, x...)
	}
	t.at = append(t.at, r)
}

// those returns the list of the items that are meant.
func (t *itemTable) those(meant func(id string, x []float64) bool) *itemTable {
	out := newItemTable(t.dim, 0)
	for i, it := range t.list {
		if x := t.point(t.at[i]); meant(it.ID, x) {
			out.add(it, x)
		}
	}
	return out
}

// farOutside is how many ranges an item that joins may lie outside.
const farOutside = 100

// maxWords is how many different words a feature may have.
const maxWords = 1000

// newItemCoding lays out the coordinates of items: those of their features, scaled by the range of the
// first base items, so that items that join later change nothing about the others; or, without features,
// the item's place in the list as a name of its own.
func newItemCoding(s Space, base int) (*coding, error) {
	items := s.Items
	c := &coding{space: Space{Items: items, Circular: s.Circular, Own: s.Own}}
	for _, name := range slices.Sorted(maps.Keys(s.Features())) {
		p := featureParameter(name, items, base)
		if period, ok := s.Circular[name]; ok {
			p = Circle(name, 0, period)
		}
		if len(p.Choices) > maxWords {
			return nil, fmt.Errorf("prefer: feature %q has more than %d different words: leave it out, or group them", name, maxWords)
		}
		c.add(newAxis(p, c.dim, true))
	}
	named := len(c.axes) == 0 || s.Own
	if named {
		c.name()
	}
	points := make([][]float64, len(items))
	middle, count := make([]float64, c.dim), 0.0 // of the first items: where one lies that nobody has described
	for i, it := range items {
		if len(c.axes) > 0 && len(it.Features) == 0 {
			continue
		}
		x, err := c.described(it)
		if err != nil {
			return nil, err
		}
		if points[i] = x; i < base {
			count++
			for j := range x {
				middle[j] += (x[j] - middle[j]) / count
			}
		}
	}
	t := newItemTable(c.dim, len(items))
	for i, it := range items {
		x := points[i]
		if x == nil {
			x = slices.Clone(middle)
		}
		if named {
			x[c.dim-1] = float64(i)
		}
		t.add(it, x)
	}
	if len(t.back) < 2 {
		return nil, fmt.Errorf("prefer: all %d items have the same features, so that nothing can be learned: want features that differ, or none", len(items))
	}
	c.items = t
	return c, nil
}

// described returns the point of an item by its features.
func (c *coding) described(it Item) ([]float64, error) {
	x := make([]float64, c.dim)
	for _, a := range c.axes {
		if err := a.encode(it.Features[a.Name], x); err != nil {
			return nil, fmt.Errorf("prefer: item %q: %w", it.ID, err)
		}
	}
	for _, a := range c.axes {
		if a.Circular && math.Abs(it.Features[a.Name].Float()) > farOutside*a.High {
			return nil, fmt.Errorf("prefer: item %q has %q = %v, more than %d periods of %g away from 0: %w", it.ID, a.Name, it.Features[a.Name], farOutside, a.High, ErrOption)
		}
		if math.Abs(x[a.at]) > farOutside {
			return nil, fmt.Errorf("prefer: item %q has %q = %v, more than %d times the range [%g, %g] of the first items away: %w", it.ID, a.Name, it.Features[a.Name], farOutside, a.Low, a.High, ErrOption)
		}
	}
	return x, nil
}

// name adds the coordinate that only names items (gp.Model.Scales). Matérn-5/2 is 0 between different names, so that beside features, of which
// the model's trend speaks, every item has a utility of its own: f = effects of the features + what is the item's alone.
func (c *coding) name() {
	if c.scales == nil {
		for j := range c.dim {
			c.scales = append(c.scales, j)
		}
	}
	c.scales = append(c.scales, -1)
	c.dim++
}

// featureParameter describes a feature as the parameter it acts as.
func featureParameter(name string, items []Item, base int) Parameter {
	p := Parameter{Name: name}
	switch (Space{Items: items}).Features()[name].Any().(type) {
	case float64:
		p.Type, p.Low, p.High = "float", math.Inf(1), math.Inf(-1)
		for _, it := range items[:base] {
			if len(it.Features) == 0 {
				continue
			}
			p.Low, p.High = min(p.Low, it.Features[name].Float()), max(p.High, it.Features[name].Float())
		}
	case bool:
		p.Type = "bool"
	case string:
		p.Type = "categorical"
		seen := map[Value]bool{}
		for _, it := range items {
			if v, ok := it.Features[name]; ok && !seen[v] {
				seen[v] = true
				p.Choices = append(p.Choices, v)
			}
		}
	}
	return p
}

// unit returns the point of an item.
func (t *itemTable) unit(o Option) ([]float64, error) {
	x, ok := t.find(o.Item())
	if !ok || len(o) > 1 {
		return nil, fmt.Errorf("prefer: option %v names no item of the study, want {%q: one of its %d ids}: %w", o, itemAxisName, len(t.list), ErrOption)
	}
	return x, nil
}

// find returns the point of the item with this ID, if there ever was one.
func (t *itemTable) find(id string) ([]float64, bool) {
	i, ok := t.byID[id]
	switch {
	case ok:
		return t.point(t.at[i]), true
	case t.ever != nil:
		return t.ever.find(id)
	}
	return nil, false
}

func (t *itemTable) point(row int) []float64 {
	return slices.Clone(t.rows[row*t.dim : (row+1)*t.dim])
}

// option returns the first item at a point of the list.
func (t *itemTable) option(x []float64) Option { return ItemOption(t.id(x)) }

// id returns that of the first item at a point of the list.
func (t *itemTable) id(x []float64) string {
	r, ok := t.row[bits(x)]
	if !ok && t.ever != nil {
		return t.ever.id(x)
	}
	if !ok {
		panic("prefer: a point that is no item")
	}
	return t.list[t.back[r]].ID
}

// unseen returns the number of different items that are not among the options shown, each dim numbers that begin with those of its item.
func (t *itemTable) unseen(shown []float64, dim int) int {
	seen := map[string]bool{}
	for x := range slices.Chunk(shown, dim) {
		seen[bits(x[:t.dim])] = true
	}
	return len(t.back) - len(seen)
}

// bits returns the coordinates as a key of a map.
func bits(x []float64) string {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v+0)) // −0 is 0
	}
	return string(b)
}
