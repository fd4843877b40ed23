package prefer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// TestRaterNames: a name that another could be taken for after it was written down is nobody's, and a log that has one opens.
func TestRaterNames(t *testing.T) {
	ctx := t.Context()
	s, err := New(ctx, Config{Space: space.Box(space.Float("x", 0, 1))})
	if err != nil {
		t.Fatal(err)
	}
	at := func(x float64) space.Option { return space.Option{"x": space.ValueOf(x)} }
	for _, name := range []string{"\xff", "\xfe", "ann\xc3", "\uFFFD", "\xed\xa0\x80"} {
		_, asked := s.Ask(ctx, Request{Rater: name})
		_, observed := s.Observe(ctx, Duel{First: at(0), Second: at(1), Rater: name, Answer: Answer{Choice: First}})
		_, taken := s.Accept(ctx, name, at(0), true)
		for _, err := range []error{asked, observed, taken, s.Change(ctx, Change{Enqueue: []Enqueued{{Option: at(1), Rater: name}}})} {
			if errcode.Of(err) != "rater" || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
	if s.Seq() != 1 {
		t.Errorf("the log has %d events", s.Seq())
	}
	q, err := s.Ask(ctx, Request{Rater: "Jürgen 名前"})
	if err != nil {
		t.Fatal(err)
	}
	old := slices.Clone(s.Events(0))
	q.Rater = "J\uFFFDrgen"
	old[1].Asked = &q
	if s, err = Open(ctx, old, OpenOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tell(ctx, q.ID, Answer{Choice: First}); err != nil {
		t.Error(err)
	}
}

// TestCareless: in a shared study a rater who answers by a coin is found out, and the careful one decides.
func TestCareless(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Answers: Answers{Forced: true}, Method: "random", Seed: 11})
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		for _, rater := range []string{"careful", "coin"} {
			q := ask(t, s, rater)
			c := First
			switch {
			case rater == "coin" && rng.IntN(2) == 0:
				c = Second
			case rater == "careful" && q.First.Float("x")+0.1*rng.NormFloat64() < q.Second.Float("x"):
				c = Second
			}
			tell(t, s, q.ID, c)
		}
	}
	raters, err := s.Raters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(raters) != 2 || raters[0].Name != "careful" || raters[1].Noise < 2*raters[0].Noise || raters[0].Answers != 40 {
		t.Errorf("raters %+v, want the coin at least twice as noisy", raters)
	}
	best, err := s.Best(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if x := best.Option.Float("x"); x < 0.8 {
		t.Errorf("best x is %g, want it high", x)
	}
}

// TestPerRater: everybody has a utility of their own, begins with the same pairs, and learns from their own
// answers alone where kinship is none; the group view finds who disagrees.
func TestPerRater(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Answers: Answers{Forced: true}, People: PerRater, Modelling: Modelling{Kinship: gp.None()}, Seed: 6})
	likes := map[string]func(o space.Option) float64{
		"ann": func(o space.Option) float64 { return o.Float("x") },
		"bob": func(o space.Option) float64 { return o.Float("x") + 0.1*o.Float("y") },
		"cat": func(o space.Option) float64 { return -o.Float("x") },
	}
	asked := map[string][]Question{}
	for range 14 {
		for _, rater := range []string{"ann", "bob", "cat"} {
			q := ask(t, s, rater)
			c := Second
			if likes[rater](q.First) > likes[rater](q.Second) {
				c = First
			}
			tell(t, s, q.ID, c)
			asked[rater] = append(asked[rater], q)
		}
	}
	if a, b := asked["ann"][0], asked["cat"][0]; a.First.String() != b.First.String() || a.Second.String() != b.Second.String() {
		t.Errorf("ann began with %v, cat with %v", a, b)
	}
	alone := start(t, Config{Space: unitSquare(), Answers: Answers{Forced: true}, People: PerRater, Modelling: Modelling{Kinship: gp.None()}, Seed: 6})
	for _, want := range asked["cat"] {
		q := ask(t, alone, "cat")
		if q.First.String() != want.First.String() || q.Second.String() != want.Second.String() {
			t.Fatalf("alone cat is asked %v, with others %v", q, want)
		}
		c := Second
		if likes["cat"](q.First) > likes["cat"](q.Second) {
			c = First
		}
		tell(t, alone, q.ID, c)
	}
	for rater, high := range map[string]bool{"ann": true, "bob": true, "cat": false} {
		best, err := s.Best(t.Context(), Look{Rater: rater})
		if err != nil {
			t.Fatal(err)
		}
		if x := best.Option.Float("x"); (x > 0.5) != high {
			t.Errorf("%s's best x is %g", rater, x)
		}
		if _, err := s.Verdict(t.Context(), Look{Rater: rater}); err != nil {
			t.Error(err)
		}
	}
	g, err := s.Group(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Raters, []string{"ann", "bob", "cat"}) || g.Agreement[0][1] < 0.4 || g.Agreement[0][2] > -0.3 || slices.Contains(g.Disagrees, "ann") {
		t.Errorf("group %+v", g)
	}
	if g.Best.Float("x") < 0.5 || g.Loss[2] < g.Loss[0] {
		t.Errorf("consensus %+v", g)
	}
	if _, err := s.Best(t.Context(), Look{}); errcode.Of(err) != "per_rater" {
		t.Errorf("Best of a study per rater: %v", err)
	}
	shared := start(t, Config{Space: unitSquare()})
	if _, err := shared.Group(t.Context(), Look{}); errcode.Of(err) != "shared" {
		t.Errorf("Group of a shared study: %v", err)
	}
}

