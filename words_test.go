package prefer

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestWhose: a headline says whose the pick is, and leaves names as they are written.
func TestWhose(t *testing.T) {
	for _, c := range []struct {
		kind   VerdictKind
		raters int
		of     string // whose it is, if the reader is somebody else
		want   string
	}{
		{ClearWinner, 1, "", "This is your favourite"},
		{ClearWinner, 2, "", "This is the team's favourite"},
		{ClearWinner, 1, "élan", "This is élan's favourite"},
		{KeepGoing, 0, "", "Your favourite so far"},
		{KeepGoing, 3, "", "The team's favourite so far"},
		{KeepGoing, 1, "élan", "élan's favourite so far"},
		{BudgetReached, 1, "", "The best so far"},
		{BudgetReached, 2, "", "The team's best so far"},
		{GoodEnough, 2, "", "One of the very best"},
	} {
		v := Verdict{Kind: c.kind, Raters: c.raters, Answers: 5}
		if got := v.HeadlineOf(c.of); got != c.want {
			t.Errorf("%s of %d people, %q: %q, want %q", c.kind, c.raters, c.of, got, c.want)
		}
	}
}

// TestProbabilityInWords: a probability is a percentage in every language, since odds of "1 zu 2" are a third in some.
func TestProbabilityInWords(t *testing.T) {
	v := Verdict{Kind: BudgetReached, Best: Best{Option: space.Option{"x": space.ValueOf(1.0)}, Confidence: 0.5}, Given: 9, Answers: 9}
	for _, tag := range []string{"en", "de", "es", "fr", "he", "ja", "zh", "ar"} {
		if more := v.In(tag).More(); !strings.Contains(more, v.In(tag).lang.Percent(50)) {
			t.Errorf("%s: %q", tag, more)
		}
	}
	if said := v.For(9, 9).Sentence; !strings.Contains(said, "with probability 50 %") {
		t.Error(said)
	}
}
