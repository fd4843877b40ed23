package logfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/space"
)

// config is a study whose questions are quick.
func config(people prefer.People) prefer.Config {
	at := begin
	return prefer.Config{Space: space.Box(space.Float("milk", 0, 1), space.Float("sugar", 0, 5)), Seed: 1<<63 + 7, People: people,
		Modelling: prefer.Modelling{Search: acquisition.Search{Candidates: 64, Starts: 2, Finalists: 1, Evals: 30}},
		Now:       func() time.Time { at = at.Add(1234567891 * time.Nanosecond); return at }}
}

func cup(milk, sugar float64) space.Option {
	return space.Option{"milk": space.ValueOf(milk), "sugar": space.ValueOf(sugar)}
}

// together is a study that three people answered at one table: all that people do, interleaved.
func together(t testing.TB, people prefer.People) *prefer.Study {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := prefer.New(ctx, config(people))
	must(err)
	coin := rand.New(rand.NewPCG(1, 2))
	raters := []string{"ben", "anna", "cy"}
	first := map[string]prefer.QuestionID{}
	for round := range 4 {
		for i, rater := range raters {
			r := prefer.Request{Rater: rater}
			switch round {
			case 0:
				r.Practice = rater == "anna"
			case 2:
				r.Repeat = first[rater]
			case 3:
				r.Catch = &prefer.Duel{First: cup(1, 1), Second: cup(0, 5)}
			}
			q, err := s.Ask(ctx, r)
			must(err)
			if !r.Practice && first[rater] == "" {
				first[rater] = q.ID
			}
			a := prefer.Answer{Choice: prefer.First, Swapped: coin.IntN(2) == 1, ResponseTime: time.Duration(coin.Int64N(1e10)), Session: "<s&" + rater + ">",
				Key: "k" + fmt.Sprint(round), Check: r.Catch != nil, Refused: i}
			if coin.IntN(3) == 0 {
				a.Choice = prefer.Second
			}
			id, err := s.Tell(ctx, q.ID, a)
			must(err)
			if round == 1 && i == 1 {
				must(s.Undo(ctx, id))
				a.Choice = prefer.Tie
				_, err = s.Tell(ctx, q.ID, a)
				must(err)
			}
		}
	}
	must(s.Change(ctx, prefer.Change{Enqueue: []prefer.Enqueued{{Option: cup(0.25, 2), Rater: "cy"}}}))
	for _, rater := range raters {
		q, err := s.Ask(ctx, prefer.Request{Rater: rater, Blind: true})
		must(err)
		_, err = s.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.Second})
		must(err)
		_, err = s.Accept(ctx, rater, nil, rater != "ben")
		must(err)
	}
	_, err = s.Observe(ctx, prefer.Duel{First: cup(0.1, 1), Second: cup(0.9, 1), Rater: "ben", Answer: prefer.Answer{Choice: prefer.Second, Strength: 0}})
	must(err)
	_, err = s.Ask(ctx, prefer.Request{Rater: "cy"}) // left open
	must(err)
	return s
}

// away returns the log that a rater has if what they did in a study they did at home: with numbers of its own.
func away(events []prefer.Event, rater string) []prefer.Event {
	out := []prefer.Event{events[0]}
	ids, questions, answers := map[string]string{}, 0, 0
	for _, e := range events[1:] {
		switch {
		case e.Asked != nil && e.Asked.Rater == rater:
			questions++
			q := *e.Asked
			ids[string(q.ID)] = fmt.Sprint("q", questions)
			q.ID, q.RepeatOf = prefer.QuestionID(ids[string(q.ID)]), prefer.QuestionID(ids[string(q.RepeatOf)])
			e.Asked = &q
		case e.Answered != nil && ids[string(e.Answered.Question)] != "":
			answers++
			a := *e.Answered
			ids[string(a.ID)] = fmt.Sprint("a", answers)
			a.ID, a.Question = prefer.AnswerID(ids[string(a.ID)]), prefer.QuestionID(ids[string(a.Question)])
			e.Answered = &a
		case e.Observed != nil && e.Observed.Duel.Rater == rater:
			answers++
			o := *e.Observed
			o.ID = prefer.AnswerID(fmt.Sprint("a", answers))
			e.Observed = &o
		case e.Undone != nil && ids[string(e.Undone.Answer)] != "":
			u := *e.Undone
			u.Answer = prefer.AnswerID(ids[string(u.Answer)])
			e.Undone = &u
		case e.Enqueued != nil && e.Enqueued.Rater == rater:
		case e.Taken != nil && e.Taken.Rater == rater:
			k := *e.Taken
			k.ID = fmt.Sprint("t", len(out)+1)
			e.Taken = &k
		case e.Joined != nil, e.Left != nil, e.Changed != nil:
		default:
			continue
		}
		e.Seq = len(out) + 1
		out = append(out, e)
	}
	return out
}

