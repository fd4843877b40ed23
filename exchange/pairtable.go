package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// PairTable writes the answers of a study as others keep theirs: what was chosen over what, or battles of an arena. Pairs reads both.
type PairTable struct {
	// Battles has a row for every pair, with model_a on the left; otherwise rows have chosen and rejected, and ties have none.
	Battles bool
	// CSV writes comma-separated values, which have no place for settings; otherwise JSON Lines.
	CSV bool
}

// LeftOut counts answers that have no row.
type LeftOut struct {
	Ties, BothBad, Skips int // that have no winner; battles have all but skips
	Checks               int // practice, catch questions and blind duels, which teach nothing
	Undone               int
}

// String says what is missing, "" if nothing is.
func (l LeftOut) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{l.Ties, "ties"}, {l.BothBad, "of both bad"}, {l.Skips, "skipped"}, {l.Checks, "to check somebody or the pick"}, {l.Undone, "taken back"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprint(p.n, " ", p.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "answers left out: " + strings.Join(parts, ", ")
}

// Write writes the rows in the order of the answers, and says what has none.
func (t PairTable) Write(w io.Writer, events []prefer.Event) (out LeftOut, err error) {
	l, all, err := answers(events, false)
	if err != nil {
		return out, err
	}
	if t.CSV && len(events[0].Created.Config.Space.Parameters) > 0 {
		return out, errors.New("exchange: this table has no place for the settings of options; take it as JSON Lines, or the table of answers (csv)")
	}
	var rows []tableRow
	for _, r := range all {
		switch choice := prefer.Choice(r.choice); {
		case r.undone:
			out.Undone++
		case r.answer.Check || r.question.Catch:
			out.Checks++
		case choice == prefer.Skip:
			out.Skips++
		case choice == prefer.BothBad && !t.Battles:
			out.BothBad++
		case r.choice != "left" && r.choice != "right" && !t.Battles:
			out.Ties++
		default:
			rows = append(rows, r)
		}
	}
	records := newRecords(rows, func(r tableRow) record { return t.row(l, r) })
	if t.CSV {
		return out, records.Write(w)
	}
	return out, records.lines(w)
}

func (t PairTable) row(l *ledger, p tableRow) (r record) {
	a := p.answer
	left, right := p.sides()
	rater := cmp.Or(p.question.Rater, a.Rater)
	if t.Battles {
		winner := cmp.Or(map[string]string{"left": "model_a", "right": "model_b", string(prefer.BothBad): "tie (bothbad)"}[p.choice], "tie")
		r.add("model_a", true, optionName(left))
		r.add("model_b", true, optionName(right))
		r.add("winner", true, winner)
		r.add("judge", true, rater)
	} else {
		chosen, rejected := left, right
		if p.choice == "right" {
			chosen, rejected = right, left
		}
		says := func(o space.Option) any { return l.items[o.Item()].Text }
		apart := l.says() || l.asks()
		if !apart {
			says = optionName
		}
		if !apart || l.says() {
			r.add("chosen", true, says(chosen))
			r.add("rejected", true, says(rejected))
		}
		if apart {
			r.add("chosen_id", true, optionName(chosen))
			r.add("rejected_id", true, optionName(rejected))
		}
		r.add("rater", true, rater)
	}
	if l.noted {
		r.add("note", true, a.Note)
	}
	for _, name := range l.meta {
		v, given := a.Meta[name]
		r.add(pairColumn(name), given, v)
	}
	return r
}

func optionName(o space.Option) any {
	if id := o.Item(); id != "" && len(o) == 1 {
		return id
	}
	return o
}

// says reports whether items have texts, which are then told apart from their names.
func (l *ledger) says() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(l.items)), func(it space.Item) bool { return it.Text != "" })
}

// asks reports whether answers about items have what they were answers to, beside which a name could be taken for a text.
func (l *ledger) asks() bool {
	return len(l.items) > 0 && slices.ContainsFunc(l.meta, func(name string) bool { return slices.Contains(asked, name) })
}

// pairColumn names the column of what goes with an answer under this name: itself, so that it is read as it was, or if that would mean something else one under "meta.".
func pairColumn(name string) string {
	known := []string{"winner", "loser", "tie", "rater", "judge", "note", "meta"}
	if slices.Contains(known, name) || strings.HasPrefix(name, metaPrefix) || slices.ContainsFunc(shapes, func(s shapeNames) bool { return s.tells(name) }) {
		return metaPrefix + name
	}
	return name
}
