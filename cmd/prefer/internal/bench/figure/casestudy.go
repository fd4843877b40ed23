package figure

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// CaseStudy is the data of Fig. 4: where EUBO and the knowledge gradient put their questions on the two-dimensional Levy function, answered without noise.
type CaseStudy struct {
	Problem problem.Problem
	Initial []Pair // 4d quasi-random questions, the same for every method
	Runs    []Run

	truth views
}

// Pair is a question, in the units of the problem.
type Pair struct{ First, Second [2]float64 }

// Run is the study of one method.
type Run struct {
	Method    string
	Questions []Pair // after the initial ones, in the order asked
	Best      [2]float64
	Gap       float64 // f* − f(Best)

	mean views
}

// views are a function on the whole domain and around the optimum.
type views [2]surface

var paperGaps = map[string]float64{"eubo": 0.0182, "kg": 0.0191} // those of the caption of Fig. 4

// parts of the domain that are looked at, and the number of points along a side of each.
var parts = [2]float64{1, 0.2}

const caseGrid = 81

// NewCaseStudy runs a study of each method, eubo and kg as in the paper. Of template the model, the search, the look-ahead, the margin and the seed count;
// the rest is the paper's: two outcomes, 4d initial pairs, questions of any distance, also twice. The paper asks 50 questions.
func NewCaseStudy(ctx context.Context, template prefer.Config, questions int) (*CaseStudy, error) {
	p, err := problem.ByName("levy2")
	if err != nil {
		return nil, err
	}
	c := &CaseStudy{Problem: p}
	c.truth = c.view(p.Utility)
	for _, method := range []string{"eubo", "kg"} {
		cfg := prefer.Config{
			Method: method, Seed: template.Seed,
			Modelling: prefer.Modelling{Model: template.Model, Search: template.Search, LookAhead: template.LookAhead, Margin: template.Margin,
				Belief: "likeliest"}, // the model the paper draws
		}
		if err := c.run(ctx, cfg, questions); err != nil {
			return nil, fmt.Errorf("figure: case study of %s: %w", method, err)
		}
	}
	return c, nil
}

var coordinates = [2]string{"x1", "x2"} // the names of the parameters of the studies

func (c *CaseStudy) run(ctx context.Context, cfg prefer.Config, questions int) error {
	p := c.Problem
	cfg.Space = space.Box(space.Float(coordinates[0], p.Lower[0], p.Upper[0]), space.Float(coordinates[1], p.Lower[1], p.Upper[1]))
	cfg.Answers = prefer.Answers{Forced: true}
	cfg.Initial, cfg.Separation, cfg.Repeats = 4*p.Dim, -1, true
	study, err := prefer.New(ctx, cfg)
	if err != nil {
		return err
	}
	rater := problem.Rater{Problem: p}
	var asked []Pair
	for i := range cfg.Initial + questions {
		q, err := study.Ask(ctx, prefer.Request{})
		if err != nil {
			return err
		}
		pair := Pair{place(q.First), place(q.Second)}
		answer := prefer.Answer{Choice: prefer.Second}
		if rater.Prefers(p.Utility(pair.First[:]), p.Utility(pair.Second[:]), problem.At(cfg.Seed, uint64(i))) {
			answer.Choice = prefer.First
		}
		if _, err := study.Tell(ctx, q.ID, answer); err != nil {
			return err
		}
		asked = append(asked, pair)
	}
	belief, err := study.Belief(ctx, prefer.Look{})
	if err != nil {
		return err
	}
	r := Run{Method: cfg.Method, Questions: asked[cfg.Initial:], Best: place(belief.Best())}
	r.Gap = p.Optimum - p.Utility(r.Best[:])
	r.mean = c.view(func(x []float64) float64 {
		mean, _, e := belief.Utility(space.Option{coordinates[0]: space.ValueOf(x[0]), coordinates[1]: space.ValueOf(x[1])})
		if e != nil && err == nil {
			err = e
		}
		return mean
	})
	c.Initial = asked[:cfg.Initial]
	c.Runs = append(c.Runs, r)
	return err
}

func place(o space.Option) [2]float64 {
	return [2]float64{o.Float(coordinates[0]), o.Float(coordinates[1])}
}

// window returns a part of a side of the domain around the optimum, or the whole side.
func (c *CaseStudy) window(j int, part float64) chart.Scale {
	lo, hi := c.Problem.Lower[j], c.Problem.Upper[j]
	if part == 1 {
		return chart.Scale{Low: lo, High: hi}
	}
	at, half := c.Problem.Maximisers[0][j], part*(hi-lo)/2
	return chart.Scale{Low: at - half, High: at + half}
}

// view returns a function on the grids of its views.
func (c *CaseStudy) view(f func(x []float64) float64) (out views) {
	for k, part := range parts {
		x, y := c.window(0, part), c.window(1, part)
		z := xslices.Times(caseGrid*caseGrid, func(i int) float64 { return f([]float64{along(x, i%caseGrid), along(y, i/caseGrid)}) })
		out[k] = surface{caseGrid, z}
	}
	return out
}

// along returns a value of the grid of a side, the ends included exactly.
func along(s chart.Scale, i int) float64 {
	t := float64(i) / (caseGrid - 1)
	return (1-t)*s.Low + t*s.High
}

// Layout of Fig. 4 in points, and the number of tints of its surfaces.
const (
	caseGap = 16
	tints   = 12
)

