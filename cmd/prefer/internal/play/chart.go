package play

import (
	"fmt"
	"maps"
	"math"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// mattered are the lines about what made the difference: each parameter's sentence, most important first, and a
// small chart for the first of those that won. Of a list without features it is who comes next, with the places each may
// have. Where there is no pick to speak of nothing did.
func (g *gallery) mattered(o status, n, charts int) []string {
	var out []string
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

const nextShown = 3 // items after the pick

const (
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
	from, to := significant(points[0].Value), significant(points[len(points)-1].Value)
	return append(out, g.Dim("  "+terminal.Fit(from, max(terminal.Width(from), len(points)-terminal.Width(to)))+to))
}

// levels lists the values of a choice with how often each would be taken against the pick, all else being the same.
func (g *gallery) levels(b *prefer.Belief, parameter string, points []prefer.SlicePoint) []string {
	name := 0
	for _, p := range points {
		name = max(name, terminal.Width(g.Text(format(space.Parameter{}, p.Value))))
	}
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
