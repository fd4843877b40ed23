package prefer

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"testing"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/space"
)

// blind asks a blind duel.
func blind(t testing.TB, s *Study, rater string) Question {
	t.Helper()
	q, err := s.Ask(ctx, Request{Rater: rater, Blind: true})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func checked(t testing.TB, s *Study, rater string) BlindCheck {
	t.Helper()
	c, err := s.Blind(ctx, Look{Rater: rater})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// other is the answer that takes the rival.
func (b blindPair) other() Choice { return map[Choice]Choice{First: Second, Second: First}[b.Pick] }

// sides returns the pick and the rival of a blind duel.
func sides(q Question) (pick, rival space.Option) {
	if q.Blind.Pick == First {
		return q.First, q.Second
	}
	return q.Second, q.First
}

// TestBlindTeachesNothing: a study with a blind check in the middle, told that every rival is better and by a client
// that forgets to say that it is a check, is to the last bit the study without it.
func TestBlindTeachesNothing(t *testing.T) {
	cfg := Config{Space: coffee(), Modelling: Modelling{Search: little}, Seed: 3}
	with, without := start(t, cfg), start(t, cfg)
	play(t, with, "", 8)
	play(t, without, "", 8)
	before := ask(t, with, "")
	for range blindQuestions {
		q := blind(t, with, "")
		tell(t, with, q.ID, q.Blind.other())
	}
	tell(t, with, blind(t, with, "").ID, Skip)
	blind(t, with, "") // stays open
	if got := ask(t, with, ""); got.ID != before.ID {
		t.Errorf("beside a blind duel question %s is open, not %s", got.ID, before.ID)
	}
	same := func(what string, a, b Question) {
		t.Helper()
		a.ID, b.ID = "", ""
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: asks %+v, without a check %+v", what, a, b)
		}
	}
	same("open", before, ask(t, without, ""))
	tell(t, with, before.ID, honest(before))
	play(t, without, "", 1)
	sameBits(t, "after one answer more", with, without)
	same("next", ask(t, with, ""), ask(t, without, ""))
	again := reopen(t, with.Events(0))
	sameBits(t, "reopened", again, with)
	if a, b := checked(t, again, ""), checked(t, with, ""); !reflect.DeepEqual(a, b) {
		t.Errorf("reopened the check is %+v, was %+v", a, b)
	}
	for _, e := range with.Events(0) {
		if e.Answered == nil {
			continue
		}
		if q, _ := with.Question(e.Answered.Question); e.Answered.Answer.Check != (q.Blind != nil) {
			t.Errorf("answer %s to a question by %q is a check: %v", e.Answered.ID, q.Method, e.Answered.Answer.Check)
		}
	}
	raters, err := with.Raters(ctx)
	if err != nil || raters[0].Answers != 9 {
		t.Errorf("the rater has %+v, %v, want 9 answers", raters, err)
	}
}

// TestBlindRivals: strong and random rivals come by turns, none twice, none near the pick, and the pick is on either side.
// Spaces of all kinds have them.
func TestBlindRivals(t *testing.T) {
	mixed := space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1), space.Categorical("kind", "a", "b", "c"), space.Switch("on")}, Constraints: []string{"x <= 0.9"}}
	for name, space := range map[string]space.Space{"box": coffee(), "mixed": mixed, "list": list(gallery(20)...), "names": list(names(12)...)} {
		s := start(t, Config{Space: space, Modelling: Modelling{Search: little}, Seed: 5})
		for i := range 10 {
			q := ask(t, s, "")
			tell(t, s, q.ID, []Choice{First, Second}[i%2])
		}
		best, err := s.Best(ctx, Look{})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{best.Option.String(): true}
		left := 0
		var kinds []string
		for range blindQuestions {
			q := blind(t, s, "")
			pick, rival := sides(q)
			if q.Method != "blind" || !maps.Equal(pick, best.Option) {
				t.Errorf("%s: %q puts %v to the test, want %v", name, q.Method, pick, best.Option)
			}
			if seen[rival.String()] {
				t.Errorf("%s: rival %v comes twice, or is the pick", name, rival)
			}
			seen[rival.String()] = true
			a, b := unitPair(t, s, q)
			if space.Items == nil && coding.Gap(a, b) <= s.cfg.Separation {
				t.Errorf("%s: %v and %v are %g apart", name, pick, rival, coding.Gap(a, b))
			}
			if q.Blind.Pick == First {
				left++
			}
			kinds = append(kinds, q.Blind.Rival)
			tell(t, s, q.ID, q.Blind.Pick)
		}
		if got := fmt.Sprint(kinds); got != "[strong random strong random strong random strong random]" {
			t.Errorf("%s: rivals are %v", name, got)
		}
		if left == 0 || left == blindQuestions {
			t.Errorf("%s: the pick is always on one side", name)
		}
		c := checked(t, s, "")
		if c.Won != 8 || c.Strong.Won != 4 || c.Random.Won != 4 || c.Kind != "holds" {
			t.Errorf("%s: %+v, want 8 of 8", name, c)
		}
	}
}

