package statements

import (
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/problem"
)

// someone has a taste of known kind.
func someone(t *testing.T, o problem.TasteOptions, rater string) trial.Person {
	t.Helper()
	taste, err := problem.NewTaste(3, 1, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := taste.Rater(rater)
	if err != nil {
		t.Fatal(err)
	}
	return trial.Person{TasteSpace: trial.TasteSpace{Taste: taste}, Rater: r}
}

func TestConfidenceIsTrueWithinTheTolerance(t *testing.T) {
	who := someone(t, problem.TasteOptions{Family: "smooth", Shape: problem.Box, Dim: 2}, "exact")
	m := moment{Person: who, verdict: prefer.Verdict{Best: prefer.Best{Confidence: 0.8}}}
	edge := who.Max - 0.05*(who.Max-who.Mean)
	for _, c := range []struct{ pick, want float64 }{{who.Max, 1}, {edge + 1e-9, 1}, {edge - 1e-9, 0}} {
		m.pick = c.pick
		if got := judgeConfidence(m)[0]; got.Held != c.want || got.Said != 0.8 {
			t.Errorf("pick %g of %g: %+v", c.pick, who.Max, got)
		}
	}
	m.Rater.Sigma, m.pick = (who.Max-who.Mean)*0.3, who.Max-0.2*(who.Max-who.Mean) // 0.67σ = 0.2 of it
	if judgeConfidence(m)[0].Held != 1 {
		t.Error("noise does not widen the tolerance")
	}
}

func TestLeft(t *testing.T) {
	for _, c := range []struct {
		ended, answers, low, high int
		want                      []float64
	}{
		{25, 10, 10, 20, []float64{1}}, {25, 10, 15, 15, []float64{1}}, {25, 10, 16, 20, []float64{0}}, {25, 10, 5, 14, []float64{0}},
		{0, 10, 5, 50, []float64{0}}, {0, 10, 5, 51, nil}, {10, 10, 0, 0, nil}, {8, 10, 5, 9, nil},
	} {
		got := judgeLeft(moment{ended: c.ended, answers: c.answers, limit: 60, verdict: prefer.Verdict{Left: [2]int{c.low, c.high}}})
		if len(got) != len(c.want) || len(got) > 0 && got[0].Held != c.want[0] {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
