package acquisition

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestCheck: what every method chooses is right, and everything that can be wrong with a choice is named.
func TestCheck(t *testing.T) {
	p := testPosterior(t)
	held := []float64{0.25, 0.25}
	levelled := &Domain{Parts: []Part{{At: 0, Width: 1}, {At: 1, Width: 1, Levels: levels(5), Ordered: true}}}
	tasks := map[string]Task{
		"cube":    {Lower: []float64{0.1, 0.1}, Upper: []float64{0.9, 0.9}},
		"levels":  {Domain: levelled, Lower: []float64{0.1, 0.9}, Upper: []float64{0.9, 0.9}}, // levels are never out of bounds
		"held":    {Hold: held, Lower: []float64{0.5, 0.5}},                                   // nor is what is held
		"allowed": {Allowed: func(x []float64) bool { return x[0] < 0.5 }},
		"list":    {Domain: features(30, 2, 1)},
	}
	for name, task := range tasks {
		task.Posterior, task.Seed = p, 3
		for _, method := range Methods() {
			c, err := Ask(t.Context(), method, task)
			if err != nil {
				t.Fatal(err)
			}
			if err := task.Check(c); err != nil {
				t.Errorf("%s, %s: %v", name, method, err)
			}
		}
	}
	a, b := []float64{0.2, 0.25}, []float64{0.8, 0.75}
	for name, c := range map[string]struct {
		task   string
		choice Choice
		want   string
	}{
		"nothing":      {"cube", Choice{}, "0 coordinates, want 2"},
		"short":        {"cube", Choice{A: a, B: b[:1]}, "1 coordinates, want 2"},
		"not a number": {"cube", Choice{A: a, B: []float64{math.NaN(), 0.5}}, "not finite"},
		"outside":      {"allowed", Choice{A: a, B: []float64{1.5, 0.5}}, "not an option"},
		"out of box":   {"cube", Choice{A: a, B: []float64{0.95, 0.5}}, "coordinate 0"},
		"same":         {"cube", Choice{A: a, B: slices.Clone(a)}, "same option"},
		"off level":    {"levels", Choice{A: a, B: []float64{0.5, 0.3}}, "not an option"},
		"no row":       {"list", Choice{A: a, B: b}, "not an option"},
		"not held":     {"held", Choice{A: []float64{0.6, 0.6}, B: b}, "the one held"},
		"not allowed":  {"allowed", Choice{A: a, B: b}, "refuses"},
		"other":        {"cube", Choice{A: a, B: b, Others: [][]float64{{0.2, 0.3}}}, "Others[0]"},
		"other pair":   {"cube", Choice{A: a, B: b, Others: [][]float64{{0.2, 0.3, 0.2, 0.3}}}, "Others[0]"},
		"best":         {"cube", Choice{A: a, B: b, Best: []float64{2, 2}}, "Best"},
	} {
		task := tasks[c.task]
		task.Posterior = p
		if err := task.Check(c.choice); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	if err := (Task{}).Check(Choice{}); err == nil {
		t.Error("a task without a posterior: no error")
	}
}
