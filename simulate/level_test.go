package simulate

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// TestNeeds: people without a verdict need more than any number.
func TestNeeds(t *testing.T) {
	needed := []int{8, 9, 12, 20, 31, 40}
	for _, c := range []struct {
		n, want int
		q       float64
	}{{6, 8, 0.1}, {6, 12, 0.5}, {6, 40, 0.9}, {10, 8, 0.1}, {10, 31, 0.5}, {10, 0, 0.75}, {30, 12, 0.1}, {60, 40, 0.1}, {61, 0, 0.1}} {
		if got := needs(needed, c.n, c.q); got != c.want {
			t.Errorf("quantile %g with %d of %d verdicts: %d, want %d", c.q, len(needed), c.n, got, c.want)
		}
	}
}

func TestSummarise(t *testing.T) {
	l := Level{MaxQuestions: 25, Confidence: 0.9}
	for i, n := range []int{12, 25, 9, 25} {
		one := One{Rater: i, Verdict: prefer.Settled, Pick: Pick{Questions: n, Loss: float64(i), Share: float64(i) / 10, Good: i < 2, Ranked: i < 2}}
		if n == 25 {
			one.Verdict = prefer.BudgetReached
		}
		one.Budgets = []Pick{{Loss: 4 - float64(i), Good: i == 3}, one.Pick}
		l.People = append(l.People, one)
	}
	l.summarise()
	if l.Finished != 4 || l.Verdicts.Count != 2 || l.Good.Count != 2 || l.Right.Count != 1 || l.Right.Of != 2 || l.Loss != 1.5 || math.Abs(l.Range-0.15) > 1e-15 {
		t.Errorf("%+v", l.Summary)
	}
	if len(l.Endings) != 2 || l.Endings[0].Kind != prefer.BudgetReached || l.Endings[1].Count != 2 || l.Endings[1].Of != 4 {
		t.Errorf("endings %+v", l.Endings)
	}
	if l.Questions[2] != (Quantile{0.5, 12}) || l.Questions[0].Questions != 9 || l.Questions[3].Questions != 0 {
		t.Errorf("quantiles %v", l.Questions)
	}
	if len(l.Budgets) != 2 || l.Budgets[0].Good.Count != 1 || l.Budgets[0].Loss != 2.5 || l.Budgets[1].Good.Count != 2 {
		t.Errorf("budgets %+v", l.Budgets)
	}
	want := "In a simulation with 4 simulated participants, as careful as the model expects, a verdict at 90% confidence took a median of 12 questions " +
		"(10–90%: 9–more than 25), about 1 minute at 5 s per answer; 2 of 4 had none after 25. " +
		"The pick was within what one would notice of their best for 2 of 4 (50%, 95% interval 15–85%)."
	if got := l.Sentence(5 * time.Second); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	l.Noise, l.People = High, l.People[1:2]
	l.summarise()
	if got := l.Sentence(6 * time.Second); !strings.Contains(got, "wrongly, nobody came to a verdict at 90% confidence within 25 questions, 2.5 minutes at 6 s per answer. The pick") {
		t.Error(got)
	}
}

// TestRight: a verdict is judged by what it says.
func TestRight(t *testing.T) {
	for _, c := range []struct {
		kind               prefer.VerdictKind
		ranked, want, sure bool
	}{
		{prefer.Settled, true, true, true}, {prefer.Settled, false, false, true}, {prefer.NothingPleases, true, false, true},
		{prefer.BudgetReached, true, false, false}, {prefer.KeepGoing, true, false, false},
	} {
		o := One{Verdict: c.kind, Pick: Pick{Ranked: c.ranked}}
		if o.Right() != c.want || o.Sure() != c.sure {
			t.Errorf("%s with a pick ranked as said %t: right %t, sure %t", c.kind, c.ranked, o.Right(), o.Sure())
		}
	}
}