const (
	bestMark    = "fill:#f0e442;stroke:#222;stroke-width:.7"
	optimumMark = "stroke:#222;stroke-width:1.1"

	bestRadius, optimumRadius, optionRadius = 4.6, 2.8, 1.9
)

// Draw lays out Fig. 4: the utility with the initial questions, and the questions of each method on its last posterior mean. The row below, not in the paper,
// is the part around the optimum, where the methods differ.
func (c *CaseStudy) Draw() []byte {
	columns := 1 + len(c.Runs)
	side := (pageWidth - roomLeft - roomRight - float64(columns-1)*caseGap) / float64(columns)
	foot := roomTop + 2*side + roomBottom + caseGap/2 + roomBottom + roomLabel
	d := chart.NewPage(pageWidth, foot+rowHeight+roomLegend, "Questions of two methods on a landscape")
	for column := range columns {
		for row, part := range parts {
			a := box(d, roomLeft+float64(column)*(side+caseGap), roomTop+float64(row)*(side+roomBottom+caseGap/2), side, side, c.window(0, part), c.window(1, part))
			a.bareY = column > 0
			if column == 0 {
				a.yLabel = "~{x}_{2}"
			}
			if row == 1 {
				a.xLabel = "~{x}_{1}"
			}
			c.panel(a, column, row)
		}
	}
	c.legend().write(d, roomLeft, pageWidth-roomRight, foot)
	return document(d)
}

// panel draws the utility in column 0, a run in the others; the first row has titles and shows where the second is.
func (c *CaseStudy) panel(a axes, column, row int) {
	best := c.Problem.Maximisers[0]
	if column == 0 {
		a.title, a.note = "Utility", fmt.Sprintf("%d initial questions", len(c.Initial))
		a.tinted(c.truth[row])
		a.pairs(c.Initial, grey, ink)
	} else {
		r := c.Runs[column-1]
		a.title, a.note = strings.ToUpper(r.Method), "gap "+gapText(r.Gap)
		if v, ok := paperGaps[r.Method]; ok {
			a.note += ", paper " + gapText(v)
		}
		a.tinted(r.mean[row])
		early, late := shades(methods[r.Method])
		a.pairs(r.Questions, early, late)
		star(a.Drawing, bestMark, a.at(r.Best[0], r.Best[1]), bestRadius)
	}
	cross(a.Drawing, optimumMark, a.at(best[0], best[1]), optimumRadius)
	if row == 0 {
		x, y := c.window(0, parts[1]), c.window(1, parts[1])
		a.Path(hairline+";stroke-dasharray:2 1.5", true, a.path([]float64{x.Low, x.High, x.High, x.Low}, []float64{y.Low, y.Low, y.High, y.High}))
	} else {
		a.title, a.note = "", ""
	}
	a.frame(false)
}

// gapText writes a gap with four places as the paper does, and one too small for that in powers of ten.
func gapText(v float64) string {
	format := "%.4f"
	if v != 0 && math.Abs(v) < 1e-4 {
		format = "%.2g"
	}
	return chart.Minus(fmt.Sprintf(format, v))
}

// shades returns the colours of a method's first and last question.
func shades(c color.NRGBA) (early, late color.NRGBA) {
	return blend(c, paper, 0.55), blend(c, color.NRGBA{0, 0, 0, 255}, 0.45)
}

// tinted paints a surface in pale tints, each of which covers the same area: the utility falls off so steeply that even steps would show little but the edge.
func (a axes) tinted(s surface) {
	order := slices.Sorted(slices.Values(s.z))
	a.heat(func(u, v float64) color.NRGBA {
		rank, _ := slices.BinarySearch(order, s.at(u, v))
		return pale.at(float64(rank*tints/(len(order)+1)) / (tints - 1))
	})
}

// pairs draws questions, each as two dots and a thin line, from the first colour to the last.
func (a axes) pairs(list []Pair, first, last color.NRGBA) {
	a.clipped(func() {
		for i, p := range list {
			col := blend(first, last, float64(i)/float64(max(1, len(list)-1)))
			x, y := a.at(p.First[0], p.First[1]), a.at(p.Second[0], p.Second[1])
			a.Line(line(col, 0.6)+";stroke-opacity:.5", x[0], x[1], y[0], y[1])
			for _, at := range [][2]float64{x, y} {
				a.Dot("fill:"+hex(col)+";stroke:#fff;stroke-width:.3", at[0], at[1], optionRadius, "")
			}
		}
	})
}

func (c *CaseStudy) legend() legend {
	pair := func(col color.NRGBA) func(d *chart.Drawing, left, right, y float64) {
		return func(d *chart.Drawing, left, right, y float64) {
			d.Line(line(col, 0.6), left+2, y, right-2, y)
			d.Dot("fill:"+hex(col), left+2, y, optionRadius, "")
			d.Dot("fill:"+hex(col), right-2, y, optionRadius, "")
		}
	}
	return legend{
		{"early question", pair(blend(ink, paper, 0.6))},
		{"late question", pair(ink)},
		{"best found: highest posterior mean", func(d *chart.Drawing, left, right, y float64) {
			star(d, bestMark, [2]float64{(left + right) / 2, y}, bestRadius)
		}},
		{"true optimum", func(d *chart.Drawing, left, right, y float64) {
			cross(d, optimumMark, [2]float64{(left + right) / 2, y}, optimumRadius)
		}},
	}
}
