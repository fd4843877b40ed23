package figure

import (
	"context"
	"image/color"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Example is the data of Fig. 1: the knowledge gradient in one dimension. The utility is f(x) = −x² on
// [−1, 1], every duel lies at x ≤ 0, and all answers are true.
type Example struct {
	X     []float64 // the grid of everything below
	Truth []float64

	Duels         []Segment // answered before the question
	Question      Segment   // the pair that maximises the knowledge gradient
	Before, After Posterior // without and with the answer
	Gain          []float64 // kg(x₁, x₂) − max μ for every pair of the grid, row by row in x₁, with the fantasy points maximised out over the grid
}

// Segment is a duel from winner to loser.
type Segment struct{ Winner, Loser float64 }

// Posterior is a belief at the points of a grid.
type Posterior struct{ Mean, SD []float64 }

// examplePairs are the pairs of the duels, at different places so that the arrows do not run into each
// other. The nearer to the origin wins, so the best guess is at the right end of what was seen.
var examplePairs = [][2]float64{{-0.9, -0.6}, {-0.3, -0.75}, {-0.45, -0.12}}

// NewExample fits the model, with the paper's two outcomes, to the duels, asks the question, answers it and fits again. steps is the number of steps of the
// grid, 2 at least and about 160 for print; the landscape costs its cube.
func NewExample(ctx context.Context, m gp.Model, steps int) (*Example, error) {
	m.Answers = gp.Answers{}
	e := &Example{X: make([]float64, steps+1), Truth: make([]float64, steps+1)}
	grid := make([]float64, steps+1)
	for i := range grid {
		grid[i] = float64(i) / float64(steps)
		e.X[i] = fromUnit(grid[i])
		e.Truth[i] = utility(e.X[i])
	}
	duels := &gp.Duels{Dim: 1}
	for _, p := range examplePairs {
		s := duel(p[0], p[1])
		e.Duels = append(e.Duels, s)
		if err := s.join(duels); err != nil {
			return nil, err
		}
	}
	before, err := m.Fit(ctx, duels, nil)
	if err != nil {
		return nil, err
	}
	choice, err := acquisition.Ask(ctx, "kg", acquisition.Task{Posterior: before})
	if err != nil {
		return nil, err
	}
	e.Question = duel(fromUnit(choice.A[0]), fromUnit(choice.B[0]))
	if err := e.Question.join(duels); err != nil {
		return nil, err
	}
	after, err := m.Fit(ctx, duels, before)
	if err != nil {
		return nil, err
	}

	joint := gp.NewMoments(len(grid))
	before.Moments(joint, grid)
	e.Before = marginals(joint)
	if e.Gain, err = landscape(ctx, before, grid); err != nil {
		return nil, err
	}
	after.Moments(joint, grid)
	e.After = marginals(joint)
	return e, nil
}

// landscape is Eq. 3 for every pair of points of the grid, less the best mean.
func landscape(ctx context.Context, p *gp.Posterior, grid []float64) ([]float64, error) {
	n := len(grid)
	var pairs [][]float64
	for i, x := range grid {
		for _, y := range grid[:i+1] {
			pairs = append(pairs, []float64{x, y})
		}
	}
	values, err := acquisition.Worth(ctx, "kg", acquisition.Task{Posterior: p, Domain: &acquisition.Domain{List: grid, Dim: 1}}, pairs)
	if err != nil {
		return nil, err
	}
	out := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			out[i*n+j], out[j*n+i] = values[0], values[0]
			values = values[1:]
		}
	}
	return out, nil
}

func marginals(m *gp.Moments) Posterior {
	n := m.Points()
	return Posterior{slices.Clone(m.Mean), xslices.Times(n, func(i int) float64 { return math.Sqrt(m.Cov[i*n+i]) })}
}

func utility(x float64) float64 { return -x * x }

// duel answers a pair without noise.
func duel(a, b float64) Segment {
	if utility(a) >= utility(b) {
		return Segment{a, b}
	}
	return Segment{b, a}
}

// join adds the duel to those of the model.
func (s Segment) join(d *gp.Duels) error {
	return d.Add([]float64{toUnit(s.Winner)}, []float64{toUnit(s.Loser)}, 1)
}

// The model lives on the unit interval.
func toUnit(x float64) float64   { return (x + 1) / 2 }
func fromUnit(u float64) float64 { return 2*u - 1 }

// Colours of Fig. 1, after the paper's caption: a blue band, winners green and losers red, of the palette of the curves.
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

