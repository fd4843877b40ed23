package statements

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/problem"
)

func TestForecastsAgainstAnswers(t *testing.T) {
	for _, kind := range []string{"exact", "ordinary", "careless", "random"} {
		who := someone(t, problem.TasteOptions{Family: "smooth", Shape: problem.Box, Dim: 1}, kind)
		f1, f2 := who.Mean+0.3*who.Spread, who.Mean
		first, n := 0.0, 20000
		for i := range n {
			if who.Rater.Answer(f1, f2, 4, uint64(i)) == problem.First {
				first += 1 / float64(n)
			}
		}
		if got := who.Rater.Chooses(f1, f2); math.Abs(got-first) > 0.015 {
			t.Errorf("%s takes the first with probability %g, and did in %g", kind, got, first)
		}
	}
	if got := bits(0.5, 0.5) + bits(0.5, 0.5); got != 1 {
		t.Errorf("a coin has %g bits", got)
	}
	if got := bits(1, 0); got != mostBits {
		t.Errorf("the impossible has %g bits", got)
	}
}
