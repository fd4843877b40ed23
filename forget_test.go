package prefer

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestForget: nothing of a person is left, everything of the others is, the log is valid, no id is used
// twice, and the quasi-random sequence goes on.
func TestForget(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Seed: 3, Initial: 30})
	var secret AnswerID
	for k := range 6 {
		for _, rater := range []string{"ann", "zoe-secret"} {
			q := ask(t, s, rater)
			id, err := s.Tell(t.Context(), q.ID, Answer{Choice: First, Key: rater + string(rune('a'+k)), Session: "of " + rater})
			if err != nil {
				t.Fatal(err)
			}
			if rater != "ann" {
				secret = id
			}
		}
	}
	undo(t, s, secret)
	if _, err := s.Observe(t.Context(), Duel{First: Option{"x": ValueOf(0), "y": ValueOf(0)}, Second: Option{"x": ValueOf(1), "y": ValueOf(0)}, Rater: "zoe-secret", Answer: Answer{Choice: First}}); err != nil {
		t.Fatal(err)
	}
	open := ask(t, s, "zoe-secret")
	events := s.Events()
	left, removed := Forget(events, "zoe-secret")
	if removed != 6*2+1+1 { // questions, answers, the undo and the duel; the open question is the one undone
		t.Errorf("%d events removed", removed)
	}
	text, err := json.Marshal(left)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "secret") {
		t.Errorf("she is still in %s", text)
	}
	r, err := Open(Config{}, left)
	if err != nil {
		t.Fatal(err)
	}
	if n := r.view("").duels.Len(); n != 6 {
		t.Errorf("%d duels are left, want ann's 6", n)
	}
	next := ask(t, r, "new")
	for _, e := range events {
		if e.Asked != nil && (e.Asked.ID == next.ID || e.Asked.First.String() == next.First.String()) {
			t.Errorf("%s is asked again as %s", e.Asked.ID, next.ID)
		}
	}
	if _, err := r.Tell(t.Context(), open.ID, Answer{Choice: First}); err == nil {
		t.Error("her question can still be answered")
	}
	if same, removed := Forget(left, "nobody"); removed != 0 || len(same) != len(left) {
		t.Errorf("nobody had %d events", removed)
	}
}
