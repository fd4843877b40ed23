package play

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

type gallery struct {
	config prefer.Config
	items  map[string]space.Item
	colour bool
	terminal.Style
}

func newGallery(study *prefer.Study, st terminal.Style) *gallery {
	items := xslices.ToMap(study.Items(true), func(it space.Item) (string, space.Item) { return it.ID, it })
	return &gallery{config: study.Config(), items: items, colour: isColour(study.Config().Space), Style: st}
}

func (g *gallery) line(o space.Option) string {
	var parts []string
	if len(g.items) > 0 {
		parts = append(parts, g.Text(title(g.items[o.Item()], o.Item())))
	}
	parts = append(parts, xslices.Map(g.config.Space.Parameters, func(p space.Parameter) string { return g.Text(p.Name + " " + format(p, o[p.Name])) })...)
	text := strings.Join(parts, ", ")
	if g.colour {
		text = fmt.Sprintf("%v %s (%s)", swatch(o), colourName(o), text)
		if g.Paints() {
			text = g.Field(swatch(o), 4) + " " + text
		}
	}
	return text
}

// title is what an item is shown as: its text, else the name of its file, else its ID.
func title(item space.Item, id string) string {
	if item.Text == "" && item.Media != "" {
		return path.Base(item.Media)
	}
	return cmp.Or(item.Text, id)
}

const (
	swatchRows   = 9 // of a colour field
	shownFactors = 8 // features of an item that has nothing else to show
)

// body returns the lines of an option's card, at most n columns wide.
func (g *gallery) body(o space.Option, n int) (out []string) {
	if len(g.items) > 0 {
		if out = g.itemBody(g.items[o.Item()], o.Item(), n); len(g.config.Space.Parameters) > 0 {
			out = append(out, "")
		}
	}
	if g.colour {
		if g.Paints() {
			out = append(out, slices.Repeat([]string{g.Field(swatch(o), n)}, swatchRows)...)
		}
		return append(out, fmt.Sprintf("%v  %s", swatch(o), colourName(o)))
	}
	name, value := 0, 0
	for _, p := range g.config.Space.Parameters {
		name = max(name, terminal.Width(g.Text(p.Name)))
		value = max(value, terminal.Width(g.Text(format(p, o[p.Name]))))
	}
	name, value = min(name, n/2), min(value, n/2)
	for _, p := range g.config.Space.Parameters {
		line := terminal.Fit(g.Text(p.Name), name) + "  " + g.Bold(terminal.Fit(g.Text(format(p, o[p.Name])), value))
		if at, ok := view.Position(p, o[p.Name]); ok && n-terminal.Width(line)-2 >= 5 {
			line += "  " + g.bar(at, min(16, n-terminal.Width(line)-2))
		}
		out = append(out, line)
	}
	return out
}

func (g *gallery) itemBody(item space.Item, id string, n int) []string {
	out := xslices.Map(terminal.Wrap(g.Text(title(item, id)), n), g.Bold)
	if item.Text != "" && item.Media != "" {
		out = append(out, g.Dim(g.Text(path.Base(item.Media))))
	}
	if item.Text == "" && item.Media == "" {
		names := slices.Sorted(maps.Keys(item.Features))
		out = append(out, xslices.Map(names[:min(len(names), shownFactors)], func(f string) string { return g.Text(f + " " + sentence.Value(item.Features[f])) })...)
	}
	return out
}

func (g *gallery) bar(at float64, n int) string {
	mark := int(math.Round(at * float64(n-1)))
	return strings.Repeat(g.Glyph("━", "="), mark) + g.Glyph("●", "o") + g.Dim(strings.Repeat(g.Glyph("─", "-"), n-1-mark))
}

// card frames the body of an option: n columns, at least rows lines inside.
func (g *gallery) card(o space.Option, label string, n, rows int) []string {
	h, v := g.Glyph("─", "-"), g.Glyph("│", "|")
	corner := func(unicode string) string { return g.Glyph(unicode, "+") }
	body := g.body(o, n-4)
	body = append(body, make([]string, max(0, rows-len(body)))...)
	out := []string{corner("╭") + h + " " + g.Bold(label) + " " + strings.Repeat(h, max(0, n-5-terminal.Width(label))) + corner("╮")}
	out = append(out, xslices.Map(body, func(line string) string { return v + " " + terminal.Fit(line, n-4) + " " + v })...)
	return append(out, corner("╰")+strings.Repeat(h, n-2)+corner("╯"))
}

const (
	cardWidth = 30 // columns under which two cards do not stand side by side
	cardMost  = 48
)

// pair lays out two options in n columns: side by side, or one above the other, or, where they need too many rows, as the columns of a table.
func (g *gallery) pair(first, second space.Option, labels [2]string, n, rows int) []string {
	if n < 2*cardWidth+2 {
		w := max(12, min(n, cardMost))
		if out := append(g.card(first, labels[0], w, 0), g.card(second, labels[1], w, 0)...); len(out) <= rows || g.colour || len(g.items) > 0 {
			return out
		}
		return g.columns(first, second, labels, n)
	}
	w := min(cardMost, (n-2)/2)
	inside := max(len(g.body(first, w-4)), len(g.body(second, w-4)))
	left, right := g.card(first, labels[0], w, inside), g.card(second, labels[1], w, inside)
	for i := range left {
		left[i] += "  " + right[i]
	}
	return left
}

// columns shows two settings in one line per parameter.
func (g *gallery) columns(first, second space.Option, labels [2]string, n int) []string {
	w := max(4, (n-2)/3)
	row := func(a, b, c string) string {
		return terminal.Fit(a, w) + " " + terminal.Fit(b, w) + " " + terminal.Fit(c, w)
	}
	out := []string{g.Bold(row("", labels[0], labels[1]))}
	return append(out, xslices.Map(g.config.Space.Parameters, func(p space.Parameter) string {
		return row(g.Text(p.Name), g.Text(format(p, first[p.Name])), g.Text(format(p, second[p.Name])))
	})...)
}

