package learn

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// TestCircularSteps: steps of a tolerance cross the seam, and half a period is as far as one gets.
func TestCircularSteps(t *testing.T) {
	c, err := coding.New(space.Box(space.Circle("hue", 0, 360)))
	if err != nil {
		t.Fatal(err)
	}
	x, _ := c.Unit(space.Option{"hue": space.ValueOf(350)})
	for step, want := range map[float64][2]float64{20: {10, 330}, 500: {170, 170}} {
		to := Tolerance{Steps: map[string]float64{"hue": step}}.moved(c, x)
		for i, want := range want {
			if got := c.Option(to[2*i : 2*i+2]).Float("hue"); math.Abs(got-want) > 1e-9 {
				t.Errorf("step %g leads to %g, want %g", step, got, want)
			}
		}
	}
}
