package exchange

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
)

// Table writes a study as a table with one row per answer. The zero value writes answers only.
type Table struct {
	// Unanswered adds a row, with an empty choice, for every question that was never answered.
	Unanswered bool
}

// WriteTable writes one row per answer as comma-separated values (RFC 4180): Table{}.Write.
func WriteTable(w io.Writer, name string, events []prefer.Event) error {
	return Table{}.Write(w, name, events)
}

// Write writes the table. "left" is what was shown on the left: the first option unless the answer says
// Swapped. The choice is left, right, tie, both_bad or skip, so that no reader has to know about first and
// second. docs/formats.md has the codebook.
func (t Table) Write(w io.Writer, name string, events []prefer.Event) error {
	if len(events) == 0 || events[0].Created == nil {
		return errors.New("exchange: the log does not begin with \"created\"")
	}
	l, err := survey(events)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	header := []string{"study", "rater", "session", "seq", "time", "question_id", "left_id", "right_id"}
	for _, side := range []string{"left.", "right."} {
		for _, c := range l.columns {
			header = append(header, side+c)
		}
	}
	writeRow(out, append(header, "choice", "strength", "rt_ms", "is_repeat_of", "is_catch", "learn", "undone"))
	for _, e := range events {
		var r row
		switch {
		case e.Asked != nil:
			if !t.Unanswered || l.answered[e.Asked.ID] {
				continue
			}
			r = row{question: *e.Asked}
		case e.Answered != nil:
			r = row{question: *l.questions[e.Answered.Question], answer: e.Answered.Answer, given: true, undone: l.undone[e.Answered.ID]}
		case e.Observed != nil:
			d := e.Observed.Duel
			r = row{question: prefer.Question{First: d.First, Second: d.Second, Rater: d.Rater}, answer: d.Answer, given: true,
				undone: l.undone[e.Observed.ID]}
		default:
			continue
		}
		cells, err := l.cells(name, e, r)
		if err != nil {
			return err
		}
		writeRow(out, cells)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	return nil
}

// row is what one line of the table tells. An observed duel is a question without an ID.
type row struct {
	question prefer.Question
	answer   prefer.Answer
	given    bool // there is an answer
	undone   bool
}

// ledger is what the rows of a log refer to.
type ledger struct {
	columns   []string // of one option
	items     map[string]prefer.Item
	questions map[prefer.QuestionID]*prefer.Question
	answered  map[prefer.QuestionID]bool
	undone    map[prefer.AnswerID]bool
	ids       map[string]string // options by content, in order of first appearance
}

// survey goes through a log once: which columns there are, and what became of questions and answers.
func survey(events []prefer.Event) (*ledger, error) {
	l := &ledger{items: map[string]prefer.Item{}, questions: map[prefer.QuestionID]*prefer.Question{}, answered: map[prefer.QuestionID]bool{},
		undone: map[prefer.AnswerID]bool{}, ids: map[string]string{}}
	space := events[0].Created.Config.Space
	list := slices.Clone(space.Items)
	for _, e := range events {
		switch {
		case e.Joined != nil:
			list = append(list, e.Joined.Items...)
		case e.Asked != nil:
			l.questions[e.Asked.ID] = e.Asked
			l.meet(e.Asked.First, e.Asked.Second)
		case e.Answered != nil:
			if l.questions[e.Answered.Question] == nil {
				return nil, fmt.Errorf("exchange: event %d answers question %q, which was not asked before", e.Seq, e.Answered.Question)
			}
			l.answered[e.Answered.Question] = true
		case e.Observed != nil:
			l.meet(e.Observed.Duel.First, e.Observed.Duel.Second)
		case e.Undone != nil:
			l.undone[e.Undone.Answer] = true
		}
	}
	for _, p := range space.Parameters {
		l.columns = append(l.columns, p.Name)
	}
	if len(list) > 0 {
		features := map[string]bool{}
		for _, item := range list {
			l.items[item.ID] = item
			for f := range item.Features {
				features[f] = true
			}
		}
		if features["item"] {
			return nil, fmt.Errorf("exchange: a feature is called %q, which is the name of the column of item ids", "item")
		}
		l.columns = append([]string{"item"}, slices.Sorted(maps.Keys(features))...)
	}
	return l, nil
}

// meet gives options their ids o1, o2, … in order of first appearance; an item has one already.
func (l *ledger) meet(options ...prefer.Option) {
	for _, o := range options {
		if key := content(o); l.ids[key] == "" {
			l.ids[key] = "o" + strconv.Itoa(len(l.ids)+1)
		}
	}
}

func (l *ledger) id(o prefer.Option) string {
	if id := o.Item(); id != "" {
		return id
	}
	return l.ids[content(o)]
}

// content is the same for equal options only: a word is told from the number it looks like.
func content(o prefer.Option) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(o)) {
		fmt.Fprintf(&b, "%q %s %q,", name, kindOf(o[name]), o[name].String())
	}
	return b.String()
}

// settings are the cells of one option.
func (l *ledger) settings(o prefer.Option) []string {
	item, isItem := l.items[o.Item()]
	cells := make([]string, len(l.columns))
	for i, c := range l.columns {
		v, ok := o[c]
		if !ok && isItem {
			v, ok = item.Features[c]
		}
		if ok {
			cells[i] = v.String()
		}
	}
	return cells
}

// seen returns a choice as the rater saw it: left, right, or what speaks of no side.
func seen(a prefer.Answer) (string, error) {
	var names []string
	for _, c := range prefer.Choices() {
		switch {
		case c.Choice != a.Choice:
			names = append(names, string(c.Choice))
		case c.Side == 0:
			return string(c.Choice), nil
		case (c.Side > 0) != a.Swapped:
			return "left", nil
		default:
			return "right", nil
		}
	}
	return "", fmt.Errorf("has choice %q, want one of %s", a.Choice, strings.Join(names, ", "))
}

func (l *ledger) cells(name string, e prefer.Event, r row) ([]string, error) {
	left, right := r.question.First, r.question.Second
	if r.answer.Swapped {
		left, right = right, left
	}
	var choice, strength, took, learn, undone string
	if r.given {
		var err error
		if choice, err = seen(r.answer); err != nil {
			return nil, fmt.Errorf("exchange: event %d %w", e.Seq, err)
		}
		strength = strconv.Itoa(r.answer.Strength)
		if d := r.answer.ResponseTime; d != 0 {
			took = strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64)
		}
		learn, undone = strconv.FormatBool(!r.answer.Check), strconv.FormatBool(r.undone)
	}
	rater := r.question.Rater
	if rater == "" {
		rater = r.answer.Rater
	}
	q := r.question
	cells := []string{name, rater, r.answer.Session, strconv.Itoa(e.Seq), e.Time.UTC().Format(time.RFC3339Nano), string(q.ID), l.id(left), l.id(right)}
	cells = append(append(cells, l.settings(left)...), l.settings(right)...)
	return append(cells, choice, strength, took, string(q.RepeatOf), strconv.FormatBool(q.Catch), learn, undone), nil
}

// writeRow writes one row. encoding/csv is not used: with CRLF, which RFC 4180 wants, it changes line ends
// inside cells too. A failed write shows in Flush.
func writeRow(w *bufio.Writer, cells []string) {
	for i, c := range cells {
		if i > 0 {
			w.WriteByte(',')
		}
		if strings.ContainsAny(c, "\",\r\n") {
			c = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
		}
		w.WriteString(c)
	}
	w.WriteString("\r\n")
}
