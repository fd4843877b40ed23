package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/svg"
	"github.com/prefer-bo/prefer/live"
)

// Drawings have classes; the style sheet gives them colour, so they follow light and dark.
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
	if p.Circular { // the circle is closed
		points = append(slices.Clip(points), prefer.SlicePoint{Value: prefer.ValueOf(p.High), Mean: points[0].Mean, SD: points[0].SD})
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, q := range points {
		low, high = math.Min(low, q.Mean-q.SD), math.Max(high, q.Mean+q.SD)
	}
	if high-low < 1e-9 { // nothing known yet: a flat line in the middle
		low, high = low-1, high+1
	}
	const left, right, axis, foot = chartPad, chartWidth - chartPad, chartHeight - chartFoot, chartHeight - 7
	last := len(points) - 1
	x, y := svg.NewScale(0, float64(last), left, right), svg.NewScale(low, high, axis-chartPad, chartPad)
	d := svg.New("chart", chartWidth, chartHeight, sliceLabel(p, points, best))
	d.Line("axis", left, axis, right, axis)
	var values []prefer.Value
	for _, q := range points {
		values = append(values, q.Value)
	}
	at := nearest(values, best)
	if p.Type == "ordinal" || math.IsNaN(points[0].Value.Float()) {
		x.Low, x.High = -0.5, float64(last)+0.5
		for i, q := range points {
			class := "dot"
			if i == at {
				class = "dot pick"
			}
			x := x.At(float64(i))
			d.Line("whisker", x, y.At(q.Mean-q.SD), x, y.At(q.Mean+q.SD))
			d.Dot(class, x, y.At(q.Mean), 6, q.Value.String())
			d.Text("value", "middle", x, foot, svg.Clip(q.Value.String(), 56/len(points)+2))
		}
		return d.HTML()
	}
	var upper, lower, mean [][2]float64
	for i, q := range points {
		x := x.At(float64(i))
		upper = append(upper, [2]float64{x, y.At(q.Mean + q.SD)})
		lower = append(lower, [2]float64{x, y.At(q.Mean - q.SD)})
		mean = append(mean, [2]float64{x, y.At(q.Mean)})
	}
	slices.Reverse(lower)
	d.Path("band", true, append(upper, lower...))
	d.Path("mean", false, mean)
	d.Line("mark", mean[at][0], mean[at][1], mean[at][0], axis)
	d.Dot("dot pick", mean[at][0], mean[at][1], 6, Number(best))
	d.Text("value", "start", left, foot, Number(points[0].Value))
	d.Text("value", "end", right, foot, Number(points[last].Value))
	return d.HTML()
}

// MapChart draws the utility over two parameters. Likes are dark, doubt is faint; the ring is the pick. Where no option is
// there is no cell.
func MapChart(m live.UtilityMap, nameX, nameY string) template.HTML {
	low, high, most := math.Inf(1), math.Inf(-1), 1e-9
	for r, row := range m.Mean {
		for c, mean := range row {
			if mean != nil {
				low, high, most = math.Min(low, *mean), math.Max(high, *mean), math.Max(most, *m.SD[r][c])
			}
		}
	}
	const left, top, size = 10.0, 24.0, 280.0
	side := func(n int) float64 { return math.Floor(10*size/float64(n)) / 10 } // of a cell; drawings have tenths, and no gaps
	w, h := side(len(m.X)), side(len(m.Y))
	width, height := w*float64(len(m.X)), h*float64(len(m.Y))
	best := [2]prefer.Value{m.Best[nameX], m.Best[nameY]}
	label := fmt.Sprintf("How much is liked over %s and %s: best at %s and %s", nameX, nameY, Number(best[0]), Number(best[1]))
	d := svg.New("map", size+2*left, size+2*top, label)
	for r, row := range m.Mean {
		for c, mean := range row {
			if mean != nil {
				sd := *m.SD[r][c]
				class := fmt.Sprintf("u%.0f", 9*(*mean-low)/math.Max(high-low, 1e-9))
				x, y := left+float64(c)*w, top+height-float64(r+1)*h
				d.Shade(class, x, y, w, h, 1-0.55*sd/most, fmt.Sprintf("%s %s, %s %s", nameX, Number(m.X[c]), nameY, Number(m.Y[r])))
			}
		}
	}
	d.Rect("edge", left, top, width, height)
	x, y := left+w*(float64(nearest(m.X, best[0]))+0.5), top+height-h*(float64(nearest(m.Y, best[1]))+0.5)
	d.Dot("ring", x, y, 8, "the pick")
	d.Dot("core", x, y, 3, "the pick")
	d.Text("name", "end", left+width, top+height+16, svg.Clip(nameX, 40)+" →")
	d.Text("name", "start", left, top-8, "↑ "+svg.Clip(nameY, 40))
	return d.HTML()
}

// nearest returns which value is closest to v.
func nearest(values []prefer.Value, v prefer.Value) int {
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