// TestRaterCounts: sides, repeats, response times and kinds of answers are counted; undone ones are not.
func TestRaterCounts(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Now: time.Now, Answers: Answers{Grades: 1}})
	say := func(a Answer) AnswerID {
		q := ask(t, s, "ann")
		id, err := s.Tell(t.Context(), q.ID, a)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	say(Answer{Choice: First, ResponseTime: time.Second})
	say(Answer{Choice: Second, Strength: 1, Swapped: true, ResponseTime: 3 * time.Second})
	say(Answer{Choice: Second})
	say(Answer{Choice: Tie})
	say(Answer{Choice: BothBad})
	say(Answer{Choice: Skip})
	undo(t, s, say(Answer{Choice: First}))
	q := ask(t, s, "ann")
	tell(t, s, q.ID, Skip)
	// The first question again with its sides exchanged, answered for the same option; then once more for the other.
	first := s.state.order[0].Question
	for i, c := range []Choice{Second, First} {
		again := Question{ID: QuestionID("r" + string(rune('1'+i))), Rater: "ann", First: first.Second, Second: first.First, Method: "repeat", RepeatOf: first.ID}
		s.mu.Lock()
		err := s.append(t.Context(), Event{Kind: kindAsked, Asked: &again})
		s.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tell(t.Context(), again.ID, Answer{Choice: c, Check: true}); err != nil {
			t.Fatal(err)
		}
	}
	learnedFrom := s.view("").Duels.Len()
	if learnedFrom != 3+1+2 { // preferences, the tie, both bad as two options below their level: checks and skips teach nothing
		t.Errorf("learned from %d duels", learnedFrom)
	}
	raters, err := s.Raters(t.Context())
	if err != nil || len(raters) != 1 {
		t.Fatal(raters, err)
	}
	r := raters[0]
	if r.Answers != 9 || r.Clear != 1 || r.Ties != 1 || r.BothBad != 1 || r.Skips != 2 || r.MedianResponse != 2*time.Second {
		t.Errorf("%+v", r)
	}
	if r.Left.Count != 3 || r.Left.Of != 5 || r.Agreed.Count != 1 || r.Agreed.Of != 2 {
		t.Errorf("left %+v, agreed %+v", r.Left, r.Agreed)
	}
	history := s.History()
	if len(history) != 10 || !history[6].Undone || history[0].Answer.ResponseTime != time.Second || history[9].Method != "repeat" {
		t.Errorf("history %+v", history)
	}
}

// TestShare: Wilson's interval, against values from its formula worked by hand for 8 of 10 and the ends.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		count, of int
		low, high float64
	}{{8, 10, 0.4901625, 0.9433178}, {0, 5, 0, 0.4344825}, {5, 5, 0.5655175, 1}, {0, 0, 0, 1}} {
		if s := newShare(c.count, c.of); abs(s.Low-c.low) > 1e-6 || abs(s.High-c.high) > 1e-6 {
			t.Errorf("%d of %d: [%.7f, %.7f], want [%.7f, %.7f]", c.count, c.of, s.Low, s.High, c.low, c.high)
		}
	}
}