// homes are the logs of everybody in a study.
func homes(events []prefer.Event, raters ...string) (out []Log) {
	for _, rater := range raters {
		out = append(out, Log{rater + ".jsonl", away(events, rater)})
	}
	return out
}

func lines(t testing.TB, events []prefer.Event) string {
	t.Helper()
	var out bytes.Buffer
	for _, e := range events {
		line, err := e.Line()
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	return out.String()
}

func into(t testing.TB, study []prefer.Event, logs ...Log) Merged {
	t.Helper()
	m, err := Merge(t.Context(), study, logs...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTogether: what three people did at one table is, taken apart and merged in whatever order, the same log to the byte; so is everybody's
// own log, taken out of it again; and merging once more adds nothing.
func TestTogether(t *testing.T) {
	for _, people := range []prefer.People{prefer.Shared, prefer.PerRater} {
		events := together(t, people).Events(0)
		logs := homes(events, "anna", "ben", "cy")
		for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 0, 1, 2, 1}} {
			var named []Log
			for _, i := range order {
				named = append(named, logs[i])
			}
			m := into(t, nil, named...)
			if got, want := lines(t, m.Events), lines(t, events); got != want {
				t.Fatalf("%s, in the order %v:\n%s\nwant\n%s", people, order, got, want)
			}
			for _, l := range logs {
				rater := strings.TrimSuffix(l.Name, ".jsonl")
				if got, want := lines(t, away(m.Events, rater)), lines(t, l.Events); got != want {
					t.Errorf("%s has now\n%s\nwant\n%s", rater, got, want)
				}
			}
			again := into(t, m.Events, named...)
			if len(again.Events) != 0 || again.Answers != 0 || again.Parts[0].New != 0 || again.Parts[0].Answers == 0 {
				t.Errorf("merging the same again adds %d events, %+v", len(again.Events), again.Parts)
			}
		}
	}
}

// TestLater: a log that comes later is appended unchanged, and what was there stays as it is. The beliefs are those of one table, whatever
// the order.
func TestLater(t *testing.T) {
	for _, people := range []prefer.People{prefer.Shared, prefer.PerRater} {
		native := together(t, people)
		events := native.Events(0)
		logs := homes(events, "anna", "ben", "cy")
		log := into(t, nil, logs[1], logs[2]).Events
		before := lines(t, log)
		added := into(t, log, logs[0])
		log = append(log, added.Events...)
		if !strings.HasPrefix(lines(t, log), before) {
			t.Fatalf("%s: what was there has changed", people)
		}
		if got, want := lines(t, away(log, "anna")), lines(t, logs[0].Events); got != want {
			t.Errorf("%s: anna has now\n%s\nwant\n%s", people, got, want)
		}
		if want := []Part{{"anna.jsonl", "anna", 6, 6}}; !reflect.DeepEqual(added.Parts, want) || added.Answers != 6 {
			t.Errorf("%s: %+v, want %+v", people, added.Parts, want)
		}
		merged, err := prefer.Open(t.Context(), log, prefer.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, rater := range []string{"anna", "ben", "cy"} {
			if people == prefer.Shared {
				rater = ""
			}
			want, got := believed(t, native, rater), believed(t, merged, rater)
			for i := range want {
				if !(math.Abs(want[i]-got[i]) <= 1e-8) {
					t.Errorf("%s, %s: the belief is %v, want %v", people, rater, got, want)
					break
				}
			}
		}
	}
}

// believed returns the belief about a few options.
func believed(t testing.TB, s *prefer.Study, rater string) (out []float64) {
	t.Helper()
	b, err := s.Belief(t.Context(), prefer.Look{Rater: rater})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []space.Option{cup(0, 0), cup(0.3, 4), cup(1, 2)} {
		mean, sd, err := b.Utility(o)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, mean, sd)
	}
	return out
}

// TestContinue: a longer log of the same rater continues the shorter one, at any length and in either order; a shorter one adds nothing.
func TestContinue(t *testing.T) {
	events := together(t, prefer.Shared).Events(0)
	logs := homes(events, "anna", "ben")
	anna := logs[0].Events
	whole := lines(t, into(t, nil, logs...).Events)
	for n := 1; n < len(anna); n++ {
		short := Log{"earlier.jsonl", anna[:n]}
		if got := lines(t, into(t, nil, logs[1], short, logs[0]).Events); got != whole {
			t.Fatalf("with the first %d events of anna's as well:\n%s\nwant\n%s", n, got, whole)
		}
		study := into(t, nil, logs[1], short).Events
		m := into(t, study, logs[0])
		all := slices.Concat(study, m.Events)
		if len(m.Events) != len(anna)-n || lines(t, away(all, "anna")) != lines(t, anna) {
			t.Fatalf("after %d of their events %d are added, want %d", n, len(m.Events), len(anna)-n)
		}
		if back := into(t, all, short); len(back.Events) != 0 {
			t.Fatalf("the shorter log adds %d events", len(back.Events))
		}
	}
}

// TestRefused: what cannot be one study is refused by name.
func TestRefused(t *testing.T) {
	events := together(t, prefer.Shared).Events(0)
	anna := away(events, "anna")
	edit := func(i int, do func(*prefer.Event)) []prefer.Event {
		out := slices.Clone(anna)
		do(&out[i])
		return out
	}
	answered := slices.IndexFunc(anna, func(e prefer.Event) bool { return e.Answered != nil })
	budget := 3
	for name, c := range map[string]struct {
		events []prefer.Event
		why    error
		words  []string
	}{
		"another time":          {edit(answered, func(e *prefer.Event) { e.Time = e.Time.Add(1) }), ErrDiffers, []string{"anna.jsonl", "other.jsonl", `rater "anna"`}},
		"another choice":        {edit(answered, func(e *prefer.Event) { a := *e.Answered; a.Answer.Choice = prefer.Tie; e.Answered = &a }), ErrDiffers, []string{"anna.jsonl", "other.jsonl", `rater "anna"`, "event 3"}},
		"another response time": {edit(answered, func(e *prefer.Event) { a := *e.Answered; a.Answer.ResponseTime++; e.Answered = &a }), ErrDiffers, []string{`rater "anna"`}},
		"another seed":          {edit(0, func(e *prefer.Event) { c := *e.Created; c.Config.Seed = 9; e.Created = &c }), ErrConfig, []string{"other.jsonl", "anna.jsonl", "seed is 9, not 9223372036854775815"}},
		"another space": {edit(0, func(e *prefer.Event) {
			c := *e.Created
			c.Config.Space = space.Box(space.Float("milk", 0, 2), space.Float("sugar", 0, 5))
			e.Created = &c
		}), ErrConfig, []string{"other.jsonl", "space.params[0].high is 2, not 1"}},
		"nothing":          {nil, prefer.ErrEvents, []string{"other.jsonl"}},
		"no beginning":     {anna[1:], prefer.ErrEvents, []string{"other.jsonl"}},
		"a hole":           {slices.Delete(slices.Clone(anna), 1, 2), prefer.ErrEvents, []string{"other.jsonl", "event 3"}},
		"no such question": {edit(answered, func(e *prefer.Event) { a := *e.Answered; a.Question = "q99"; e.Answered = &a }), prefer.ErrEvents, []string{"other.jsonl", "q99"}},
	} {
		_, err := Merge(t.Context(), nil, Log{"anna.jsonl", anna}, Log{"other.jsonl", c.events})
		if !errors.Is(err, c.why) {
			t.Errorf("%s: %v, want %v", name, err, c.why)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v does not say %q", name, err, w)
			}
		}
	}
	ben, cy := away(events, "ben"), away(events, "cy")
	changed := func(log []prefer.Event) []prefer.Event {
		return append(slices.Clone(log), prefer.Event{Seq: len(log) + 1, Time: begin, Kind: "changed", Changed: &prefer.Change{Budget: &budget}})
	}
	if m := into(t, nil, Log{"ben.jsonl", changed(ben)}, Log{"cy.jsonl", changed(cy)}); m.Owners != 1 {
		t.Errorf("a change that both logs have is made %d times", m.Owners)
	}
	other := changed(cy)
	more := 4
	other[len(other)-1].Changed = &prefer.Change{Budget: &more}
	if _, err := Merge(t.Context(), nil, Log{"ben.jsonl", changed(ben)}, Log{"cy.jsonl", other}); !errors.Is(err, ErrDiffers) || !strings.Contains(err.Error(), "the owner of the study") {
		t.Errorf("two histories of the study are %v", err)
	}
	if _, err := Merge(context.Background(), nil); err == nil {
		t.Error("no logs are one")
	}
}

