package page

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"

	"github.com/prefer-bo/prefer"
)

// Drawings are plain SVG with classes; the style sheet gives them colour, so they follow light and dark.
const (
	chartWidth  = 320.0
	chartHeight = 150.0
	chartPad    = 14.0
	chartFoot   = 24.0
)

// SliceChart draws the utility along one parameter: the mean, a band of one standard deviation either side,
// and a mark at the pick's value. Categories are points with bars.
func SliceChart(p prefer.Parameter, points []prefer.SlicePoint, best prefer.Value) template.HTML {
	if len(points) == 0 {
		return ""
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, q := range points {
		low, high = math.Min(low, q.Mean-q.SD), math.Max(high, q.Mean+q.SD)
	}
	if high-low < 1e-9 { // nothing known yet: a flat line in the middle
		low, high = low-1, high+1
	}
	x := func(i int) float64 {
		if len(points) == 1 {
			return chartWidth / 2
		}
		return chartPad + (chartWidth-2*chartPad)*float64(i)/float64(len(points)-1)
	}
	y := func(u float64) float64 {
		return chartPad + (chartHeight-chartFoot-2*chartPad)*(high-u)/(high-low)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %g %g" role="img" aria-label="%s">`, chartWidth, chartHeight, html.EscapeString(sliceLabel(p, points, best)))
	fmt.Fprintf(&b, `<line class="axis" x1="%g" x2="%g" y1="%g" y2="%g"/>`, chartPad, chartWidth-chartPad, chartHeight-chartFoot, chartHeight-chartFoot)
	at := nearest(points, best)
	if p.Type == "ordinal" || math.IsNaN(points[0].Value.Float()) {
		inset := (chartWidth - 2*chartPad) / float64(2*len(points))
		x = func(i int) float64 { return chartPad + inset*float64(2*i+1) }
		for i, q := range points {
			class := "dot"
			if i == at {
				class = "dot pick"
			}
			fmt.Fprintf(&b, `<line class="whisker" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><circle class="%s" cx="%.1f" cy="%.1f" r="6"/>`,
				x(i), x(i), y(q.Mean-q.SD), y(q.Mean+q.SD), class, x(i), y(q.Mean))
			fmt.Fprintf(&b, `<text x="%.1f" y="%g" text-anchor="middle">%s</text>`, x(i), chartHeight-7, html.EscapeString(shorten(q.Value.String(), 56/len(points)+2)))
		}
		b.WriteString(`</svg>`)
		return template.HTML(b.String())
	}
	var band, mean strings.Builder
	for i, q := range points {
		fmt.Fprintf(&band, "%.1f,%.1f ", x(i), y(q.Mean+q.SD))
		fmt.Fprintf(&mean, "%.1f,%.1f ", x(i), y(q.Mean))
	}
	for i := len(points) - 1; i >= 0; i-- {
		fmt.Fprintf(&band, "%.1f,%.1f ", x(i), y(points[i].Mean-points[i].SD))
	}
	fmt.Fprintf(&b, `<polygon class="band" points="%s"/><polyline class="mean" points="%s"/>`, band.String(), mean.String())
	fmt.Fprintf(&b, `<line class="mark" x1="%.1f" x2="%.1f" y1="%.1f" y2="%g"/><circle class="dot pick" cx="%.1f" cy="%.1f" r="6"/>`,
		x(at), x(at), y(points[at].Mean), chartHeight-chartFoot, x(at), y(points[at].Mean))
	fmt.Fprintf(&b, `<text x="%g" y="%g">%s</text><text x="%g" y="%g" text-anchor="end">%s</text></svg>`,
		chartPad, chartHeight-7, html.EscapeString(Number(points[0].Value)), chartWidth-chartPad, chartHeight-7, html.EscapeString(Number(points[len(points)-1].Value)))
	return template.HTML(b.String())
}

// MapCell is one cell of a map: the utility with its uncertainty.
type MapCell struct{ Mean, SD float64 }

// MapChart draws the utility over two parameters, cells[row][column] with the first row at the low end of y.
// Likes are dark, doubt is faint; the cross is the pick, at fractions of the width and the height from the
// low ends. A cell that is not a number is left out: no option is there.
func MapChart(label, nameX, nameY string, cells [][]MapCell, pickX, pickY float64) template.HTML {
	if len(cells) == 0 || len(cells[0]) == 0 {
		return ""
	}
	low, high, most := math.Inf(1), math.Inf(-1), 0.0
	for _, row := range cells {
		for _, c := range row {
			if math.IsNaN(c.Mean) {
				continue
			}
			low, high, most = math.Min(low, c.Mean), math.Max(high, c.Mean), math.Max(most, c.SD)
		}
	}
	span := math.Max(high-low, 1e-9)
	const left, top, size = 34.0, 10.0, 280.0
	w, h := size/float64(len(cells[0])), size/float64(len(cells))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="map" viewBox="0 0 330 330" shape-rendering="crispEdges" role="img" aria-label="%s">`, html.EscapeString(label))
	for r, row := range cells {
		for c, cell := range row {
			if math.IsNaN(cell.Mean) {
				continue
			}
			level := int(math.Round(9 * (cell.Mean - low) / span))
			sure := 1.0
			if most > 0 {
				sure = 1 - 0.55*cell.SD/most
			}
			fmt.Fprintf(&b, `<rect class="u%d" opacity="%.2f" x="%.2f" y="%.2f" width="%.2f" height="%.2f"/>`,
				level, sure, left+float64(c)*w, top+size-float64(r+1)*h, w, h)
		}
	}
	fmt.Fprintf(&b, `<rect class="edge" x="%g" y="%g" width="%g" height="%g"/>`, left, top, size, size)
	px, py := left+pickX*size, top+size-pickY*size
	fmt.Fprintf(&b, `<circle class="ring" shape-rendering="auto" cx="%.1f" cy="%.1f" r="8"/><circle class="core" shape-rendering="auto" cx="%.1f" cy="%.1f" r="3"/>`, px, py, px, py)
	fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="middle">%s</text>`, left+size/2, top+size+24, html.EscapeString(shorten(nameX, 40)))
	fmt.Fprintf(&b, `<text transform="translate(18 %g) rotate(-90)" text-anchor="middle">%s</text></svg>`, top+size/2, html.EscapeString(shorten(nameY, 40)))
	return template.HTML(b.String())
}

// nearest returns the point whose value is closest to v.
func nearest(points []prefer.SlicePoint, v prefer.Value) int {
	at, gap := 0, math.Inf(1)
	for i, q := range points {
		if q.Value == v {
			return i
		}
		if d := math.Abs(q.Value.Float() - v.Float()); d < gap {
			at, gap = i, d
		}
	}
	return at
}

func sliceLabel(p prefer.Parameter, points []prefer.SlicePoint, best prefer.Value) string {
	worst := points[0]
	for _, q := range points {
		if q.Mean < worst.Mean {
			worst = q
		}
	}
	return fmt.Sprintf("How much %s is liked: best at %s, least at %s", p.Name, Number(best), Number(worst.Value))
}

// Number writes a value for people: three digits of a number, words as they are.
func Number(v prefer.Value) string {
	if math.IsNaN(v.Float()) {
		return v.String()
	}
	if f := v.Float(); math.Abs(f) < 1e6 && (f == math.Trunc(f) || math.Abs(f) >= 100) {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.3g", v.Float())
}

// shorten cuts a text to n runes.
func shorten(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return string(r[:max(1, n-1)]) + "…"
}
