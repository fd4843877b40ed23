package statements

import (
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/problem"
)

func TestEndings(t *testing.T) {
	held := func(kind prefer.VerdictKind, rater string, miss float64) float64 {
		who := someone(t, problem.TasteOptions{Shape: problem.PlainList, Family: "own"}, rater)
		m := moment{person: who, pick: who.Max - miss, verdict: prefer.Verdict{Kind: kind, Best: prefer.Best{Confidence: 0.9, Top: 0.7, Displeased: 0.8}}}
		return judgeEnding(m)[0].Held
	}
	for _, c := range []struct {
		kind  prefer.VerdictKind
		rater string
		miss  float64
		want  float64
	}{
		{prefer.ClearWinner, "exact", 0, 1}, {prefer.ClearWinner, "exact", 1, 0}, {prefer.PracticalTie, "exact", 0, 1},
		{prefer.ClearWinner, "always bad", 0, 0}, {prefer.ClearWinner, "random", 0, 0}, {prefer.ClearWinner, "careless", 0, 1},
		{prefer.NothingPleases, "always bad", 0, 1}, {prefer.NothingPleases, "displeased", 0, 1}, {prefer.NothingPleases, "hard to please", 0, 0},
		{prefer.NothingPleases, "ordinary", 0, 0}, {prefer.Chance, "random", 0, 1}, {prefer.Chance, "careless", 0, 0},
		{prefer.GoodEnough, "exact", 0, 1}, {prefer.GoodEnough, "exact", 1, 0}, // the best of 60 beats 59.5 of them
	} {
		if got := held(c.kind, c.rater, c.miss); got != c.want {
			t.Errorf("%s of a rater who is %s, %g below the best: %g, want %g", c.kind, c.rater, c.miss, got, c.want)
		}
	}
	if got := held("of tomorrow", "exact", 0); got != 0 {
		t.Error("an ending without a judge is true")
	}
}
