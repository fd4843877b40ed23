package figure

import (
	"math"
	"strings"
	"testing"
)

func TestExampleDraw(t *testing.T) {
	svg, texts := render(t, newExample(t).Draw())
	for want, n := range map[string]int{"Before the question": 1, "After the answer": 1, "posterior mean ± 2 sd": 1, "utility": 1} {
		if got := count(texts, want); got != n {
			t.Errorf("%q is written %d times, want %d", want, got, n)
		}
	}
	// The question: twice before it is answered, twice on the symmetric landscape, once in the legend.
	if n := strings.Count(svg, "fill:#f0e442"); n != 5 {
		t.Errorf("%d triangles, want 5", n)
	}
	if n := strings.Count(svg, "<image "); n != 2 {
		t.Errorf("%d images, want the landscape and its bar", n)
	}
}

// In the model's units the truth is a·f + b with a > 0, whatever the posterior; of a posterior that is
// right it is the mean.
func TestScaledTruth(t *testing.T) {
	e := newExample(t)
	var right Posterior
	for _, f := range e.Truth {
		right.Mean, right.SD = append(right.Mean, 3*f+2), append(right.SD, 1+f*f)
	}
	for i, v := range e.scaledTruth(right) {
		if math.Abs(v-right.Mean[i]) > 1e-12 {
			t.Fatalf("scaled truth is %g where the mean is %g", v, right.Mean[i])
		}
	}
	scaled := e.scaledTruth(e.After)
	if n := len(scaled); scaled[n/2] <= scaled[0] || math.Abs(scaled[0]-scaled[n-1]) > 1e-12 {
		t.Errorf("scaled truth runs from %g over %g to %g", scaled[0], scaled[n/2], scaled[n-1])
	}
}

func TestInterpolate(t *testing.T) {
	xs, ys := []float64{-1, 0, 1}, []float64{3, 1, 2}
	for x, want := range map[float64]float64{-1: 3, -0.5: 2, 0: 1, 0.5: 1.5, 1: 2} {
		if got := interpolate(xs, ys, x); got != want {
			t.Errorf("at %g: %g, want %g", x, got, want)
		}
	}
}
