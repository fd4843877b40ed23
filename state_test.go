package prefer

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestDamagedLogs: a log that no study wrote is refused, with the number of the event.
func TestDamagedLogs(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	q1 := ask(t, s, "ann")
	a1 := tell(t, s, q1.ID, First)
	ask(t, s, "ann")
	observe(t, s, cup(0.2, 1), cup(0.1, 2), First)
	undo(t, s, a1)
	good := s.Events(0)
	if _, err := Open(ctx, good, OpenOptions{}); err != nil {
		t.Fatal(err)
	}
	asked := func(id QuestionID, rater string, first space.Option) *Question {
		return &Question{ID: id, Rater: rater, First: first, Second: cup(0, 1), Method: "kg"}
	}
	ok := Answer{Choice: First}
	for _, c := range []struct {
		name string
		want error // besides ErrEvents
		next Event
	}{
		{"gap", nil, Event{Seq: 8, Kind: kindUndone, Undone: &undoneEvent{"a2"}}},
		{"repetition", nil, Event{Seq: 6, Kind: kindUndone, Undone: &undoneEvent{"a2"}}},
		{"created twice", nil, Event{Seq: 7, Kind: kindCreated, Created: good[0].Created}},
		{"no kind", nil, Event{Seq: 7, Undone: &undoneEvent{"a2"}}},
		{"unknown kind", nil, Event{Seq: 7, Kind: "renamed", Undone: &undoneEvent{"a2"}}},
		{"empty", nil, Event{Seq: 7, Kind: kindUndone}},
		{"of another kind", nil, Event{Seq: 7, Kind: kindAsked, Undone: &undoneEvent{"a2"}}},
		{"two contents", nil, Event{Seq: 7, Kind: kindUndone, Undone: &undoneEvent{"a2"}, Asked: asked("q9", "bob", cup(0, 2))}},
		{"question without id", nil, Event{Seq: 7, Kind: kindAsked, Asked: asked("", "bob", cup(0, 2))}},
		{"question id taken", nil, Event{Seq: 7, Kind: kindAsked, Asked: asked(q1.ID, "bob", cup(0, 2))}},
		{"question outside", coded("option"), Event{Seq: 7, Kind: kindAsked, Asked: asked("q9", "bob", cup(0, 20))}},
		{"incumbent outside", coded("option"), Event{Seq: 7, Kind: kindAsked,
			Asked: &Question{ID: "q9", First: cup(0, 1), Second: cup(0, 2), Incumbent: cup(-1, 1)}}},
		{"answer to nothing", coded("no_question"), Event{Seq: 7, Kind: kindAnswered, Answered: &answeredEvent{"a3", "q9", ok}}},
		{"answer to withdrawn", coded("no_question"), Event{Seq: 7, Kind: kindAnswered, Answered: &answeredEvent{"a3", "q2", ok}}},
		{"answer id taken", nil, Event{Seq: 7, Kind: kindAnswered, Answered: &answeredEvent{"a1", q1.ID, ok}}},
		{"answer without id", nil, Event{Seq: 7, Kind: kindAnswered, Answered: &answeredEvent{"", q1.ID, ok}}},
		{"bad answer", coded("answer"), Event{Seq: 7, Kind: kindAnswered, Answered: &answeredEvent{"a3", q1.ID, Answer{Choice: "?"}}}},
		{"bad duel", coded("answer"), Event{Seq: 7, Kind: kindObserved,
			Observed: &observedEvent{"a3", Duel{First: cup(0, 1), Second: cup(0, 2), Answer: Answer{Choice: Skip}}}}},
		{"duel outside", coded("option"), Event{Seq: 7, Kind: kindObserved, Observed: &observedEvent{"a3", Duel{First: cup(0, 1), Answer: ok}}}},
		{"undone twice", coded("no_answer"), Event{Seq: 7, Kind: kindUndone, Undone: &undoneEvent{a1}}},
		{"undone nothing", coded("no_answer"), Event{Seq: 7, Kind: kindUndone, Undone: &undoneEvent{"a9"}}},
	} {
		s, err := Open(ctx, append(good[:6:6], c.next), OpenOptions{})
		if s != nil || !errors.Is(err, ErrEvents) || c.want != nil && !wraps(err, c.want) {
			t.Errorf("%s: error %v, want ErrEvents and %v", c.name, err, c.want)
			continue
		}
		if want := fmt.Sprintf("event %d: prefer: ", c.next.Seq); !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %q does not begin with %q", c.name, err, want)
		}
	}
	broken := *good[0].Created
	broken.Config.Space.Parameters = nil
	for name, events := range map[string][]Event{
		"nothing":    nil,
		"no created": good[1:],
		"bad config": {{Seq: 1, Kind: kindCreated, Created: &broken}},
		"no config":  {{Seq: 1, Kind: kindCreated}},
	} {
		if s, err := Open(ctx, events, OpenOptions{}); s != nil || !errors.Is(err, ErrEvents) {
			t.Errorf("%s: %v, want ErrEvents", name, err)
		}
	}
}

