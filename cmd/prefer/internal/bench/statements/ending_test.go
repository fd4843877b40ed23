package statements

import (
	"math"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/problem"
)

func TestEndings(t *testing.T) {
	held := func(kind prefer.VerdictKind, rater string, miss float64) float64 {
		who := someone(t, problem.TasteOptions{Shape: problem.PlainList, Family: "own"}, rater)
		m := moment{Person: who, pick: who.Max - miss, verdict: prefer.Verdict{Kind: kind, Best: prefer.Best{Confidence: 0.9, Top: 0.7, TopShare: 0.05, Displeased: 0.8}}}
		return judgeEnding(m)[0].Held
	}
	for _, c := range []struct {
		kind  prefer.VerdictKind
		rater string
		miss  float64
		want  float64
	}{
		{prefer.Settled, "exact", 0, 59.5 / 60}, {prefer.Settled, "always bad", 0, 0}, {prefer.Settled, "random", 0, 0}, {prefer.Settled, "careless", 0, 59.5 / 60},
		{prefer.NothingPleases, "always bad", 0, 1}, {prefer.NothingPleases, "displeased", 0, 1}, {prefer.NothingPleases, "hard to please", 0, 1}, {prefer.NothingPleases, "level", 0, 0},
		{prefer.NothingPleases, "ordinary", 0, 0},
	} {
		if got := held(c.kind, c.rater, c.miss); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s of a rater who is %s, %g below the best: %g, want %g", c.kind, c.rater, c.miss, got, c.want)
		}
	}
	who := someone(t, problem.TasteOptions{Shape: problem.PlainList, Family: "own"}, "exact") // 60 items, of which 3 are a twentieth
	worth := moment{Person: who}.worths()
	slices.Sort(worth)
	for place, want := range []bool{true, true, true, false} {
		m := moment{Person: who, pick: worth[59-place], verdict: prefer.Verdict{Items: 60, Best: prefer.Best{TopShare: 0.05}}}
		if s := judgeTop(m)[0]; s.Held != trial.Share(want) || s.Kind != "" {
			t.Errorf("place %d of 60 is among the best twentieth: %v", place+1, !want)
		}
	}
	if got := held("of tomorrow", "exact", 0); got != 0 {
		t.Error("an ending without a judge is true")
	}
}
