package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

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
