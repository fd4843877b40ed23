package coding

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// itemAxisName is how space.ItemOption names the item of an option.
const itemAxisName = "item"

func itemAxis(t *List) Axis {
	ids := xslices.Map(t.Back, func(i int) space.Value { return space.ValueOf(t.List[i].ID) })
	return Axis{Parameter: space.Parameter{Name: itemAxisName, Type: "categorical", Choices: ids}, Width: t.Dim, Vals: ids, levels: t.Rows, items: t}
}

// itemTable is a list in the coordinates of the model.
type List struct {
	Ever *List // with the items that are not in it, of which something may still be known; nil if there are none
	Dim  int
	List []space.Item
	ByID map[string]int // place in list
	At   []int          // row of each item
	Rows []float64      // distinct points, row by row
	Back []int          // first item of each row
	row  map[string]int // row of a point, by its bits
}

func newItemTable(dim, n int) *List {
	return &List{Dim: dim, ByID: make(map[string]int, n), row: make(map[string]int, n)}
}

// farOutside is how many ranges an item that joins may lie outside.
const farOutside = 100

const maxWords = 1000

// newItemCoding lays out the coordinates of items: those of their features, scaled by the range of the first base items, so that items that join later change
// nothing about the others; or, without features, the item's place in the list as a name of its own.
func newItemCoding(s space.Space, base int) (*Coding, error) {
	items := s.Items
	c := &Coding{Space: space.Space{Items: items, Circular: s.Circular, Own: s.Own}}
	for _, name := range slices.Sorted(maps.Keys(Features(items))) {
		p := featureParameter(name, items, base)
		if period, ok := s.Circular[name]; ok {
			p = space.Circle(name, 0, period)
		}
		if len(p.Choices) > maxWords {
			return nil, fmt.Errorf("prefer: feature %q has more than %d different words: leave it out, or group them", name, maxWords)
		}
		c.add(NewAxis(p, c.Dim, true))
	}
	named := len(c.Axes) == 0 || s.Own
	if named {
		c.name()
	}
	points := make([][]float64, len(items))
	middle, count := make([]float64, c.Dim), 0.0 // of the first items: where one lies that nobody has described
	for i, it := range items {
		if len(c.Axes) > 0 && len(it.Features) == 0 {
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
	t := newItemTable(c.Dim, len(items))
	for i, it := range items {
		x := points[i]
		if x == nil {
			x = slices.Clone(middle)
		}
		if named {
			x[c.Dim-1] = float64(i)
		}
		t.add(it, x)
	}
	if len(t.Back) < 2 {
		return nil, fmt.Errorf("prefer: all %d items have the same features, so that nothing can be learned: want features that differ, or none", len(items))
	}
	c.List = t
	return c, nil
}

func featureParameter(name string, items []space.Item, base int) space.Parameter {
	p := space.Parameter{Name: name}
	switch Features(items)[name].Any().(type) {
	case float64:
		p.Type, p.Low, p.High = "float", math.Inf(1), math.Inf(-1)
		for _, it := range items[:base] {
			if v, ok := it.Features[name]; ok {
				p.Low, p.High = min(p.Low, v.Float()), max(p.High, v.Float())
			}
		}
	case bool:
		p.Type = "bool"
	case string:
		p.Type = "categorical"
		seen := map[space.Value]bool{}
		for _, it := range items {
			if v, ok := it.Features[name]; ok && !seen[v] {
				seen[v] = true
				p.Choices = append(p.Choices, v)
			}
		}
	}
	return p
}

// bits returns the coordinates as a key of a map.
func Bits(x []float64) string {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v+0)) // −0 is 0
	}
	return string(b)
}

func (t *List) add(it space.Item, x []float64) {
	i, key := len(t.List), Bits(x)
	t.List, t.ByID[it.ID] = append(t.List, it), i
	r, ok := t.row[key]
	if !ok {
		r = len(t.Back)
		t.row[key] = r
		t.Back = append(t.Back, i)
		t.Rows = append(t.Rows, x...)
	}
	t.At = append(t.At, r)
}

func (t *List) those(meant func(id string, x []float64) bool) *List {
	out := newItemTable(t.Dim, 0)
	for i, it := range t.List {
		if x := t.Point(t.At[i]); meant(it.ID, x) {
			out.add(it, x)
		}
	}
	return out
}

func (c *Coding) described(it space.Item) ([]float64, error) {
	x := make([]float64, c.Dim)
	for _, a := range c.Axes {
		if err := a.Encode(it.Features[a.Name], x); err != nil {
			return nil, fmt.Errorf("prefer: item %q: %w", it.ID, err)
		}
	}
	for _, a := range c.Axes {
		if a.Circular && math.Abs(it.Features[a.Name].Float()) > farOutside*a.High {
			return nil, Refuse("option", "item %q has %q = %v, more than %d periods of %g away from 0", it.ID, a.Name, it.Features[a.Name], farOutside, a.High)
		}
		if math.Abs(x[a.At]) > farOutside {
			return nil, Refuse("option", "item %q has %q = %v, more than %d times the range [%g, %g] of the first items away", it.ID, a.Name, it.Features[a.Name], farOutside, a.Low, a.High)
		}
	}
	return x, nil
}