// TestApplyIsAtomic: an event that is refused leaves nothing behind.
func TestApplyIsAtomic(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	q := ask(t, s, "ann")
	tell(t, s, q.ID, First)
	before := fmt.Sprintf("%+v %d", *s.state.evidence(nil).Duels, len(s.state.questions))
	for _, e := range []Event{
		{Seq: 4, Kind: kindAsked, Asked: &Question{ID: "q2", First: cup(0.1, 1), Second: cup(0.1, 99)}},
		{Seq: 4, Kind: kindObserved, Observed: &observedEvent{"a2", Duel{First: cup(0.1, 1), Second: cup(9, 1), Answer: Answer{Choice: First}}}},
		{Seq: 4, Kind: kindAnswered, Answered: &answeredEvent{"a2", q.ID, Answer{Choice: First}}},
	} {
		if err := s.state.apply(e); err == nil {
			t.Fatalf("%+v was applied", e)
		}
		if after := fmt.Sprintf("%+v %d", *s.state.evidence(nil).Duels, len(s.state.questions)); after != before || s.state.seq != 3 {
			t.Errorf("%s left traces", e.Kind)
		}
	}
}

// TestForeignIDs: a log written elsewhere may name questions and answers as it likes, even as the
// study would name the next ones.
func TestForeignIDs(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	events := append(s.Events(0),
		Event{Seq: 2, Kind: kindAsked, Asked: &Question{ID: "q2", First: cup(0.1, 1), Second: cup(0.1, 2), Method: "kg"}},
		Event{Seq: 3, Kind: kindAnswered, Answered: &answeredEvent{"a2", "q2", Answer{Choice: First}}})
	s = reopen(t, events)
	q := ask(t, s, "")
	a := tell(t, s, q.ID, First)
	if q.ID == "q2" || a == "a2" {
		t.Errorf("the ids %q and %q are used twice", q.ID, a)
	}
	reopen(t, s.Events(0))
}

// TestOpenTakesTheLogsWord: an opened study goes on where the log ends, in the journal it is given.
func TestOpenTakesTheLogsWord(t *testing.T) {
	s := start(t, Config{Space: coffee(), Seed: 5, Method: "eubo"})
	play(t, s, "", 5)
	j := &testJournal{events: s.Events(0), t: t}
	r, err := Open(ctx, s.Events(0), OpenOptions{Journal: j, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	if live, replayed := ask(t, s, ""), ask(t, r, ""); !reflect.DeepEqual(live, replayed) {
		t.Errorf("the live study asks %+v, the opened one %+v", live, replayed)
	}
	if n := len(s.Events(0)); len(j.events) != n || j.events[n-1].Kind != kindAsked {
		t.Errorf("the journal ends with %+v, want the question", j.events[len(j.events)-1])
	}
}
