package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// findings are what the store says about a run.
type findings struct {
	studies, answers, questions int
	late                        []late
	broken                      []string // promises, the ledger's included
}

// late is something that was kept and acknowledged to a later attempt only: the reply to an earlier one was lost.
type late struct {
	kept, sent time.Time
	next       bool // the reply waited for the next question, as well
}

func (f *findings) violated(format string, args ...any) {
	f.broken = append(f.broken, fmt.Sprintf(format, args...))
}

// verify holds the store against what raters saw. What is counted is read past prefer, which then has its own say.
func verify(ctx context.Context, address string, l *ledger) (*findings, error) {
	f := &findings{broken: slices.Clone(l.broken)}
	tables, err := read(ctx, address)
	if err != nil {
		return nil, err
	}
	f.account(tables, l)
	st, err := sqlstore.Open(ctx, address, sqlstore.Options{})
	if err != nil {
		return nil, err
	}
	defer st.Close()
	if err := st.Check(ctx); err != nil {
		f.violated("the store is damaged: %v", err)
	}
	for _, one := range tables {
		events, err := st.Events(ctx, one.name)
		if err != nil {
			return nil, err
		}
		running, err := st.Study(ctx, one.name) // with its snapshot
		if err != nil {
			return nil, err
		}
		f.replay(ctx, one.name, events, running)
	}
	return f, nil
}

// account holds the tables against a ledger, whole studies first.
func (f *findings) account(tables []stored, l *ledger) {
	given := map[string][]*answer{} // by study
	for _, a := range l.answers {
		given[a.study] = append(given[a.study], a)
	}
	if answers, _ := l.acknowledged(); answers == 0 {
		f.violated("nobody answered, so nothing was tested")
	}
	seen := map[string]bool{}
	for _, one := range tables {
		f.studies++
		seen[one.name] = true
		sent, ours := l.studies[one.name]
		if !ours {
			f.violated("%s: nobody made this study", one.name)
		} else if len(one.events) > 0 {
			f.heard(one.events[0].Time, sent, false)
		}
		f.study(one, given[one.name])
	}
	for name := range l.studies {
		if !seen[name] {
			f.violated("%s: the study was acknowledged and is not there, nor are its %d answers", name, len(given[name]))
		}
	}
}

// heard notes what was kept before the attempt was sent that was acknowledged.
func (f *findings) heard(kept, sent time.Time, next bool) {
	if kept.Before(sent) {
		f.late = append(f.late, late{kept, sent, next})
	}
}

// replay checks that the events alone make the study that the store has, to the last bit of what it believes.
func (f *findings) replay(ctx context.Context, name string, events []prefer.Event, running *prefer.Study) {
	twin, err := prefer.Open(ctx, events, prefer.OpenOptions{})
	if err != nil {
		f.violated("%s does not replay: %v", name, err)
		return
	}
	if !bytes.Equal(text(twin.Events(0)), text(events)) || !bytes.Equal(text(running.Events(0)), text(events)) {
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
	one, err := twin.Best(ctx, prefer.Look{Rater: rater})
	if err != nil {
		f.violated("%s: %v", name, err)
		return
	}
	two, err := running.Best(ctx, prefer.Look{Rater: rater})
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

// TestReplay: a log that is another one, and one that does not replay, are found.
func TestReplay(t *testing.T) {
	ctx := context.Background()
	study, err := prefer.New(ctx, prefer.Config{Space: space.Box(space.Float("milk", 0, 1)), Method: "random"})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		q, err := study.Ask(ctx, prefer.Request{Rater: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
			t.Fatal(err)
		}
	}
	events := study.Events(0)
	shorter, err := prefer.Open(ctx, events[:5], prefer.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := &findings{}
	f.replay(ctx, "coffee", events, study)
	if len(f.broken) != 0 {
		t.Errorf("found %q in a log as it is", f.broken)
	}
	f.replay(ctx, "another", events, shorter)
	f.replay(ctx, "headless", events[1:], study)
	if all := strings.Join(f.broken, "\n"); !strings.Contains(all, "another: the replayed log is another one") || !strings.Contains(all, "headless does not replay") {
		t.Errorf("found %q", f.broken)
	}
}
