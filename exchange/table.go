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
)

// Table writes a study as a table with one row per answer. The zero value writes answers only.
type Table struct {
	// Unanswered adds a row, with an empty choice, for every question that was never answered.
	Unanswered bool
}

// Write writes the table as comma-separated values (RFC 4180). "left" is what was shown on the left: the first option
// unless the answer says Swapped. The choice is left, right, tie, both_bad or skip, so that no reader has to know about
// first and second. docs/formats.md has the codebook.
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
		var q prefer.Question // an observed duel is one without an ID
		var answer *prefer.Answer
		undone := false
		switch {
		case e.Asked != nil && t.Unanswered && !l.answered[e.Asked.ID]:
			q = *e.Asked
		case e.Answered != nil:
			q, answer, undone = *l.questions[e.Answered.Question], &e.Answered.Answer, l.undone[e.Answered.ID]
		case e.Observed != nil:
			d := e.Observed.Duel
			q = prefer.Question{First: d.First, Second: d.Second, Rater: d.Rater}
			answer, undone = &d.Answer, l.undone[e.Observed.ID]
		default:
			continue
		}
		cells, err := l.cells(name, e, q, answer, undone)
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

// cells are those of one row; given is nil for a question without an answer.
func (l *ledger) cells(name string, e prefer.Event, q prefer.Question, given *prefer.Answer, taken bool) ([]string, error) {
	left, right := q.First, q.Second
	var answer prefer.Answer
	var choice, strength, took, learn, undone string
	if given != nil {
		answer = *given
		var err error
		if choice, err = seen(answer); err != nil {
			return nil, fmt.Errorf("exchange: event %d %w", e.Seq, err)
		}
		if answer.Swapped {
			left, right = right, left
		}
		strength = strconv.Itoa(answer.Strength)
		if d := answer.ResponseTime; d != 0 {
			took = strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64)
		}
		learn, undone = strconv.FormatBool(!answer.Check), strconv.FormatBool(taken)
	}
	cells := []string{name, cmp.Or(q.Rater, answer.Rater), answer.Session, strconv.Itoa(e.Seq), e.Time.UTC().Format(time.RFC3339Nano),
		string(q.ID), l.id(left), l.id(right)}
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
