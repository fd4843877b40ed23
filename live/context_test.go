package live

import (
	"maps"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// TestContext: a rater's status, budget and next question are those of the context they are under; a question in another waits for no
// verdict of this one.
func TestContext(t *testing.T) {
	h := newTestStudies(t, nil)
	tea := space.Categorical("tea", "black", "green")
	tea.Context = true
	cfg := prefer.Config{Space: space.Box(space.Float("sugar", 0, 5), tea), Budget: 2}
	if err := h.Create(t.Context(), "tea", cfg, Settings{}); err != nil {
		t.Fatal(err)
	}
	black, green := space.Option{"tea": space.ValueOf("black")}, space.Option{"tea": space.ValueOf("green")}
	if _, err := h.Ask(t.Context(), "tea", Ask{Rater: "ann"}); errcode.Of(err) != "context" {
		t.Errorf("an ask without a context: %v", err)
	}
	for k, c := range []struct {
		rater string
		under space.Option
		given int // before it
	}{{"ann", black, 0}, {"bob", green, 0}, {"ann", green, 0}, {"ann", black, 1}, {"bob", green, 1}} {
		q, err := h.Ask(t.Context(), "tea", Ask{Rater: c.rater, Fixed: c.under, HoldBest: k == 3, Owner: true})
		if err != nil {
			t.Fatal(err)
		}
		if q.Status.Given != c.given || q.Why.PFirst == nil || !maps.Equal(cfg.Space.Context(q.Asked.First), c.under) || !maps.Equal(cfg.Space.Context(q.Asked.Second), c.under) {
			t.Errorf("question %d of %s under {%v}: %d given, %v against %v", k, c.rater, c.under, q.Status.Given, q.Asked.First, q.Asked.Second)
		}
		told, err := h.Tell(t.Context(), "tea", Tell{Question: prefer.QuestionID(q.ID), Rater: c.rater, Answer: prefer.Answer{Choice: prefer.First}, Next: true})
		if err != nil {
			t.Fatal(err)
		}
		if ends := c.given == 1; (told.Status.Verdict == "budget_reached") != ends || ends != (told.Next == nil) {
			t.Errorf("after answer %d of %s the status is %+v, the next question %v", k, c.rater, told.Status, told.Next)
		}
		if told.Next == nil {
			continue
		}
		if !maps.Equal(cfg.Space.Context(told.Next.Asked.First), c.under) {
			t.Errorf("the next question after one under {%v} is %v", c.under, told.Next.Asked.First)
		}
		if _, err := h.Tell(t.Context(), "tea", Tell{Question: prefer.QuestionID(told.Next.ID), Rater: c.rater, Answer: prefer.Answer{Choice: prefer.Skip}}); err != nil {
			t.Fatal(err)
		}
	}
	err := h.With(t.Context(), "tea", func(r *Study) error {
		all, err := r.Standings(t.Context(), "ann")
		if err != nil {
			return err
		}
		for i, want := range []struct{ answers, given int }{{2, 2}, {3, 1}} {
			v, err := r.VerdictFor(t.Context(), prefer.Look{Rater: "ann", Fixed: all[i].Fixed})
			if err != nil {
				return err
			}
			for _, v := range []prefer.Verdict{v, all[i].Verdict} {
				if v.Answers != want.answers || v.Given != want.given || v.Budget != 2 {
					t.Errorf("under {%v} there are %d answers, %d of %d given by ann, want %+v", all[i].Fixed, v.Answers, v.Given, v.Budget, want)
				}
			}
		}
		if answers, _ := r.Size(); answers != 5 {
			t.Errorf("the study has %d answers, want 5", answers)
		}
		if at := r.Context("bob"); !maps.Equal(at, green) {
			t.Errorf("bob is under {%v}", at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Ask(t.Context(), "tea", Ask{Rater: "ann", Blind: true, Owner: true, Fixed: space.Option{"tea": space.ValueOf("green"), "sugar": space.ValueOf(1)}}); err == nil {
		t.Error("a blind duel with sugar fixed")
	}
	q, err := h.Ask(t.Context(), "tea", Ask{Rater: "ann", Blind: true, Owner: true, Fixed: green})
	if err != nil || !maps.Equal(cfg.Space.Context(q.Asked.First), green) || !maps.Equal(cfg.Space.Context(q.Asked.Second), green) {
		t.Errorf("a blind duel under green: %v, %v", q.Asked, err)
	}
}

// TestReadFixed: an address may say what is fixed in words or in JSON, and what it says wrong is refused.
func TestReadFixed(t *testing.T) {
	h := newTestStudies(t, nil)
	if err := h.With(t.Context(), "coffee", func(*Study) error { return nil }); err != nil {
		t.Fatal(err)
	}
	r := h.open()
	want := space.Option{"milk": space.ValueOf(0.25), "sugar": space.ValueOf(2)}
	for _, texts := range [][]string{{"milk=0.25,sugar=2"}, {" milk = 0.25 , sugar=2"}, {"milk=0.25", "sugar=2"}, {`{"milk":0.25,"sugar":2}`}, {"milk=0.25", "", `{"sugar":2}`}} {
		if got, err := r.ReadFixed(texts...); err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", texts, got, err, want)
		}
	}
	if got, err := r.ReadFixed(""); got != nil || err != nil {
		t.Errorf("nothing: %v, %v", got, err)
	}
	for _, text := range []string{"milk", "=1", "tea=1", "milk=much", "{", `{"milk":[]}`, "milk=0.25,,"} {
		if got, err := r.ReadFixed(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
