package play

import (
	"fmt"
	"math"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/terminal"
)

// mattered are the lines about what made the difference: each parameter's sentence, most important first, and a
// small chart for the first of those that won. Of a list without features it is who comes next.
func (g *gallery) mattered(o status, n, charts int) []string {
	var out []string
	if len(o.belief.Axes) == 0 {
		for k, r := range o.belief.Ranking(1 + nextShown) {
			if k > 0 {
				out = append(out, fmt.Sprintf("%d. %s", k+1, g.line(r.Option)))
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
		return g.levels(points)
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

// levels lists the values of a choice with how far each is behind the best of them.
func (g *gallery) levels(points []prefer.SlicePoint) []string {
	top, name := math.Inf(-1), 0
	for _, p := range points {
		top, name = math.Max(top, p.Mean), max(name, terminal.Width(g.Text(format(prefer.Parameter{}, p.Value))))
	}
	var out []string
	for _, p := range points {
		behind := math.Abs(math.Min(0, p.Mean-top))
		out = append(out, fmt.Sprintf("  %s  %4.1f behind, %s %.1f", terminal.Fit(g.Text(format(prefer.Parameter{}, p.Value)), name), behind, g.Glyph("±", "+/-"), p.SD))
	}
	return out
}