// Draw lays out Fig. 1: the posterior before and after the question, and the knowledge gradient that chose it.
func (e *Example) Draw() []byte {
	const foot = roomTop + squareSide + roomBottom + roomLabel
	d := chart.NewPage(pageWidth, foot+rowHeight+roomLegend, "The knowledge gradient in one dimension")
	x, y := chart.Scale{Low: -1, High: 1}, e.height()
	const heatLeft = pageWidth - heatRight - squareSide
	const width = (heatLeft - heatGap - roomLeft - squareGap) / 2.0
	a := box(d, roomLeft, roomTop, width, squareSide, x, y)
	a.title, a.xLabel, a.yLabel = "Before the question", "~{x}", "utility"
	e.belief(a, e.Before, false)
	a = box(d, roomLeft+width+squareGap, roomTop, width, squareSide, x, y)
	a.title, a.xLabel, a.bareY = "After the answer", "~{x}", true
	e.belief(a, e.After, true)
	a = box(d, heatLeft, roomTop, squareSide, squareSide, x, x)
	a.title, a.xLabel, a.yLabel = "kg(~{x}_{1}, ~{x}_{2}) − max ~{μ}", "~{x}_{1}", "~{x}_{2}"
	e.landscape(a)
	e.legend().write(d, roomRight, pageWidth-roomRight, foot)
	return document(d)
}

// height returns the scale of the utility, the same before and after.
func (e *Example) height() chart.Scale {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range []Posterior{e.Before, e.After} {
		for i, m := range p.Mean {
			lo, hi = min(lo, m-2*p.SD[i]), max(hi, m+2*p.SD[i])
		}
	}
	room := 0.04 * (hi - lo)
	return chart.Scale{Low: lo - room, High: hi + room}
}

// Styles and radii of what is drawn.
var (
	winnerMark   = "fill:" + hex(winner) + ";stroke:#fff;stroke-width:.5"
	loserMark    = line(loser, 1.3)
	questionMark = "fill:#f0e442;stroke:#222;stroke-width:.7"
	meanLine     = line(blue, 1.3)
	truthLine    = line(grey, 0.8) + ";stroke-dasharray:3 1.6"
)

const winnerRadius, loserRadius, questionRadius = 2.8, 3.1, 3.4

// belief draws a posterior with its duels on the mean. The question is a pair of triangles until it is answered, then one of the duels.
func (e *Example) belief(a axes, p Posterior, answered bool) {
	lower := xslices.Times(len(e.X), func(i int) float64 { return p.Mean[i] - 2*p.SD[i] })
	upper := xslices.Times(len(e.X), func(i int) float64 { return p.Mean[i] + 2*p.SD[i] })
	a.band(e.X, lower, upper, band(blue))
	a.clipped(func() { a.Path(truthLine, false, a.path(e.X, e.scaledTruth(p))) })
	a.Path(meanLine, false, a.path(e.X, p.Mean))
	on := func(x float64) [2]float64 { return a.at(x, interpolate(e.X, p.Mean, x)) }
	duels := e.Duels
	if answered {
		duels = append(duels[:len(duels):len(duels)], e.Question)
	}
	for _, d := range duels {
		bend := -0.45
		if d.Loser > d.Winner {
			bend = -bend
		}
		arrow(a.Drawing, on(d.Winner), on(d.Loser), bend, 4)
	}
	for _, d := range duels {
		at := on(d.Winner)
		a.Dot(winnerMark, at[0], at[1], winnerRadius, "")
		cross(a.Drawing, loserMark, on(d.Loser), loserRadius)
	}
	if !answered {
		triangle(a.Drawing, questionMark, on(e.Question.Winner), questionRadius)
		triangle(a.Drawing, questionMark, on(e.Question.Loser), questionRadius)
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
	return xslices.Map(e.Truth, func(f float64) float64 { return zero + unit*f })
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
	gain := chart.Scale{High: slices.Max(e.Gain), To: 1}
	a.heat(func(u, v float64) color.NRGBA { return viridis.at(gain.At(s.at(u, v))) })
	triangle(a.Drawing, questionMark, a.at(e.Question.Winner, e.Question.Loser), questionRadius)
	triangle(a.Drawing, questionMark, a.at(e.Question.Loser, e.Question.Winner), questionRadius)
	a.frame(false)
	a.bar(gain, viridis)
}

func (e *Example) legend() legend {
	return legend{
		{"posterior mean ± 2 sd", func(d *chart.Drawing, left, right, y float64) {
			sampleBand(d, left, right, y, blue)
			d.Line(meanLine, left, y, right, y)
		}},
		{"utility −~{x}², scaled", func(d *chart.Drawing, left, right, y float64) { d.Line(truthLine, left, y, right, y) }},
		{"duel, winner to loser", func(d *chart.Drawing, left, right, y float64) {
			arrow(d, [2]float64{left + 1, y}, [2]float64{right - 1, y}, 0, 3)
			d.Dot(winnerMark, left+1, y, winnerRadius, "")
			cross(d, loserMark, [2]float64{right - 1, y}, loserRadius)
		}},
		{"question chosen by kg", func(d *chart.Drawing, left, right, y float64) {
			triangle(d, questionMark, [2]float64{(left + right) / 2, y}, questionRadius)
		}},
	}
}
