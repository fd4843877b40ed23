package prefer

import (
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/coding"
)

// TestBlindCheck: what so many duels come to. An end p of the interval is where the score test just rejects,
// (p̂ − p)² = z² p(1 − p)/n.
func TestBlindCheck(t *testing.T) {
	pick, far := []float64{0.5}, []float64{0.9}
	duel := func(kind string, said Choice) blindDuel {
		return answered(&asked{Question: Question{Blind: &blindPair{First, kind}}, a: pick, b: far}, said)
	}
	many := func(n int, d blindDuel) (out []blindDuel) {
		for range n {
			out = append(out, d)
		}
		return out
	}
	for _, c := range []struct {
		won, lost, tied int
		low, high       float64
		kind            string
		words           string
	}{
		{0, 0, 0, 0, 1, "unchecked", "not checked"},
		{3, 0, 0, 0.4385, 1, "undecided", "3 times out of 3: too close or too few to say, such rivals win 0 to 56 times"},
		{4, 0, 0, 0.5101, 1, "holds", "it holds"},
		{6, 0, 0, 0.6097, 1, "holds", "6 times out of 6: it holds, such rivals win at most 39 times in 100"},
		{5, 0, 1, 0.5168, 0.9912, "holds", "5 times out of 6, 1 without a preference: it holds"},
		{7, 1, 0, 0.5291, 0.9776, "holds", "7 times out of 8: it holds"},
		{5, 1, 0, 0.4365, 0.9699, "undecided", "3 to 56 times"},
		{1, 5, 0, 0.0301, 0.5635, "undecided", "taken blindly once out of 6"},
		{3, 3, 0, 0.1876, 0.8124, "undecided", ""},
		{0, 0, 6, 0.1876, 0.8124, "undecided", "0 times out of 6, 6 without"},
		{0, 6, 0, 0, 0.3903, "fails", "0 times out of 6: it does not hold, such rivals win at least 61 times in 100"},
	} {
		v := view{code: &coding.Coding{}, blind: append(append(many(c.won, duel(rivalStrong, First)), many(c.lost, duel(rivalRandom, Second))...), many(c.tied, duel(rivalStrong, Tie))...)}
		v.blind = append(v.blind, duel(rivalStrong, ""), duel(rivalRandom, Skip))
		got := v.checked(nil, pick, 0.02)
		if got.Won != c.won || got.Lost != c.lost || got.Tied != c.tied || got.Of != c.won+c.lost+c.tied || got.Kind != c.kind {
			t.Errorf("%+v: %+v", c, got)
		}
		for _, p := range []float64{got.Low, got.High} {
			const z = 1.959963984540054
			n := float64(got.Of)
			if d := (float64(c.won)+float64(c.tied)/2)/n - p; n > 0 && math.Abs(d*d-z*z*p*(1-p)/n) > 1e-12 {
				t.Errorf("%d, %d, %d: the score test does not end at %g", c.won, c.lost, c.tied, p)
			}
		}
		if math.Abs(got.Low-c.low) > 5e-5 || math.Abs(got.High-c.high) > 5e-5 {
			t.Errorf("%d, %d, %d: [%g, %g], want [%g, %g]", c.won, c.lost, c.tied, got.Low, got.High, c.low, c.high)
		}
		if got.Strong.Won != c.won || got.Strong.Tied != c.tied || got.Random.Lost != c.lost || got.Strong.Of+got.Random.Of != got.Of {
			t.Errorf("by rival: %+v", got)
		}
		if !strings.Contains(got.Sentence, c.words) {
			t.Errorf("%q, want %q", got.Sentence, c.words)
		}
		if moved := v.checked(nil, []float64{0.53}, 0.02); moved.Stale != got.Of || moved.Of != 0 {
			t.Errorf("of another pick: %+v", moved)
		}
	}
	second := asked{Question: Question{Blind: &blindPair{Second, rivalStrong}}, a: far, b: pick}
	back := view{code: &coding.Coding{}, blind: []blindDuel{answered(&second, Second), answered(&second, BothBad)}}
	if got := back.checked(nil, pick, 0); got.Won != 1 || got.Tied != 1 {
		t.Errorf("the pick on the other side, and both bad: %+v", got)
	}
}

// answered is a blind duel after an answer; an empty one leaves it open.
func answered(q *asked, said Choice) blindDuel {
	if said != "" {
		q.answer = &answerRecord{answer: Answer{Choice: said}}
	}
	return q.blind()
}
