package chaos

import (
	"fmt"
	"time"
)

// audit holds one study's log against those who answered in it. It goes by the tables and the ledger alone.
type audit struct {
	*findings
	name  string
	given map[string]*answer // by key

	asked map[string]shown     // by question
	open  map[string]string    // the question of each rater
	kept  map[string][]int     // events, by key
	whose map[string]*answer   // by id
	back  map[string]int       // how often an answer was taken back, by id
	since map[string]time.Time // and when
}

// shown is a question as it was put to somebody.
type shown struct {
	rater   string
	options [2]string
}

// study checks a log: numbers without a gap, one open question per rater; of every acknowledged answer one, as it was
// given, in the order in which its rater gave them; none that nobody gave; and the same of answers taken back.
func (f *findings) study(s stored, given []*answer) {
	a := audit{f, s.name, map[string]*answer{}, map[string]shown{}, map[string]string{}, map[string][]int{}, map[string]*answer{}, map[string]int{}, map[string]time.Time{}}
	for _, g := range given {
		a.given[g.key] = g
	}
	if s.last != len(s.events) {
		a.violated("the row of the study says %d events, there are %d", s.last, len(s.events))
	}
	for i, e := range s.events {
		a.event(i+1, e)
	}
	latest := map[string]int{} // event of each rater's answer before
	for _, g := range given {
		switch all := a.kept[g.key]; {
		case len(all) > 1:
			a.violated("the answer %q is there %d times", g.key, len(all))
		case len(all) == 0 && g.id != "":
			a.violated("the answer %q to %s was acknowledged as %s and is not there", g.key, g.question, g.id)
		case len(all) == 1 && all[0] < latest[g.rater]:
			a.violated("%s gave the answer %q, event %d, after the one that is event %d", g.rater, g.key, all[0], latest[g.rater])
		case len(all) == 1:
			latest[g.rater] = all[0]
		}
		switch {
		case g.regret.kept && a.back[g.id] == 0:
			a.violated("that the answer %q was taken back was acknowledged and is not there", g.key)
		case g.regret.kept:
			a.heard(a.since[g.id], g.regret.sent, false)
		}
	}
}

func (a audit) violated(format string, args ...any) {
	a.findings.violated("%s: %s", a.name, fmt.Sprintf(format, args...))
}

func (a audit) event(n int, e event) {
	if e.row != n || e.Seq != n {
		a.violated("event %d is number %d, and %d in its body", n, e.row, e.Seq)
	}
	switch {
	case e.Asked != nil:
		q := e.Asked
		a.questions++
		if other := a.open[q.Rater]; other != "" {
			a.violated("%s was asked %s while %s was open", q.Rater, q.ID, other)
		}
		a.open[q.Rater] = q.ID
		a.asked[q.ID] = shown{q.Rater, [2]string{string(text(q.First)), string(text(q.Second))}}
	case e.Answered != nil:
		x := e.Answered
		q := a.asked[x.Question]
		a.answer(n, e.Time, answer{id: x.ID, question: x.Question, rater: q.rater, shown: q.options}, x.Answer)
		if a.open[q.rater] == x.Question {
			delete(a.open, q.rater)
		}
	case e.Observed != nil:
		d := e.Observed.Duel
		a.answer(n, e.Time, answer{id: e.Observed.ID, rater: d.Rater, shown: [2]string{string(text(d.First)), string(text(d.Second))}}, d.Answer)
	case e.Undone != nil:
		a.undone(n, e.Time, e.Undone.Answer)
	}
}

// answer holds one that is there against what its rater said. The log speaks of a question's first option, they of the one
// that they saw first.
func (a audit) answer(n int, at time.Time, got answer, said said) {
	a.answers++
	a.kept[said.Key] = append(a.kept[said.Key], n)
	g := a.given[said.Key]
	if g == nil {
		a.violated("event %d is an answer under the key %q, which nobody gave", n, said.Key)
		return
	}
	a.whose[got.id] = g
	got.choice = said.Choice
	if said.Swapped {
		got.shown[0], got.shown[1] = got.shown[1], got.shown[0]
		switch said.Choice {
		case "first":
			got.choice = "second"
		case "second":
			got.choice = "first"
		}
	}
	for _, field := range []struct{ name, got, want string }{
		{"rater", got.rater, g.rater}, {"question", got.question, g.question}, {"choice", got.choice, g.choice},
		{"left", got.shown[0], g.shown[0]}, {"right", got.shown[1], g.shown[1]},
	} {
		if field.got != field.want {
			a.violated("the answer %q has the %s %q, and was given as %q", said.Key, field.name, field.got, field.want)
		}
	}
	if g.id == "" {
		return
	}
	if got.id != g.id {
		a.violated("the answer %q is %s, acknowledged as %s", said.Key, got.id, g.id)
	}
	a.heard(at, g.sent, g.next)
}

func (a audit) undone(n int, at time.Time, id string) {
	a.back[id]++
	a.since[id] = at
	switch g := a.whose[id]; {
	case g == nil || !g.regret.wanted:
		a.violated("event %d takes %s back, which nobody asked for", n, id)
	case a.back[id] > 1:
		a.violated("%s is taken back %d times", id, a.back[id])
	case g.question != "":
		a.open[g.rater] = g.question // again; those they were asked since are withdrawn
	}
}