// format is a value as a card shows it: a number to about a thousandth of its range.
func format(p space.Parameter, v space.Value) string {
	switch {
	case v == space.ValueOf(true):
		return "yes"
	case v == space.ValueOf(false):
		return "no"
	case p.Type == "float" && !p.Log && p.High > p.Low:
		places := 2 - int(math.Floor(math.Log10(p.High-p.Low)))
		if places <= 12 && p.High < 1e12 {
			return strconv.FormatFloat(v.Float(), 'f', max(0, places), 64)
		}
	}
	return sentence.Value(v)
}

// The parameters that make a study one of colours.
const hueName, chromaName, lightnessName = "hue", "chroma", "lightness"

// isColour reports whether the options of a space are colours: a hue in degrees, a chroma and a lightness from 0 to 1, and nothing else.
func isColour(s space.Space) bool {
	top := map[string]float64{hueName: 360, chromaName: 1, lightnessName: 1}
	return len(s.Parameters) == len(top) && !slices.ContainsFunc(s.Parameters, func(p space.Parameter) bool {
		high, known := top[p.Name]
		delete(top, p.Name)
		return !known || p.Low < 0 || p.High > high || len(p.Choices) > 0 || p.Type == "bool"
	})
}

// swatch returns the colour of an option of such a space.
func swatch(o space.Option) terminal.Colour {
	return terminal.OKLCH(o[lightnessName].Float(), o[chromaName].Float(), o[hueName].Float())
}

// hues are the names of the Oklab hues, from 0° on, every 30°.
var hues = []string{"pink", "red", "orange", "amber", "olive", "green", "emerald", "teal", "sky blue", "blue", "violet", "magenta"}

// colourName names a colour roughly: "light soft teal".
func colourName(o space.Option) string {
	l, c, h := o[lightnessName].Float(), o[chromaName].Float(), o[hueName].Float()
	name := hues[int(math.Round(h/30))%len(hues)]
	switch {
	case c < 0.12:
		name = "grey"
	case c < 0.45:
		name = "soft " + name
	case c > 0.8:
		name = "vivid " + name
	}
	switch {
	case l < 0.4:
		return "dark " + name
	case l > 0.8:
		return "light " + name
	}
	return name
}

// mattered are the lines about what made the difference: each parameter's sentence, most important first, and a small chart for the first of
// those that won. Of a list without features they are the next items, with the places each may have. Without a pick there are none.
func (g *gallery) mattered(o status, n, charts int) (out []string) {
	if !o.Kind.Picks() {
		return nil
	}
	if len(o.belief.Axes) == 0 {
		for k, r := range o.belief.Ranking(1 + nextShown) {
			if k > 0 {
				out = append(out, fmt.Sprintf("%s: place %d to %d, shown %s", g.line(r.Option), r.Low, r.High, say.Count(r.Shown, "time")))
			}
		}
		return out
	}
	for _, i := range o.belief.Importance() {
		out = append(out, g.Text(i.Sentence))
		if wins(i) && charts > 0 {
			charts--
			out = append(out, g.chart(o.belief, i.Parameter, min(n, chartWidth))...)
		}
	}
	return out
}

const (
	nextShown  = 3 // items after the pick
	chartWidth = 33
	chartRows  = 5
)

// chart draws the utility along one parameter through the pick, with a band of one standard deviation.
func (g *gallery) chart(b *prefer.Belief, name string, n int) []string {
	points, err := b.Slice(name, n)
	if err != nil || n < 2 { // the name comes from the belief itself
		return nil
	}
	if math.IsNaN(points[0].Value.Float()) {
		return g.levels(b, name, points)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = math.Min(low, p.Mean-p.SD), math.Max(high, p.Mean+p.SD)
	}
	row := func(v float64) int {
		return int(math.Round((high - v) / math.Max(high-low, 1e-9) * (chartRows - 1)))
	}
	out := make([]string, chartRows)
	for r := range out {
		for _, p := range points {
			switch {
			case row(p.Mean) == r:
				out[r] += g.Glyph("●", "o")
			case row(p.Mean+p.SD) <= r && r <= row(p.Mean-p.SD):
				out[r] += g.Glyph("░", ".")
			default:
				out[r] += " "
			}
		}
		out[r] = "  " + out[r]
	}
	from, to := sentence.Value(points[0].Value), sentence.Value(points[len(points)-1].Value)
	return append(out, g.Dim("  "+terminal.Fit(from, max(terminal.Width(from), len(points)-terminal.Width(to)))+to))
}

// levels lists the values of a choice with how often each would be taken against the pick, all else being the same.
func (g *gallery) levels(b *prefer.Belief, parameter string, points []prefer.SlicePoint) []string {
	name := slices.Max(xslices.Map(points, func(p prefer.SlicePoint) int { return terminal.Width(g.Text(format(space.Parameter{}, p.Value))) }))
	var out []string
	for _, p := range points {
		said := "the pick's"
		if best := b.Best(); best[parameter] != p.Value {
			other := maps.Clone(best)
			other[parameter] = p.Value
			taken, err := b.Prefers(other, best)
			if err != nil {
				continue // a feature, of which an item has what it has
			}
			said = fmt.Sprintf("taken against it %.0f times in 100", 100*taken)
		}
		out = append(out, fmt.Sprintf("  %s  %s", terminal.Fit(g.Text(format(space.Parameter{}, p.Value)), name), said))
	}
	return out
}