// TestOwner: what the owner of a running study has done to it is a border that nobody's steps cross, and Beginning is what somebody takes home.
func TestOwner(t *testing.T) {
	ctx := t.Context()
	at := begin
	tick := func() time.Time { at = at.Add(time.Second); return at }
	items := func(ids ...string) (out []space.Item) {
		for _, id := range ids {
			out = append(out, space.Item{ID: id})
		}
		return out
	}
	s, err := prefer.New(ctx, prefer.Config{Space: space.Space{Items: items("a", "b", "c")}, Now: tick})
	say := func(rater string) {
		t.Helper()
		q, askErr := s.Ask(ctx, prefer.Request{Rater: rater})
		_, tellErr := s.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First})
		if err = errors.Join(err, askErr, tellErr); err != nil {
			t.Fatal(err)
		}
	}
	say("ann")
	say("ben")
	err = errors.Join(err, s.Change(ctx, prefer.Change{Join: items("d", "e")}))
	say("ann")
	err = errors.Join(err, s.Change(ctx, prefer.Change{Leave: []string{"b"}}), s.Change(ctx, prefer.Change{Exclude: []string{"ben"}, Why: "asleep"}))
	say("ann")
	events := s.Events(0)
	logs := homes(events, "ann", "ben")
	merged := into(t, nil, logs...)
	without := slices.DeleteFunc(slices.Clone(events), func(e prefer.Event) bool { return e.Excluded != nil })
	if len(merged.Events) != len(without) || merged.Owners != 2 {
		t.Fatalf("%d events, %d of them the owner's, want %d and 2", len(merged.Events), merged.Owners, len(without))
	}
	for i, e := range merged.Events {
		if e.Kind != without[i].Kind || !e.Time.Equal(without[i].Time) {
			t.Errorf("event %d is %s of %v, want %s of %v", i+1, e.Kind, e.Time, without[i].Kind, without[i].Time)
		}
	}
	home := Beginning(events)
	if len(home) != 3 {
		t.Fatalf("somebody takes home %s", lines(t, home))
	}
	guest, err := prefer.Open(ctx, home, prefer.OpenOptions{Now: tick})
	if err != nil {
		t.Fatal(err)
	}
	q, err := guest.Ask(ctx, prefer.Request{Rater: "guest"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := guest.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.Second}); err != nil {
		t.Fatal(err)
	}
	m := into(t, events, Log{"guest.jsonl", guest.Events(0)})
	if len(m.Events) != 2 || m.Owners != 0 || m.Events[1].Answered.ID != "a5" || m.Events[0].Asked.ID != "q5" {
		t.Errorf("a guest adds %s", lines(t, m.Events))
	}
}

