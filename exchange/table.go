package exchange

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Table writes a study as a table with one row per answer. The zero value writes answers only.
type Table struct {
	// Unanswered adds a row, with an empty choice, for every question that was never answered.
	Unanswered bool
}

// Write writes the table as comma-separated values (RFC 4180). "left" is what was shown on the left: the first option unless the answer says Swapped. The
// choice is left, right, or the name of an answer that prefers neither, so that no reader has to know about first and second. docs/reference/formats.md has the codebook.
func (t Table) Write(w io.Writer, name string, events []prefer.Event) error {
	l, rows, err := answers(events, t.Unanswered)
	if err != nil {
		return err
	}
	return newRecords(rows, func(r tableRow) record { return l.row(name, r) }).Write(w)
}

// answers returns what a log says of its answers, in their order, and if wanted also of questions without one.
func answers(events []prefer.Event, unanswered bool) (*ledger, []tableRow, error) {
	if len(events) == 0 || events[0].Created == nil {
		return nil, nil, errors.New("exchange: the log does not begin with \"created\"")
	}
	l, err := survey(events)
	if err != nil {
		return nil, nil, err
	}
	var rows []tableRow
	for _, e := range events {
		row := tableRow{event: e, answered: true}
		switch {
		case e.Asked != nil && unanswered && !l.answered[e.Asked.ID]:
			row.question, row.answered = *e.Asked, false
		case e.Answered != nil:
			row.question, row.answer, row.undone = *l.asked[e.Answered.Question].Asked, e.Answered.Answer, l.undone[e.Answered.ID]
		case e.Observed != nil:
			d := e.Observed.Duel
			row.question, row.answer, row.undone = prefer.Question{First: d.First, Second: d.Second, Rater: d.Rater}, d.Answer, l.undone[e.Observed.ID]
		default:
			continue
		}
		if row.answered {
			if row.choice, err = seen(row.answer); err != nil {
				return nil, nil, fmt.Errorf("exchange: event %d %w", e.Seq, err)
			}
		}
		rows = append(rows, row)
	}
	return l, rows, nil
}

// ledger is what the rows of a log refer to.
type ledger struct {
	optionColumns
	asked    map[prefer.QuestionID]prefer.Event
	noted    bool     // some answer has a note
	uploaded bool     // some answer has an origin
	meta     []string // names that some answer has something under, sorted
	fixed    []string // parameters that some question had as a condition, in the order of the space
	answered map[prefer.QuestionID]bool
	undone   map[prefer.AnswerID]bool
	ids      map[string]string // options by content, in order of first appearance
}

// survey goes through a log once: which columns there are, and what became of questions and answers.
func survey(events []prefer.Event) (*ledger, error) {
	l := &ledger{asked: map[prefer.QuestionID]prefer.Event{}, answered: map[prefer.QuestionID]bool{}, undone: map[prefer.AnswerID]bool{}, ids: map[string]string{}}
	fixed, meta := space.Option{}, prefer.Meta{} // of all together: their names count
	beside := func(a prefer.Answer) {
		l.noted = l.noted || a.Note != ""
		maps.Copy(meta, a.Meta)
	}
	sp := events[0].Created.Config.Space
	list := slices.Clone(sp.Items)
	for _, e := range events {
		l.uploaded = l.uploaded || e.Origin != ""
		switch {
		case e.Joined != nil:
			for _, it := range e.Joined.Items {
				if !slices.ContainsFunc(list, func(was space.Item) bool { return was.ID == it.ID }) { // else it came back
					list = append(list, it)
				}
			}
		case e.Asked != nil:
			l.asked[e.Asked.ID] = e
			maps.Copy(fixed, e.Asked.Fixed)
			l.meet(e.Asked.First, e.Asked.Second)
		case e.Answered != nil:
			if l.asked[e.Answered.Question].Asked == nil {
				return nil, fmt.Errorf("exchange: event %d answers question %q, which was not asked before", e.Seq, e.Answered.Question)
			}
			l.answered[e.Answered.Question] = true
			beside(e.Answered.Answer)
		case e.Observed != nil:
			l.meet(e.Observed.Duel.First, e.Observed.Duel.Second)
			beside(e.Observed.Duel.Answer)
		case e.Undone != nil:
			l.undone[e.Undone.Answer] = true
		}
	}
	for _, p := range sp.Parameters {
		if _, ok := fixed[p.Name]; ok {
			l.fixed = append(l.fixed, p.Name)
		}
	}
	l.meta = slices.Sorted(maps.Keys(meta))
	var err error
	l.optionColumns, err = newOptionColumns(sp, list)
	return l, err
}

// meet gives options their ids o1, o2, … in order of first appearance; an item alone has one already.
func (l *ledger) meet(options ...space.Option) {
	for _, o := range options {
		if key := content(o); l.ids[key] == "" {
			l.ids[key] = "o" + strconv.Itoa(len(l.ids)+1)
		}
	}
}

func (l *ledger) id(o space.Option) string {
	if id := o.Item(); id != "" && len(o) == 1 {
		return id
	}
	return l.ids[content(o)]
}

// content is the same for equal options only: a word is told from the number it looks like.
func content(o space.Option) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(o)) {
		fmt.Fprintf(&b, "%q %s %q,", name, kindOf(o[name]), o[name].String())
	}
	return b.String()
}

