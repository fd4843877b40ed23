package prefer

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// opposites makes a study of two raters with opposite tastes, and one who says first to everything.
func opposites(t *testing.T, people People, raters ...string) *Study {
	t.Helper()
	s := start(t, Config{Space: unitSquare(), Answers: Answers{Forced: true}, People: people, Seed: 3, Modelling: Modelling{Search: little}})
	for k := range 8 {
		a, b := float64(k*5%8)/8, float64(k*3%7)/7
		for _, rater := range raters {
			d := Duel{First: space.Option{"x": space.ValueOf(a), "y": space.ValueOf(b)}, Second: space.Option{"x": space.ValueOf(b), "y": space.ValueOf(1 - a)}, Rater: rater, Answer: Answer{Choice: First}}
			if x := a - b; rater == "ann" && x < 0 || rater == "ben" && x > 0 {
				d.Answer.Choice = Second
			}
			if _, err := s.Observe(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// believes returns what a study believes about a rater at some options.
func believes(t *testing.T, s *Study, rater string) (out []float64) {
	t.Helper()
	b, err := s.Belief(t.Context(), Look{Rater: rater})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 5 {
		mean, sd, err := b.Utility(space.Option{"x": space.ValueOf(float64(k) / 4), "y": space.ValueOf(0.3)})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, mean, sd)
	}
	return out
}

// TestChangePeople: a study that was changed is to the last bit what one made so from the start is, there and back again, for who
// did it, who opens the log and who follows it; the log before the change means what it meant.
func TestChangePeople(t *testing.T) {
	ctx := t.Context()
	shared, each := opposites(t, Shared, "ann", "ben"), opposites(t, PerRater, "ann", "ben")
	for _, from := range []People{Shared, PerRater} {
		s := opposites(t, from, "ann", "ben")
		before := s.Events(0)
		follower := reopen(t, before)
		to := map[People]People{Shared: PerRater, PerRater: Shared}
		now := from
		for range 3 {
			now = to[now]
			if err := s.Change(ctx, Change{People: &now}); err != nil {
				t.Fatal(err)
			}
			if err := follower.Host().Follow(s.Events(0)); err != nil {
				t.Fatal(err)
			}
			for who, s := range map[string]*Study{"itself": s, "opened": reopen(t, s.Events(0)), "following": follower} {
				if got := s.Config().People; got != now {
					t.Errorf("%s: People is %q, want %q", who, got, now)
				}
				if now == Shared {
					if got, want := believes(t, s, ""), believes(t, shared, ""); !reflect.DeepEqual(got, want) {
						t.Errorf("from %s, %s: all believe %v, want %v", from, who, got, want)
					}
					continue
				}
				for _, rater := range []string{"ann", "ben"} {
					if got, want := believes(t, s, rater), believes(t, each, rater); !reflect.DeepEqual(got, want) {
						t.Errorf("from %s, %s: %s believes %v, want %v", from, who, rater, got, want)
					}
				}
				if _, err := s.Best(ctx, Look{}); err == nil {
					t.Errorf("%s: a study per rater has a best of nobody", who)
				}
			}
		}
		if got := reopen(t, before).Config().People; got != from {
			t.Errorf("the log before says %q, want %q", got, from)
		}
	}
}

// TestChange: budget and prompt; what says nothing, or nothing new, or nonsense.
func TestChange(t *testing.T) {
	s := opposites(t, PerRater, "ann")
	budget, prompt, everybody := 5, "Which cup?", People("everybody")
	same, none := s.Config(), ""
	if err := s.Change(t.Context(), Change{Budget: &budget, Prompt: &prompt}); err != nil {
		t.Fatal(err)
	}
	budget, prompt = -1, "changed by the caller afterwards"
	for _, s := range []*Study{s, reopen(t, s.Events(0))} {
		if c := s.Config(); c.Budget != 5 || c.Prompt != "Which cup?" || c.People != PerRater {
			t.Errorf("budget %d, prompt %q, people %q", c.Budget, c.Prompt, c.People)
		}
	}
	ids := play(t, s, "ann", 5)
	if v, err := s.Verdict(t.Context(), Look{Rater: "ann"}); err != nil || v.Kind == KeepGoing || v.Budget != 5 {
		t.Errorf("after %d answers the verdict is %+v, %v", len(ids), v, err)
	}
	before := s.Seq()
	for text, c := range map[string]Change{"of nothing": {}, "Budget = -1": {Budget: &budget}, `People = "everybody"`: {People: &everybody}, `Settings = "[1]"`: {Settings: []byte("[1]")}, `Settings = "{"`: {Settings: []byte("{")}} {
		if err := s.Change(t.Context(), c); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want an error with %q", err, text)
		}
	}
	if err := s.Change(t.Context(), Change{People: &same.People}); err != nil || s.Seq() != before {
		t.Errorf("the same again: %v, and %d events more", err, s.Seq()-before)
	}
	if err := s.Change(t.Context(), Change{Settings: []byte(`{"a": {"b": null}}`)}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Study{s, reopen(t, s.Events(0))} {
		q, _ := s.Question("q1")
		if last := s.Events(before); len(last) != 1 || string(last[0].Changed.Settings) != `{"a": {"b": null}}` || q.Prompt != "Which cup?" || len(q.Options) != 2 {
			t.Errorf("changes %+v, question %+v", last, q)
		}
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Change(gone, Change{Prompt: &none}); err == nil {
		t.Error("a context that is over changes the study")
	}
	if err := s.Change(t.Context(), Change{Prompt: &none}); err != nil || s.Config().Prompt != same.Prompt {
		t.Errorf("an empty prompt is %q, %v; want the default %q", s.Config().Prompt, err, same.Prompt)
	}
}