// name adds the coordinate that only names items (gp.Model.Scales). Matérn-5/2 is 0 between different names, so that beside features, of which
// the model's trend speaks, every item has a utility of its own: f = effects of the features + what is the item's alone.
func (c *Coding) name() {
	if c.Scales == nil {
		for j := range c.Dim {
			c.Scales = append(c.Scales, j)
		}
	}
	c.Scales = append(c.Scales, -1)
	c.Dim++
}

func (t *List) unit(o space.Option) ([]float64, error) {
	x, ok := t.find(o.Item())
	if !ok || len(o) > 1 {
		return nil, Refuse("option", "option %v names no item of the study, want {%q: one of its %d ids}", o, itemAxisName, len(t.List))
	}
	return x, nil
}

// find returns the point of the item with this ID, if there ever was one.
func (t *List) find(id string) ([]float64, bool) {
	i, ok := t.ByID[id]
	switch {
	case ok:
		return t.Point(t.At[i]), true
	case t.Ever != nil:
		return t.Ever.find(id)
	}
	return nil, false
}

func (t *List) Point(row int) []float64 { return slices.Clone(t.Rows[row*t.Dim : (row+1)*t.Dim]) }

// id returns that of the first item at a point of the list.
func (t *List) id(x []float64) string {
	r, ok := t.row[Bits(x)]
	if !ok && t.Ever != nil {
		return t.Ever.id(x)
	}
	if !ok {
		panic("prefer: a point that is not an item")
	}
	return t.List[t.Back[r]].ID
}

// unseen returns the number of different items that are not among the options shown, each dim numbers that begin with those of its item.
func (t *List) Unseen(shown []float64, dim int) int {
	seen := map[string]bool{}
	for x := range slices.Chunk(shown, dim) {
		seen[Bits(x[:t.Dim])] = true
	}
	return len(t.Back) - len(seen)
}

// without returns the coding of the list without some items, in the same coordinates.
func (c *Coding) Without(left map[string]bool) *Coding {
	if len(left) == 0 {
		return c
	}
	return c.among(func(id string, _ []float64) bool { return !left[id] })
}

// listed returns those of the points that are in the list now, all in a box.
func (c *Coding) Listed(points []float64) []float64 {
	if t := c.Table(); t == nil || t.Ever == nil {
		return points
	}
	var out []float64
	for x := range slices.Chunk(points, c.Dim) {
		if c.Contains(x) {
			out = append(out, x...)
		}
	}
	return out
}

const (
	settingPoints = 64     // settings that items are tried at beside those that were shown
	settingMeans  = 20_000 // items times settings, at most
)

// ItemsAtBest returns every item at the one with the highest mean of some settings, best item first, row by row: those of best and of what was shown last, and some
// everywhere. An item that the constraints allow at none of them, or that ok does not let through, is left out.
func (c *Coding) ItemsAtBest(law acquisition.Utility, best, shown []float64, set func(x []float64)) []float64 {
	t := c.Table()
	n, most := len(t.Back), max(4, settingMeans/len(t.Back))
	settings := slices.Concat(best, c.Points(min(settingPoints, most/2), 0x7e57))
	if some := (most - len(settings)/c.Dim) * c.Dim; len(shown) > some {
		shown = shown[len(shown)-some:]
	}
	settings = slices.Concat(settings, shown)
	var tried []float64
	var of []int
	for i := range n {
		for at := range slices.Chunk(settings, c.Dim) {
			x := slices.Concat(t.Rows[i*t.Dim:(i+1)*t.Dim], at[t.Dim:])
			if set != nil {
				set(x)
			}
			if c.Contains(x) {
				tried, of = append(tried, x...), append(of, i)
			}
		}
	}
	mean := make([]float64, len(of))
	law.Means(mean, tried, 1)
	top, score := make([]int, n), make([]float64, n)
	for i := range top {
		top[i], score[i] = -1, math.Inf(-1)
	}
	for k, i := range of {
		if top[i] < 0 || mean[k] > score[i] {
			top[i], score[i] = k, mean[k]
		}
	}
	var rows []float64
	for _, i := range ByScore(score) {
		if top[i] >= 0 {
			rows = append(rows, tried[top[i]*c.Dim:(top[i]+1)*c.Dim]...)
		}
	}
	return rows
}

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

func (a Axis) encodeItem(v space.Value, x []float64) error {
	id, _ := v.Any().(string)
	at, ok := a.items.find(id)
	if !ok {
		return RefuseField("option", a.Name, v, "option has %q = %v, which is not an item of the study, want one of its %d ids", a.Name, v, len(a.items.List))
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
	if slices.ContainsFunc(c.features, func(a Axis) bool { _, ok := fixed[a.Name]; return ok }) {
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
