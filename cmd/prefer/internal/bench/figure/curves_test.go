package figure

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/problem"
)

// benchmark returns a figure like Fig. 2: made-up gaps of four methods on the problems of the paper.
func benchmark(points int) Curves {
	c := Curves{XLabel: "questions", YLabel: "optimality gap", Columns: 3}
	for i, p := range problem.Paper() {
		panel := Panel{Title: p.Name, Start: float64(4 * p.Dim)}
		for j, method := range []string{"random", "logei", "eubo", "kg"} {
			v := Curve{Method: method}
			for k := range points {
				y := math.Exp(-float64((i+1)*(j+1)*k) / 200)
				v.X, v.Median = append(v.X, float64(4*p.Dim+k)), append(v.Median, y)
				v.Lower, v.Upper = append(v.Lower, y/2), append(v.Upper, 3*y)
			}
			panel.Curves = append(panel.Curves, v)
		}
		c.Panels = append(c.Panels, panel)
	}
	return c
}

func TestCurves(t *testing.T) {
	svg, texts := render(t, benchmark(101).Draw())
	for want, n := range map[string]int{
		"kg": 1, "eubo": 1, "logei": 1, "random": 1, // one legend for all panels
		"end of the initial design": 1,
		"questions":                 3, "optimality gap": 2, // labels at the outer panels
		"hartmann6": 1, lowNote: 0,
	} {
		if got := count(texts, want); got != n {
			t.Errorf("%q is written %d times, want %d", want, got, n)
		}
	}
	// A band and a line of each method in each panel, and one of each in the legend.
	if n := strings.Count(svg, "stroke:#d55e00"); n != 7 {
		t.Errorf("%d lines have the colour of kg, want 7", n)
	}
	const band = "fill:#d55e00;fill-opacity"
	if n := strings.Count(svg, band); n != 7 {
		t.Errorf("%d bands have the colour of kg, want 7", n)
	}
	bare := benchmark(11)
	for _, p := range bare.Panels {
		for i := range p.Curves {
			p.Curves[i].Lower, p.Curves[i].Upper = nil, nil
		}
	}
	if svg, _ := render(t, bare.Draw()); strings.Contains(svg, band) {
		t.Error("curves without bands have one in the legend")
	}
}

func TestCurvesSmall(t *testing.T) {
	for _, points := range []int{0, 1, 2} {
		c := benchmark(points)
		c.Panels = c.Panels[:2]
		render(t, c.Draw())
	}
	c := benchmark(30)
	c.Panels = c.Panels[:1]
	c.Panels[0].Curves[3].Median[29] = 0
	svg, texts := render(t, c.Draw())
	if count(texts, lowNote) != 1 {
		t.Error("a gap of 0 is drawn, but the figure does not say where")
	}
	if !strings.Contains(svg, fmt.Sprintf(`width="%dpt"`, singleWidth)) {
		t.Error("one panel is as wide as a page")
	}
	c.Panels[0].Curves = nil
	if _, texts := render(t, c.Draw()); count(texts, "no data") != 1 {
		t.Error("an empty panel does not say so")
	}
}
