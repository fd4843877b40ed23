package page

import (
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Strip is the pick with one parameter, or feature, changed from end to end.
type Strip struct {
	Sentence string
	Cells    []Cell
}

// Cell is one option of a strip.
type Cell struct {
	Shown
	Value  string
	Colour string // of the value, where it is a hue
	Pick   bool
	Odds   string // how often it would be taken over the pick; empty where that is not known
}

const (
	stripCells = 7 // of drawings
	frameCells = 5 // of pages, each of which is one in the browser
)

// strips draws the pick along every parameter, the most important first, if options can be drawn.
func (p *Pages) strips(v visitor, belief *prefer.Belief, pick space.Option) (out []Strip, err error) {
	if !v.drawn() {
		return nil, nil
	}
	cells := stripCells
	if kind := v.Settings.Page.Template.Kind; kind == "html" || kind == "page" {
		cells = frameCells
	}
	for _, i := range belief.Importance() {
		if i.Parameter == "item" {
			continue
		}
		options, values, err := v.along(belief, i.Parameter, pick, cells)
		if err != nil {
			return nil, err
		}
		s := Strip{Sentence: v.Term(i.Parameter)}
		if i.Kind != "unknown" {
			s.Sentence = v.Lang.Sentence(v.Importance(i))
		}
		for n, o := range options {
			odds, err := belief.Prefers(o, pick)
			if err != nil {
				continue // a constraint forbids it
			}
			c := Cell{Shown: p.onPage(v, o, v.Lang.T("word.pick")), Value: v.Value(i.Parameter, values[n]), Colour: v.colourOf(i.Parameter, values[n], pick), Pick: same(o, pick)}
			if !c.Pick {
				c.Label = c.Value
				if i.Kind != "unknown" {
					c.Odds = v.Lang.Percent(float64(hundredths(odds)))
				}
			}
			s.Cells = append(s.Cells, c)
		}
		if len(s.Cells) > 1 {
			out = append(out, s)
		}
	}
	return out, nil
}

// drawn reports whether an option is something to look at: a drawing, a picture, a colour.
func (v visitor) drawn() bool {
	if v.Settings.Page.Template.Kind != "" {
		return true
	}
	if items := v.Items(); items != nil {
		return media.Type(items[0].Media) == "image"
	}
	return v.Parameter("hue").High > 0 && v.Parameter("lightness").High > 0
}

// same reports whether two options are one.
func same(a, b space.Option) bool { return a.String() == b.String() }

// along returns the pick with one parameter at n values from end to end, its own among them, and these values; of a list, the items nearest to that.
func (v visitor) along(belief *prefer.Belief, name string, pick space.Option, n int) (options []space.Option, values []space.Value, err error) {
	at := v.Values(pick)[name]
	points, err := belief.Slice(name, n)
	if err != nil {
		return nil, nil, err
	}
	values = xslices.Map(points, func(q prefer.SlicePoint) space.Value { return q.Value })
	for len(values) > n { // categories, which are all there: the least liked go
		worst := slices.IndexFunc(points, func(q prefer.SlicePoint) bool { return q.Value != at })
		for i, q := range points {
			if q.Value != at && q.Mean < points[worst].Mean {
				worst = i
			}
		}
		points, values = slices.Delete(points, worst, worst+1), slices.Delete(values, worst, worst+1)
	}
	values[nearest(values, at)] = at
	if v.Items() != nil && !v.Config.Space.Crossed() {
		return v.itemsAlong(name, pick, values)
	}
	param := v.Parameter(name)
	for i, value := range values {
		o := maps.Clone(pick)
		if value != at {
			values[i] = view.Round(param, value)
			o[name] = values[i]
		}
		options = append(options, o)
	}
	return options, values, nil
}

// nearest returns which value is closest to v.
func nearest(values []space.Value, v space.Value) int {
	at, gap := 0, math.Inf(1)
	for i, w := range values {
		if w == v {
			return i
		}
		if d := math.Abs(w.Float() - v.Float()); d < gap {
			at, gap = i, d
		}
	}
	return at
}

// itemsAlong returns, for each value of a feature, the item nearest to it that is otherwise most like the pick: no item twice, and the pick at its own value.
func (v visitor) itemsAlong(name string, pick space.Option, values []space.Value) (options []space.Option, found []space.Value, err error) {
	items := v.Items()
	of, err := v.item(pick.Item())
	if err != nil {
		return nil, nil, err
	}
	width := xslices.ToMap(v.Axes(), func(a view.Axis) (string, float64) { return a.Name, a.High - a.Low }) // of each feature, 0 for words
	apart := func(feature string, a, b space.Value) float64 {                                               // 0 to 1
		switch x, y := a.Float(), b.Float(); {
		case a == b:
			return 0
		case math.IsNaN(x) || math.IsNaN(y):
			return 1
		default:
			d := math.Abs(x - y)
			if period, ok := v.Config.Space.Circular[feature]; ok {
				d = math.Min(d, period-d)
			}
			return d / math.Max(width[feature], 1e-300)
		}
	}
	taken := map[string]bool{}
	for _, value := range values {
		best, gap := -1, math.Inf(1)
		for i, it := range items {
			if (value == of.Features[name]) != (it.ID == of.ID) || taken[it.ID] {
				continue
			}
			d := float64(len(width)) * apart(name, it.Features[name], value) // first the value, then the rest
			for feature := range width {
				if feature != name {
					d += apart(feature, it.Features[feature], of.Features[feature])
				}
			}
			if d < gap {
				best, gap = i, d
			}
		}
		if best < 0 {
			continue
		}
		taken[items[best].ID] = true
		options, found = append(options, space.ItemOption(items[best].ID)), append(found, items[best].Features[name])
	}
	return options, found, nil
}

// colourOf is the colour of a value of a hue, in CSS; empty of anything else.
func (v visitor) colourOf(name string, value space.Value, pick space.Option) string {
	if paint := v.Paint(name, pick); paint != nil && !math.IsNaN(value.Float()) {
		return paint(value.Float())
	}
	return ""
}
