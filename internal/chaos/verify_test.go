package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// findings are what the store says about a run.
type findings struct {
	studies, answers, questions int
	broken                      []string // promises, the ledger's included
}

func (f *findings) violated(format string, args ...any) {
	f.broken = append(f.broken, fmt.Sprintf(format, args...))
}

// verify holds the store against what raters saw.
func verify(ctx context.Context, address string, l *ledger) (*findings, error) {
	st, err := store.Open(ctx, address, store.Options{})
	if err != nil {
		return nil, err
	}
	defer st.Close()
	f := &findings{broken: append([]string(nil), l.broken...)}
	if err := st.Check(ctx); err != nil {
		f.violated("the store is damaged: %v", err)
	}
	list, err := st.List(ctx)
	if err != nil {
		return nil, err
	}
	acknowledged := map[string][]answer{}
	for _, a := range l.answers {
		acknowledged[a.study] = append(acknowledged[a.study], a)
	}
	for _, info := range list {
		f.studies++
		events, err := st.Events(ctx, info.Name)
		if err != nil {
			return nil, err
		}
		f.account(info.Name, events, acknowledged[info.Name])
		running, err := st.Study(ctx, info.Name) // with its snapshot
		if err != nil {
			return nil, err
		}
		f.replay(ctx, info.Name, events, running)
	}
	return f, nil
}

// account checks a log: numbers without a gap, one open question per rater, and of every acknowledged answer one.
func (f *findings) account(study string, events []prefer.Event, acknowledged []answer) {
	open := map[string]prefer.QuestionID{} // by rater
	asked := map[prefer.QuestionID]string{}
	kept := map[string][]prefer.Answered{} // by key
	for i, e := range events {
		if e.Seq != i+1 {
			f.violated("%s: event %d is number %d", study, i+1, e.Seq)
		}
		switch {
		case e.Asked != nil:
			f.questions++
			if other := open[e.Asked.Rater]; other != "" {
				f.violated("%s: %s was asked %s while %s was open", study, e.Asked.Rater, e.Asked.ID, other)
			}
			open[e.Asked.Rater], asked[e.Asked.ID] = e.Asked.ID, e.Asked.Rater
		case e.Answered != nil:
			f.answers++
			kept[e.Answered.Answer.Key] = append(kept[e.Answered.Answer.Key], *e.Answered)
			delete(open, asked[e.Answered.Question])
		}
	}
	for key, all := range kept {
		if len(all) > 1 {
			f.violated("%s: answer %q is there %d times", study, key, len(all))
		}
	}
	for _, a := range acknowledged {
		all := kept[a.key]
		if len(all) == 0 {
			f.violated("%s: the answer %q to %s was acknowledged and is not there", study, a.key, a.question)
		} else if got := all[0]; string(got.ID) != a.id || string(got.Question) != a.question {
			f.violated("%s: the answer %q is %s to %s, acknowledged as %s to %s", study, a.key, got.ID, got.Question, a.id, a.question)
		}
	}
}

// replay checks that the events alone make the study that the store has, to the last bit of what it believes.
func (f *findings) replay(ctx context.Context, name string, events []prefer.Event, running *prefer.Study) {
	twin, err := prefer.Open(ctx, events, prefer.OpenOptions{})
	if err != nil {
		f.violated("%s does not replay: %v", name, err)
		return
	}
	if !bytes.Equal(text(twin.Events()), text(events)) || !bytes.Equal(text(running.Events()), text(events)) {
		f.violated("%s: the replayed log is another one", name)
	}
	rater := ""
	if twin.Config().People == prefer.PerRater {
		for _, e := range events {
			if e.Asked != nil {
				rater = e.Asked.Rater
				break
			}
		}
	}
	one, err := twin.Best(ctx, rater)
	if err != nil {
		f.violated("%s: %v", name, err)
		return
	}
	two, err := running.Best(ctx, rater)
	if err != nil || !bytes.Equal(text(one), text(two)) {
		f.violated("%s: the best is %s, from its snapshot %s (%v)", name, text(one), text(two), err)
	}
}

func text(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		return []byte(err.Error())
	}
	return out
}

// TestVerify: a run in which all promises were kept passes, and each of them is missed when it is not.
func TestVerify(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "store.db")
	st, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	study, err := st.Create(ctx, "coffee", prefer.Config{Space: prefer.Box(prefer.Float("milk", 0, 1)), Method: "random"})
	if err != nil {
		t.Fatal(err)
	}
	l := newLedger()
	for i := range 6 {
		rater := fmt.Sprint("rater", i%2)
		q, err := study.Ask(ctx, rater)
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprint("key", i)
		id, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		l.kept(answer{"coffee", rater, key, string(q.ID), string(id)})
	}
	found, err := verify(ctx, path, l)
	if err != nil || len(found.broken) != 0 || found.studies != 1 || found.answers != 6 || found.questions != 6 {
		t.Fatalf("%+v, %v", found, err)
	}
	events := study.Events()
	for name, c := range map[string]struct {
		events       func() []prefer.Event
		acknowledged []answer
		want         string
	}{
		"missing": {func() []prefer.Event { return events }, []answer{{"coffee", "rater0", "key99", "q1", "a1"}}, `"key99" to q1 was acknowledged and is not there`},
		"another": {func() []prefer.Event { return events }, []answer{{"coffee", "rater0", "key0", "q1", "a2"}}, `acknowledged as a2 to q1`},
		"doubled": {func() []prefer.Event { return append(slices.Clone(events), events[len(events)-1]) }, nil, `"key5" is there 2 times`},
		"gap":     {func() []prefer.Event { return slices.Delete(slices.Clone(events), 3, 5) }, nil, "event 4 is number 6"},
		"two open": {func() []prefer.Event {
			again := *events[1].Asked
			again.ID = "q99"
			return slices.Insert(slices.Clone(events), 2, prefer.Event{Seq: 3, Kind: "asked", Asked: &again})
		}, nil, "was asked q99 while q1 was open"},
	} {
		f := &findings{}
		f.account("coffee", c.events(), c.acknowledged)
		if !strings.Contains(strings.Join(f.broken, "\n"), c.want) {
			t.Errorf("%s: found %q, want %q", name, f.broken, c.want)
		}
	}
	other, err := prefer.Open(t.Context(), events[:9], prefer.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := &findings{}
	f.replay(ctx, "coffee", events, other)
	f.replay(ctx, "coffee", events[1:], other)
	if len(f.broken) < 2 {
		t.Errorf("found %q in a log that is another one, and in one that does not replay", f.broken)
	}
	l.violated("rater1 was given two questions")
	if found, err := verify(ctx, path, l); err != nil || len(found.broken) != 1 {
		t.Errorf("%+v, %v, want what a rater saw", found, err)
	}
}
