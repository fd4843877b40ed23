package statements

import (
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/problem"
)

func TestDirection(t *testing.T) {
	who := trial.Person{TasteSpace: trial.TasteSpace{Taste: &problem.Taste{Parts: []problem.Part{{}, {Kind: problem.Unordered, Levels: 3}, {Kind: problem.Ordered, Levels: 5}, {Kind: problem.Unordered, Levels: 2}}, Max: 1}}}
	m := moment{Person: who} // tolerance 0.05
	rising := []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}
	peaked := []float64{0, 0.2, 0.4, 0.6, 0.8, 1, 0.8, 0.6, 0.4, 0.2, 0}
	choices, levels := []float64{0, 1, 0.96}, []float64{0, 0, 0, 0, 1}
	for _, c := range []struct {
		values []float64
		part   int
		kind   string
		at     float64
		want   bool
	}{
		{rising, 0, "higher", 0.95, true}, {rising, 0, "around", 0.7, false}, {rising, 0, "around", 0.8, true}, {rising, 0, "lower", 0.1, false},
		{peaked, 0, "around", 0.4, true}, {peaked, 0, "around", 0.25, false}, {peaked, 0, "higher", 0.9, false},
		{choices, 1, "chosen", 1, true}, {choices, 1, "chosen", 2, true}, {choices, 1, "chosen", 0, false},
		{levels, 2, "higher", 4, true}, {levels, 2, "around", 3, false}, {levels, 2, "chosen", 4, true},
		{[]float64{0, 1}, 3, "with", 1, true}, {[]float64{0, 1}, 3, "without", 0, false},
	} {
		if got := m.direction(c.values, c.part, c.kind, c.at); got != c.want {
			t.Errorf("%v, said %s %g: %v", c.values, c.kind, c.at, got)
		}
	}
}

// TestTrueLoss: of a linear utility the loss at the best end is half of its range.
func TestTrueLoss(t *testing.T) {
	who := someone(t, problem.TasteOptions{Family: "linear", Shape: problem.Box, Dim: 2}, "exact")
	m := moment{Person: who}
	total := 0.0
	for j := range 2 {
		values, loss := m.slice(who.At, j)
		lo, hi := min(values[0], values[lossSteps-1]), max(values[0], values[lossSteps-1])
		if d := loss - (hi-lo)/2; d > 1e-9 || d < -1e-9 {
			t.Errorf("loss %g, range %g", loss, hi-lo)
		}
		total += loss
	}
	if d := total - (who.Max - who.Mean); d > 0.05*total || d < -0.05*total {
		t.Errorf("both lose %g, the mean %g", total, who.Max-who.Mean)
	}
}