// seen returns a choice as the rater saw it: left, right, or what speaks of no side.
func seen(a prefer.Answer) (string, error) {
	all := prefer.Choices()
	i := slices.IndexFunc(all, func(c prefer.ChoiceInfo) bool { return c.Choice == a.Choice })
	switch {
	case i < 0:
		names := xslices.Map(all, func(c prefer.ChoiceInfo) string { return string(c.Choice) })
		return "", fmt.Errorf("has choice %q, want one of %s", a.Choice, strings.Join(names, ", "))
	case all[i].Side == 0:
		return string(a.Choice), nil
	case (all[i].Side > 0) != a.Swapped:
		return "left", nil
	}
	return "right", nil
}

// tableRow is an answer, or a question without one.
type tableRow struct {
	event    prefer.Event
	question prefer.Question // of an observed duel one without an ID
	answered bool
	answer   prefer.Answer
	choice   string // as the rater saw it
	undone   bool
}

// sides are the options as the rater saw them.
func (t tableRow) sides() (left, right space.Option) {
	if t.answer.Swapped {
		return t.question.Second, t.question.First
	}
	return t.question.First, t.question.Second
}

// row has the columns of old first, so that who reads them by number still can.
func (l *ledger) row(name string, t tableRow) (r record) {
	q, a := t.question, t.answer
	left, right := t.sides()
	at, wasAsked := l.asked[q.ID]
	r.add("study", true, name)
	r.add("rater", true, cmp.Or(q.Rater, a.Rater))
	r.add("session", true, a.Session)
	r.add("seq", true, t.event.Seq)
	r.add("time", true, moment(t.event.Time))
	r.add("question_id", true, q.ID)
	r.add("left_id", true, l.id(left))
	r.add("right_id", true, l.id(right))
	for _, side := range []struct {
		name   string
		option space.Option
	}{{"left.", left}, {"right.", right}} {
		for i, v := range l.values(side.option) {
			r.add(side.name+l.names[i], true, v)
		}
	}
	r.add("choice", true, t.choice)
	r.add("strength", t.answered, a.Strength)
	r.add("rt_ms", a.ResponseTime != 0, strconv.FormatFloat(float64(a.ResponseTime)/float64(time.Millisecond), 'f', -1, 64))
	r.add("is_repeat_of", true, q.RepeatOf)
	r.add("is_catch", true, q.Catch)
	r.add("learn", t.answered, !a.Check)
	r.add("undone", t.answered, t.undone)
	r.add("method", true, q.Method)
	r.add("asked", wasAsked, moment(at.Time))
	r.add("partial", wasAsked, q.Partial)
	r.add("refused", t.answered, a.Refused)
	for _, p := range l.fixed {
		v, given := q.Fixed[p]
		r.add("fixed."+p, given, v)
	}
	if l.noted {
		r.add("note", t.answered, a.Note)
	}
	for _, name := range l.meta {
		v, given := a.Meta[name]
		r.add(metaPrefix+name, given, v)
	}
	if l.uploaded {
		r.add("origin", true, t.event.Origin)
	}
	return r
}

func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// writeRow writes one row, in which no spreadsheet finds anything to run. encoding/csv is not used: with CRLF, which RFC 4180 wants, it changes line ends
// inside cells too. A failed write shows in Flush.
func writeRow(w *bufio.Writer, cells []string) {
	for i, c := range cells {
		if i > 0 {
			w.WriteByte(',')
		}
		if c = Cell(c); strings.ContainsAny(c, "\",\r\n") {
			c = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
		}
		w.WriteString(c)
	}
	w.WriteString("\r\n")
}

// optionColumns are the columns of one option: "item" where there is a list, parameters in the order of the space, and the item's features by name.
type optionColumns struct {
	names []string
	items map[string]space.Item
}

func newOptionColumns(sp space.Space, items []space.Item) (optionColumns, error) {
	out := optionColumns{items: map[string]space.Item{}}
	parameters := xslices.Map(sp.Parameters, func(p space.Parameter) string { return p.Name })
	if len(items) == 0 {
		out.names = parameters
		return out, nil
	}
	features := map[string]space.Value{} // of all together: their names count
	for _, item := range items {
		out.items[item.ID] = item
		maps.Copy(features, item.Features)
	}
	if _, clash := features["item"]; clash {
		return out, fmt.Errorf("exchange: a feature is called %q, which is the name of the column of item ids", "item")
	}
	for _, name := range parameters {
		if _, clash := features[name]; clash {
			return out, fmt.Errorf("exchange: %q is both a parameter and a feature of items, which would be one column", name)
		}
	}
	out.names = slices.Concat([]string{"item"}, parameters, slices.Sorted(maps.Keys(features)))
	return out, nil
}

// values are the cells of one option; nil where it has none.
func (c optionColumns) values(o space.Option) []any {
	item, isItem := c.items[o.Item()]
	cells := make([]any, len(c.names))
	for i, name := range c.names {
		v, ok := o[name]
		if !ok && isItem {
			v, ok = item.Features[name]
		}
		if ok {
			cells[i] = v
		}
	}
	return cells
}
