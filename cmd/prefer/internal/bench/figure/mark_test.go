package figure

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

func distance(p, q vg.Point) float64 { return math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)) }

// An arrow stops short of both marks, and its head is at the loser.
func TestArrow(t *testing.T) {
	p, q := vg.Point{X: 10, Y: 10}, vg.Point{X: 60, Y: 30}
	for _, bend := range []vg.Length{0, 0.4, -0.4} {
		var rec recorder.Canvas
		arrow(draw.NewCanvas(&rec, 100, 100), p, q, bend, 4, ink)
		for _, action := range rec.Actions {
			switch a := action.(type) {
			case *recorder.Stroke:
				if d := distance(a.Path[0].Pos, p); math.Abs(d-4) > 1e-9 {
					t.Errorf("bend %g: the line begins %g from the winner, want 4", bend, d)
				}
			case *recorder.Fill:
				if d := distance(a.Path[0].Pos, q); math.Abs(d-4) > 1e-9 {
					t.Errorf("bend %g: the tip is %g from the loser, want 4", bend, d)
				}
			}
		}
		if len(rec.Actions) == 0 {
			t.Errorf("bend %g: nothing drawn", bend)
		}
	}
	var rec recorder.Canvas
	arrow(draw.NewCanvas(&rec, 100, 100), p, vg.Point{X: 15, Y: 10}, 0, 4, ink)
	if len(rec.Actions) != 0 {
		t.Error("an arrow between marks that touch")
	}
}

func TestStar(t *testing.T) {
	var rec recorder.Canvas
	at := vg.Point{X: 50, Y: 50}
	mark{fill: ink, radius: 10}.star(draw.NewCanvas(&rec, 100, 100), at)
	for _, action := range rec.Actions {
		if f, ok := action.(*recorder.Fill); ok {
			if top := f.Path[0].Pos; math.Abs(float64(top.Y)-60) > 1e-9 || len(f.Path) != 11 {
				t.Errorf("a star of %d corners with its first at %v", len(f.Path)-1, top)
			}
			return
		}
	}
	t.Error("no star")
}
