package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colours of Fig. 1, after the paper's caption: a blue band, winners green and losers red, of the
// palette of the curves.
var (
	blue   = methods["eubo"]
	winner = methods["logei"]
	loser  = methods["kg"]
)

// Layout of Fig. 1 in points.
const (
	squareSide = 124
	squareGap  = 16
	heatGap    = 42
	heatRight  = 32
)

// Draw lays out Fig. 1: the posterior before and after the question, and the knowledge gradient that chose
// it.
func (e *Example) Draw() (*Figure, error) {
	const key = rowHeight
	f := &Figure{width: pageWidth, height: roomTop + squareSide + roomBottom + roomLabel + key + roomLegend}
	y := e.height()
	f.paint = func(dc draw.Canvas) {
		panels := draw.Crop(dc, roomLeft, -heatRight, f.height-roomTop-squareSide, -roomTop)
		heat := draw.Crop(panels, f.width-roomLeft-heatRight-squareSide, 0, 0, 0)
		beliefs := draw.Tiles{Cols: 2, Rows: 1, PadX: squareGap, PadRight: squareSide + heatGap}
		x := scale{lo: -1, hi: 1}
		before := axes{Canvas: beliefs.At(panels, 0, 0), x: x, y: y,
			title: "Before the question", xLabel: "~{x}", yLabel: "utility"}
		e.belief(before, e.Before, false)
		after := axes{Canvas: beliefs.At(panels, 1, 0), x: x, y: y,
			title: "After the answer", xLabel: "~{x}", bareY: true}
		e.belief(after, e.After, true)
		e.landscape(axes{Canvas: heat, x: x, y: x,
			title: "kg(~{x}_{1}, ~{x}_{2}) − max ~{μ}", xLabel: "~{x}_{1}", yLabel: "~{x}_{2}"})
		e.legend().write(dc, roomLeft, f.width-heatRight, key+2)
	}
	return f, nil
}

// height returns the scale of the utility, the same before and after.
func (e *Example) height() scale {
	s := scale{lo: math.Inf(1), hi: math.Inf(-1)}
	for _, p := range []Posterior{e.Before, e.After} {
		for i, m := range p.Mean {
			s.lo, s.hi = min(s.lo, m-2*p.SD[i]), max(s.hi, m+2*p.SD[i])
		}
	}
	room := 0.04 * (s.hi - s.lo)
	return scale{lo: s.lo - room, hi: s.hi + room}
}

var (
	winnerMark   = mark{fill: winner, edge: paper, width: 0.5, radius: 2.8}
	loserMark    = mark{edge: loser, width: 1.3, radius: 3.1}
	questionMark = mark{fill: color.NRGBA{240, 228, 66, 255}, edge: ink, width: 0.7, radius: 3.4}
	meanLine     = draw.LineStyle{Color: blue, Width: 1.3}
	truthLine    = draw.LineStyle{Color: grey, Width: 0.8, Dashes: []vg.Length{3, 1.6}}
)

// belief draws a posterior with its duels on the mean. The question is a pair of triangles until it is
// answered, then one of the duels.
func (e *Example) belief(a axes, p Posterior, answered bool) {
	lower, upper := make([]float64, len(e.X)), make([]float64, len(e.X))
	for i, m := range p.Mean {
		lower[i], upper[i] = m-2*p.SD[i], m+2*p.SD[i]
	}
	a.band(e.X, lower, upper, faded(blue, bandOpacity))
	a.StrokeLines(truthLine, a.ClipLinesXY(a.path(e.X, e.scaledTruth(p)))...)
	a.StrokeLines(meanLine, a.path(e.X, p.Mean))
	on := func(x float64) vg.Point { return a.at(x, interpolate(e.X, p.Mean, x)) }
	duels := e.Duels
	if answered {
		duels = append(duels[:len(duels):len(duels)], e.Question)
	}
	for _, d := range duels {
		bend := vg.Length(0.45)
		if d.Loser > d.Winner {
			bend = -bend
		}
		arrow(a.Canvas, on(d.Winner), on(d.Loser), -bend, 4, ink)
	}
	for _, d := range duels {
		winnerMark.circle(a.Canvas, on(d.Winner))
		loserMark.cross(a.Canvas, on(d.Loser))
	}
	if !answered {
		questionMark.triangle(a.Canvas, on(e.Question.Winner))
		questionMark.triangle(a.Canvas, on(e.Question.Loser))
	}
	a.frame(true)
}

// scaledTruth returns the utility in the units of the model. Duels tell neither its zero nor its unit,
// so both are those of the least squares fit to the mean, weighted by 1/sd².
func (e *Example) scaledTruth(p Posterior) []float64 {
	var w, t, m, tt, tm float64
	for i, f := range e.Truth {
		v := 1 / (p.SD[i] * p.SD[i])
		w, t, m, tt, tm = w+v, t+v*f, m+v*p.Mean[i], tt+v*f*f, tm+v*f*p.Mean[i]
	}
	unit := (w*tm - t*m) / (w*tt - t*t)
	zero := (m - unit*t) / w
	out := make([]float64, len(e.Truth))
	for i, f := range e.Truth {
		out[i] = zero + unit*f
	}
	return out
}

// interpolate returns the line through (xs, ys) at x; xs are evenly spaced.
func interpolate(xs, ys []float64, x float64) float64 {
	n := len(xs) - 1
	u := (x - xs[0]) / (xs[n] - xs[0]) * float64(n)
	i := min(max(int(u), 0), n-1)
	return ys[i] + (u-float64(i))*(ys[i+1]-ys[i])
}

// landscape draws the gain over all pairs, with the question in both orders: it is symmetric.
func (e *Example) landscape(a axes) {
	s := surface{len(e.X), e.Gain}
	gain := scale{lo: 0, hi: slices.Max(e.Gain)}
	a.heat(func(u, v float64) color.NRGBA { return viridis.at(gain.unit(s.at(u, v))) })
	questionMark.triangle(a.Canvas, a.at(e.Question.Winner, e.Question.Loser))
	questionMark.triangle(a.Canvas, a.at(e.Question.Loser, e.Question.Winner))
	a.frame(false)
	a.bar(gain, viridis)
}

func (e *Example) legend() legend {
	return legend{
		{"posterior mean ± 2 sd", func(c draw.Canvas) {
			sampleBand(c, blue)
			sampleLine(c, meanLine)
		}},
		{"utility −~{x}², scaled", func(c draw.Canvas) { sampleLine(c, truthLine) }},
		{"duel, winner to loser", func(c draw.Canvas) {
			p, q := vg.Point{X: c.Min.X + 1, Y: c.Center().Y}, vg.Point{X: c.Max.X - 1, Y: c.Center().Y}
			arrow(c, p, q, 0, 3, ink)
			winnerMark.circle(c, p)
			loserMark.cross(c, q)
		}},
		{"question chosen by kg", func(c draw.Canvas) { questionMark.triangle(c, c.Center()) }},
	}
}
