package figure

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/chart"
)

var points = regexp.MustCompile(`[ML](-?[0-9.]+) (-?[0-9.]+)`)

// paths returns the points of the paths that something draws.
func paths(t *testing.T, draw func(d *chart.Drawing)) (out [][][2]float64) {
	t.Helper()
	d := chart.New("", 100, 100, "")
	draw(d)
	for _, path := range strings.Split(string(d.HTML()), "<path")[1:] {
		var list [][2]float64
		for _, m := range points.FindAllString(path, -1) {
			var p [2]float64
			if _, err := fmt.Sscanf(m[1:], "%f %f", &p[0], &p[1]); err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
		out = append(out, list)
	}
	return out
}

// An arrow stops short of both marks, and its head is at the loser.
func TestArrow(t *testing.T) {
	p, q := [2]float64{10, 10}, [2]float64{60, 30}
	distance := func(p, q [2]float64) float64 { return math.Hypot(p[0]-q[0], p[1]-q[1]) }
	for _, bend := range []float64{0, 0.4, -0.4} {
		drawn := paths(t, func(d *chart.Drawing) { arrow(d, p, q, bend, 4) })
		if len(drawn) != 2 {
			t.Fatalf("bend %g: %d paths, want a line and a head", bend, len(drawn))
		}
		if d := distance(drawn[0][0], p); math.Abs(d-4) > 0.1 {
			t.Errorf("bend %g: the line begins %g from the winner, want 4", bend, d)
		}
		if d := distance(drawn[1][0], q); math.Abs(d-4) > 0.1 {
			t.Errorf("bend %g: the tip is %g from the loser, want 4", bend, d)
		}
	}
	if drawn := paths(t, func(d *chart.Drawing) { arrow(d, p, [2]float64{15, 10}, 0, 4) }); len(drawn) != 0 {
		t.Error("an arrow between marks that touch")
	}
}

func TestStar(t *testing.T) {
	drawn := paths(t, func(d *chart.Drawing) { star(d, "fill:#222", [2]float64{50, 50}, 10) })
	if len(drawn) != 1 || len(drawn[0]) != 10 || drawn[0][0] != [2]float64{50, 40} {
		t.Errorf("a star of %v", drawn)
	}
}
