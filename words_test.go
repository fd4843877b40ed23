package prefer

import "testing"

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