// TestBlindStrong: the first strong rival is the verdict's, and of a list the next is the runner-up.
func TestBlindStrong(t *testing.T) {
	s := start(t, Config{Space: list(names(5)...), Seed: 2, Modelling: Modelling{Search: little}})
	rank := func(q Question) Choice {
		if q.First.Item() < q.Second.Item() {
			return First
		}
		return Second
	}
	for range 14 {
		q := ask(t, s, "")
		tell(t, s, q.ID, rank(q))
	}
	b, err := s.Belief(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	best, err := s.Best(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	if best.Rival != nil {
		want = append(want, best.Rival.Item())
	}
	for _, r := range b.Ranking(5)[1:] {
		want = append(want, r.Option.Item())
	}
	q := blind(t, s, "")
	if _, rival := sides(q); rival.Item() != want[0] {
		t.Errorf("the first rival is %v, want %s", rival, want[0])
	}
}

// TestBlindRefused: what no blind duel can be asked of, in a sentence.
func TestBlindRefused(t *testing.T) {
	refused := func(name string, s *Study, r Request, want error) {
		t.Helper()
		r.Blind = true
		unchanged(t, s, name, want, func() error { _, err := s.Ask(ctx, r); return err })
	}
	s := start(t, Config{Space: coffee(), Modelling: Modelling{Search: little}})
	refused("nothing said", s, Request{}, coded("no_pick"))
	unchanged(t, s, "no check", coded("no_pick"), func() error { _, err := s.Blind(ctx, Look{}); return err })
	for range 3 {
		tell(t, s, ask(t, s, "").ID, Tie)
	}
	refused("only ties", s, Request{}, coded("no_pick"))
	tell(t, s, ask(t, s, "").ID, First)
	refused("hold", s, Request{Hold: cup(0.1, 1)}, coded("option"))
	refused("fixed", s, Request{Fixed: space.Option{"milk": space.ValueOf(0.1)}}, coded("option"))
	refused("repeat", s, Request{Repeat: "q1"}, coded("option"))
	refused("catch", s, Request{Catch: &Duel{}}, coded("option"))

	two := start(t, Config{Space: list(names(2)...), Seed: 1})
	tell(t, two, ask(t, two, "").ID, First)
	q := blind(t, two, "")
	tell(t, two, q.ID, Tie)
	refused("a list of two", two, Request{}, coded("no_rival"))
	if c := checked(t, two, ""); c.Of != 1 || c.Tied != 1 || c.Kind != "undecided" {
		t.Errorf("a list of two: %+v", c)
	}
	each := start(t, Config{Space: coffee(), People: PerRater, Modelling: Modelling{Search: little}})
	refused("of nobody", each, Request{}, coded("per_rater"))
	refused("of a stranger", each, Request{Rater: "ann"}, coded("no_pick"))
}

// TestBlindUndo: a blind duel that is taken back is open again, as it was, and no longer counted; one that is open comes
// back as long as the pick is the same.
func TestBlindUndo(t *testing.T) {
	s := start(t, Config{Space: coffee(), Modelling: Modelling{Search: little}, Seed: 4})
	play(t, s, "ann", 6)
	waiting := ask(t, s, "ann")
	first := blind(t, s, "ann")
	a := tell(t, s, first.ID, first.Blind.Pick)
	second := blind(t, s, "ann")
	if again := blind(t, s, "ann"); again.ID != second.ID {
		t.Errorf("%s is open, and %s was asked", second.ID, again.ID)
	}
	if more, err := s.Ask(ctx, Request{Rater: "ann", Blind: true, Another: true}); err != nil || more.ID == second.ID {
		t.Errorf("one more is %s, %v", more.ID, err)
	}
	undo(t, s, a)
	if c := checked(t, s, "ann"); c.Of != 0 || c.Kind != "unchecked" {
		t.Errorf("after undo %+v", c)
	}
	if q := blind(t, s, "ann"); q.ID != first.ID {
		t.Errorf("after undo %s is asked, want %s", q.ID, first.ID)
	}
	if q := ask(t, s, "ann"); q.ID != waiting.ID {
		t.Errorf("the question beside it is %s, want %s", q.ID, waiting.ID)
	}
	tell(t, s, first.ID, first.Blind.other())
	if q := blind(t, s, "ann"); !maps.Equal(q.First, second.First) || !maps.Equal(q.Second, second.Second) {
		t.Errorf("told again it goes on with %v against %v, want %v against %v", q.First, q.Second, second.First, second.Second)
	}
	if c := checked(t, s, "ann"); c.Lost != 1 || c.Of != 1 {
		t.Errorf("told again: %+v", c)
	}
}

// TestBlindRaters: in a study per rater everybody's pick has its own check; in a shared one they add up, and each has all
// rivals before.
func TestBlindRaters(t *testing.T) {
	each := start(t, Config{Space: coffee(), People: PerRater, Modelling: Modelling{Search: little}, Seed: 6})
	play(t, each, "ann", 5)
	for range 5 {
		q := ask(t, each, "bob")
		tell(t, each, q.ID, opposite(honest(q)))
	}
	for range 2 {
		q := blind(t, each, "ann")
		tell(t, each, q.ID, q.Blind.Pick)
	}
	q := blind(t, each, "bob")
	tell(t, each, q.ID, q.Blind.other())
	if a, b := checked(t, each, "ann"), checked(t, each, "bob"); a.Won != 2 || a.Of != 2 || b.Lost != 1 || b.Of != 1 || b.Stale+a.Stale != 0 {
		t.Errorf("ann has %+v, bob %+v", a, b)
	}
	two := start(t, Config{Space: list(names(2)...), Seed: 1})
	tell(t, two, ask(t, two, "ann").ID, First)
	for _, rater := range []string{"ann", "bob"} {
		q := blind(t, two, rater)
		tell(t, two, q.ID, q.Blind.Pick)
	}
	if c := checked(t, two, "ann"); c.Won != 2 || c.Of != 2 {
		t.Errorf("together %+v", c)
	}
}

func opposite(c Choice) Choice { return blindPair{Pick: c}.other() }

// TestBlindStale: when the pick moves away its duels say nothing any more, an open one is left, and a new one is asked.
func TestBlindStale(t *testing.T) {
	s := start(t, Config{Space: space.Box(space.Float("x", 0, 1)), Modelling: Modelling{Search: little}, Seed: 1})
	at := func(x float64) space.Option { return space.Option{"x": space.ValueOf(x)} }
	for range 3 {
		observe(t, s, at(0.2), at(0.9), First)
		observe(t, s, at(0.2), at(0.6), First)
	}
	q := blind(t, s, "")
	tell(t, s, q.ID, q.Blind.Pick)
	open := blind(t, s, "")
	for range 30 {
		observe(t, s, at(0.9), at(0.2), First)
		observe(t, s, at(0.9), at(0.6), First)
	}
	c := checked(t, s, "")
	if c.Kind != "unchecked" || c.Stale != 1 {
		t.Errorf("the pick moved from %v to %v, and the check is %+v", open, c.Pick, c)
	}
	if q := blind(t, s, ""); q.ID == open.ID {
		t.Errorf("the duel of the old pick is asked again: %+v", q)
	}
}

// TestBlindLog: a log says what a blind duel is of in words of its own, and refuses others.
func TestBlindLog(t *testing.T) {
	s := start(t, Config{Space: coffee(), Modelling: Modelling{Search: little}})
	play(t, s, "", 2)
	events := s.Events(0)
	for _, b := range []blindPair{{Tie, rivalStrong}, {First, "weak"}, {}} {
		q := &Question{ID: "q9", First: cup(0.1, 1), Second: cup(0.2, 1), Method: "blind", Blind: &b}
		bad := Event{Seq: len(events) + 1, Kind: kindAsked, Asked: q}
		if _, err := Open(ctx, append(events[:len(events):len(events)], bad), OpenOptions{}); !errors.Is(err, ErrEvents) {
			t.Errorf("%+v: %v, want ErrEvents", b, err)
		}
	}
}

// TestBlindFar: of one parameter, too, there are four strong rivals: none so near that it is the pick to the eye, none as
// near to another, each better than most of the range but for the verdict's, which may be as good because little is known of it.
func TestBlindFar(t *testing.T) {
	s := start(t, Config{Space: space.Box(space.Float("x", 0, 1)), Modelling: Modelling{Search: little, Alternatives: defaultAlternatives(3)}, Seed: 7})
	near := func(q Question) Choice {
		d := func(o space.Option) float64 { return (o.Float("x") - 0.3) * (o.Float("x") - 0.3) }
		if d(q.First) < d(q.Second) {
			return First
		}
		return Second
	}
	for range 12 {
		q := ask(t, s, "")
		tell(t, s, q.ID, near(q))
	}
	b, err := s.Belief(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	best, err := s.Best(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	utility := func(o space.Option) float64 {
		u, _, err := b.Utility(o)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	var strong []float64
	for range blindQuestions {
		q := blind(t, s, "")
		pick, rival := sides(q)
		if x := rival.Float("x"); q.Blind.Rival == rivalStrong {
			for _, y := range append(strong, pick.Float("x")) {
				if d := x - y; d*d < pairs.Close*pairs.Close {
					t.Errorf("the strong rival %g is near %g", x, y)
				}
			}
			strong = append(strong, x)
			worse := 0
			for i := range 101 {
				if utility(space.Option{"x": space.ValueOf(float64(i) / 100)}) < utility(rival) {
					worse++
				}
			}
			if worse < 51 && !maps.Equal(rival, best.Rival) {
				t.Errorf("the strong rival %g is better than %d %% of the range", x, worse)
			}
		}
		tell(t, s, q.ID, near(q))
	}
	if c := checked(t, s, ""); len(strong) != 4 || c.Strong.Won != 4 {
		t.Errorf("the pick %v of one who likes 0.3: %+v", c.Pick, c)
	}
}

// blindQuestions is live.BlindQuestions.
const blindQuestions = 8
