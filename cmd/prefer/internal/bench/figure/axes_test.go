package figure

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// square returns axes on a box of 100 points at (20, 30), on c.
func square(c draw.Canvas, x, y scale) axes {
	return axes{Canvas: draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: 20, Y: 30}, Max: vg.Point{X: 120, Y: 130}}}, x: x, y: y}
}

func TestAt(t *testing.T) {
	a := square(draw.Canvas{}, scale{lo: -1, hi: 1}, scale{lo: 1e-2, hi: 1, log: true})
	got := a.path([]float64{-1, 0, 1}, []float64{1e-2, 1e-1, 1})
	if want := []vg.Point{{X: 20, Y: 30}, {X: 70, Y: 80}, {X: 120, Y: 130}}; !slices.Equal(got, want) {
		t.Errorf("path = %v, want %v", got, want)
	}
}

func TestFrame(t *testing.T) {
	f := &Figure{width: 150, height: 150, paint: func(c draw.Canvas) {
		a := square(c, scale{lo: 0, hi: 100}, scale{lo: 1e-2, hi: 1, log: true})
		a.title, a.note, a.xLabel, a.yLabel = "Title", "note", "questions", "gap"
		a.frame(true)
	}}
	svg, texts := render(t, f)
	want := "0 50 100 10 −2 10 −1 10 0 questions gap Title note"
	if got := strings.Join(texts, " "); got != want {
		t.Errorf("texts %q, want %q", got, want)
	}
	if minor := strings.Count(svg, "stroke:#C8C8C8"); minor != 16 {
		t.Errorf("%d light ticks, want 16 between three powers of ten", minor)
	}
	bare := &Figure{width: 150, height: 150, paint: func(c draw.Canvas) {
		a := square(c, scale{lo: 0, hi: 100}, scale{lo: 1e-2, hi: 1, log: true})
		a.bareY = true
		a.frame(true)
	}}
	if _, texts := render(t, bare); strings.Join(texts, " ") != "0 50 100" {
		t.Errorf("texts %q without those of y", texts)
	}
}
