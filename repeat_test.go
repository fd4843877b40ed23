package prefer

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// pairOf names the two items of a question, in whichever order they were shown.
func pairOf(q Question) string {
	ids := []string{q.First.Item(), q.Second.Item()}
	slices.Sort(ids)
	return fmt.Sprint(ids)
}

// TestListEnds: a study of a list whose rater never errs ends within the answers it promised, with the favourite, and its last questions are about it: none
// goes through the list in order.
func TestListEnds(t *testing.T) {
	for _, c := range []struct {
		items int
		seed  uint64
	}{{12, 5}, {30, 2}} {
		items := names(c.items)
		s := start(t, Config{Space: list(items...), Seed: c.seed})
		liked := func(id string) float64 { return float64(placeOf(items, id) * 7 % c.items) }
		promised, _ := s.cfg.left(s.state.code, 0, 0)
		asked, v := judge(t, s, c.items, liked), Verdict{}
		for len(asked) < 2*promised[1] {
			var err error
			if v, err = s.Verdict(ctx, Look{}); err != nil {
				t.Fatal(err)
			}
			if v.Kind.Done() {
				break
			}
			asked = append(asked, judge(t, s, 1, liked)...)
		}
		if best := v.Best.Option.Item(); !v.Kind.Done() || len(asked) > promised[1] || liked(best) != float64(c.items-1) {
			t.Errorf("%d items: %s with %s after %d answers, want an ending with the favourite after %d at most", c.items, v.Kind, best, len(asked), promised[1])
		}
		with := 0
		for i, q := range asked {
			if i >= c.items && (q.First.Item() == v.Best.Option.Item() || q.Second.Item() == v.Best.Option.Item()) {
				with++
			}
			for _, p := range asked[max(0, i-repeatPause+1):i] {
				if pairOf(p) == pairOf(q) {
					t.Errorf("%d items: question %d is %s again, fewer than %d questions later", c.items, i+1, pairOf(q), repeatPause)
				}
			}
		}
		if late := len(asked) - c.items; 2*with < late {
			t.Errorf("%d items: the favourite is in %d of the last %d questions", c.items, with, late)
		}
	}
}

// TestLeadersMeetAgain: the pair of the two leaders may be asked again while their order is open, after a pause, and no other pair may that was answered as
// expected; of an answer against the rest the pair may.
func TestLeadersMeetAgain(t *testing.T) {
	s := start(t, Config{Space: list(names(8)...), Answers: Answers{Forced: true}, Seed: 3})
	say := func(pairs ...string) {
		for _, p := range pairs {
			q, err := s.Ask(ctx, Request{Catch: &Duel{First: space.ItemOption("n" + p[:1]), Second: space.ItemOption("n" + p[1:2])}})
			if err != nil {
				t.Fatal(err)
			}
			tell(t, s, q.ID, First)
		}
	}
	may := func(p string) bool {
		v := s.view("")
		f, err := s.questionFits.ForRater(ctx, v.Evidence, v.rater)
		if err != nil {
			t.Fatal(err)
		}
		a, b, err := v.code.Pair(space.ItemOption("n"+p[:1]), space.ItemOption("n"+p[1:2]))
		if err != nil {
			t.Fatal(err)
		}
		return learnedRules(t, s, v, f, "").Accepts(a, b)
	}
	say("01", "02", "03", "12", "13", "14")
	if may("01") {
		t.Error("the leaders meet again at once")
	}
	say("02", "04", "15", "26", "37", "45")
	if !may("01") {
		t.Error("the leaders have met once, and may not meet again")
	}
	if may("14") {
		t.Error("a pair without the pick, answered as expected, is asked again")
	}
	say("40", "36", "46", "56", "16", "26", "76", "36", "46", "56", "05", "03", "07", "64", "16", "26", "76", "36", "56", "26", "05", "03")
	if !may("64") {
		t.Error("an answer against all others may not be asked about again")
	}
}

// TestListDecided: the order of a favourite with each of 59 others is decided once it has beaten all of them, not while one was never shown.
func TestListDecided(t *testing.T) {
	s := start(t, Config{Space: list(names(60)...), Answers: Answers{Forced: true}})
	for i := 1; i < 60; i++ {
		if _, err := s.Observe(ctx, Duel{First: space.ItemOption("n0"), Second: space.ItemOption(fmt.Sprint("n", i)), Answer: Answer{Choice: First}}); err != nil {
			t.Fatal(err)
		}
		if i < 58 {
			continue
		}
		v := s.view("")
		best, err := s.picked(ctx, v)
		if err != nil {
			t.Fatal(err)
		}
		if decided, err := s.decided(ctx, v, best.Option); err != nil || decided != (i == 59) || best.Option.String() != "item n0" {
			t.Errorf("%s has beaten %d of 59 others: decided is %t, %v", best.Option, i, decided, err)
		}
	}
	if v, err := s.Verdict(ctx, Look{}); err != nil || v.Kind != Settled || v.Best.Top < 0.9 {
		t.Errorf("%s, one of the best few at %g, %v", v.Kind, v.Best.Top, err)
	}
}