// TestClockBack: nobody's steps change their order where a clock goes back.
func TestClockBack(t *testing.T) {
	events := together(t, prefer.Shared).Events(0)
	anna, ben := away(events, "anna"), away(events, "ben")
	coin := rand.New(rand.NewPCG(3, 4))
	for i := range anna[1:] {
		anna[i+1].Time = begin.Add(time.Duration(coin.Int64N(int64(time.Minute))))
	}
	m := into(t, nil, Log{"ben", ben}, Log{"anna", anna})
	if got, want := lines(t, away(m.Events, "anna")), lines(t, anna); got != want {
		t.Errorf("anna has now\n%s\nwant\n%s", got, want)
	}
}

// FuzzInto: whatever two logs say, they are one study that has all of either, or refused.
func FuzzInto(f *testing.F) {
	study, err := prefer.New(f.Context(), prefer.Config{Space: space.Box(space.Float("x", 0, 1)), Now: config(prefer.Shared).Now})
	if err != nil {
		f.Fatal(err)
	}
	for i, rater := range []string{"anna", "ben", "anna", "ben"} {
		q, askErr := study.Ask(f.Context(), prefer.Request{Rater: rater, Practice: i > 1}) // none that is searched for
		id, tellErr := study.Tell(f.Context(), q.ID, prefer.Answer{Choice: prefer.First})
		if err = errors.Join(askErr, tellErr); err == nil && i == 1 {
			err = study.Undo(f.Context(), id)
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	events := study.Events(0)
	anna, ben := away(events, "anna"), away(events, "ben")
	f.Add(lines(f, anna), lines(f, ben))
	f.Add(lines(f, anna), lines(f, anna[:3]))
	f.Add(lines(f, events), lines(f, ben))
	f.Fuzz(func(t *testing.T, first, second string) {
		var logs []Log
		for i, text := range []string{first, second} {
			l := Log{Name: fmt.Sprint("log ", i)}
			for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
				e, err := prefer.ReadEvent([]byte(line))
				if err != nil {
					t.Skip()
				}
				l.Events = append(l.Events, e)
			}
			logs = append(logs, l)
		}
		m, err := Merge(context.Background(), nil, logs...)
		if err != nil {
			return
		}
		back, err := Merge(context.Background(), nil, logs[1], logs[0])
		if err != nil || lines(t, back.Events) != lines(t, m.Events) {
			t.Fatalf("the other way round: %v", err)
		}
		for _, l := range logs {
			if again, err := Merge(context.Background(), m.Events, l); err != nil || len(again.Events) != 0 {
				t.Fatalf("%s again adds %d events: %v", l.Name, len(again.Events), err)
			}
		}
	})
}
