package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// Pairs reads lists of who beat whom. The zero value takes chosen and rejected for names of options.
type Pairs struct {
	// Texts says that chosen and rejected are texts: each becomes an item that says it.
	Texts bool
}

// Read reads a table with a header, JSON Lines, or a JSON array; the first character tells which. The names of a row tell what it is: winner and loser; model_a,
// model_b and winner, an arena's battle; chosen and rejected, one or several; ranking, or rank1, rank2, …. A table of two columns without a header, and an array of arrays, are
// winners and losers. A row that could be several of these, or none, is an error that says what to write.
func (o Pairs) Read(r io.Reader) (Import, error) {
	in, err := strictjson.SkipMark(r)
	if err != nil {
		return Import{}, fail(err)
	}
	head, err := in.Peek(64) // shorter, with io.EOF, if the file is
	if err != nil && err != io.EOF {
		return Import{}, fail(err)
	}
	p := &pairList{Pairs: o, ignored: map[string]bool{}, texts: map[string]string{}}
	switch head = bytes.TrimLeft(head, " \t\r\n"); {
	case len(head) == 0 && err == io.EOF:
		return Import{}, errors.New("exchange: the list of pairs is empty")
	case bytes.HasPrefix(head, []byte("[")):
		err = fail(p.array(in))
	case bytes.HasPrefix(head, []byte("{")):
		err = fail(strictjson.EachLine(in, func(_ int, line []byte) error { return p.element(line) }))
	default:
		err = p.table(in)
	}
	if err != nil {
		return Import{}, err
	}
	return p.result()
}

// array reads a JSON array element by element: files of battles can be larger than the memory.
func (p *pairList) array(r io.Reader) error {
	var dec *json.Decoder
	dec = json.NewDecoder(&guard{r: r, consumed: func() int64 { return dec.InputOffset() }})
	if _, err := dec.Token(); err != nil {
		return strictjson.Explain(err)
	}
	n := 0
	for dec.More() {
		n++
		var raw json.RawMessage
		err := strictjson.Explain(dec.Decode(&raw))
		if err == nil {
			err = p.element(raw)
		}
		if err != nil {
			return fmt.Errorf("pair %d: %w", n, err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return fmt.Errorf("after pair %d: %w", n, strictjson.Explain(err))
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("there is more after the array of %d pairs", n)
	}
	return nil
}

// element reads one pair in JSON: [winner, loser] or an object.
func (p *pairList) element(raw []byte) error {
	if err := strictjson.Text(raw); err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	var ids []json.RawMessage
	var into any = &fields
	list := bytes.HasPrefix(bytes.TrimSpace(raw), []byte("["))
	if list {
		into = &ids
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return strictjson.Explain(err)
	}
	switch {
	case !list:
		return p.add(fields)
	case len(ids) != 2:
		return fmt.Errorf("%s has %d elements, want [winner, loser]", strictjson.Excerpt(string(raw)), len(ids))
	}
	return p.add(map[string]json.RawMessage{"winner": ids[0], "loser": ids[1]})
}

// table reads comma-separated values with a header, or two columns of ids without one. A row is what an object of its cells would be; an empty cell is null.
func (p *pairList) table(r io.Reader) error {
	t, err := newRows(r)
	if err != nil {
		return err
	}
	bare := len(t.names) == 2 && !slices.ContainsFunc(t.names, headed)
	if bare {
		t.names = []string{"winner", "loser"}
	} else if err := t.header(); err != nil {
		return err
	} else if _, err := shapeOf(t.names); err != nil {
		return fmt.Errorf("exchange: line %d: the columns are %s: %w", t.line, strictjson.Excerpt(strings.Join(t.row, ",")), err)
	}
	for more := bare || t.next(); more; more = t.next() {
		fields := make(map[string]json.RawMessage, len(t.names))
		for i, name := range t.names {
			switch cell := t.row[i]; {
			case name == "tie":
				fields[name] = tied(cell)
			case cell != "":
				fields[name], _ = json.Marshal(cell) // a string can always be written
			default:
				fields[name] = json.RawMessage("null")
			}
		}
		if err := p.add(fields); err != nil {
			return fmt.Errorf("exchange: line %d: %w", t.line, err)
		}
	}
	return t.end()
}

// tied turns a cell of the column tie into JSON; what is neither yes nor no stays a string.
func tied(cell string) json.RawMessage {
	switch strings.ToLower(strings.TrimSpace(cell)) {
	case "", "0", "false", "no":
		return json.RawMessage("false")
	case "1", "true", "yes":
		return json.RawMessage("true")
	}
	text, _ := json.Marshal(cell)
	return text
}

// pairList gathers duels and holds each against those before.
type pairList struct {
	Pairs
	duels   []prefer.Duel
	bothBad int
	several int               // rows that became more than one pair
	ignored map[string]bool   // fields that nobody reads
	texts   map[string]string // what items say, "" of one that says several things
	various bool              // some item does
}

// add reads the fields of one row, and keeps its pairs if their options are of the same sort as all others.
func (p *pairList) add(fields map[string]json.RawMessage) error {
	r := &pairRow{fields: fields, used: map[string]bool{}}
	duels := p.row(r)
	for i := 0; i < len(duels) && r.err == nil; i++ {
		r.err = p.fits(duels[i])
		p.duels = append(p.duels, duels[i])
	}
	if len(duels) > 1 {
		p.several++
	}
	return r.err
}

// pairRow is a row of a list of pairs: its fields, which of them were used, and what is wrong with the first of those that is.
type pairRow struct {
	fields map[string]json.RawMessage
	used   map[string]bool
	err    error
}

// fail notes what is wrong, unless something was before.
func (r *pairRow) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// row reads the pairs of a row. What goes with it goes with each of them.
func (p *pairList) row(r *pairRow) (duels []prefer.Duel) {
	s, err := shapeOf(slices.Collect(maps.Keys(r.fields)))
	if r.err = err; err != nil {
		return nil
	}
	more := prefer.Meta{}
	switch s {
	case winnerLoser:
		duels = r.two("winner", "loser")
	case battle:
		duels = r.two("model_a", "model_b")
		duels[0].Answer.Choice = p.winner(r)
	case chosen:
		options := p.chosenRow(r)
		for i := 1; i < len(options); i++ {
			duels = append(duels, prefer.Duel{First: options[0], Second: options[i], Answer: prefer.Answer{Choice: prefer.First}})
		}
		if len(options) > 2 {
			more["best_of"] = space.ValueOf(float64(len(options)))
		}
	case ranked:
		if order := r.ranking(); r.err == nil {
			duels, more["ranking"] = order.duels(), space.ValueOf(order.String())
		}
	}
	d := p.beside(r, s)
	for name, v := range more {
		addMeta(d.Answer.Meta, name, v) // unless there is one, or it is too long
	}
	for i := range duels {
		duels[i].Rater, duels[i].Answer.Note = d.Rater, d.Answer.Note
		if len(d.Answer.Meta) > 0 {
			duels[i].Answer.Meta = maps.Clone(d.Answer.Meta)
		}
		if d.Answer.Choice == prefer.Tie {
			if len(duels) > 1 {
				r.fail("field \"tie\" is true of %d options, want two, or a ranking with \"=\"", len(duels)+1)
			}
			duels[i].Answer.Choice = prefer.Tie
		}
	}
	return duels
}

// two reads a pair of options, the first of which won.
func (r *pairRow) two(first, second string) []prefer.Duel {
	return []prefer.Duel{{First: r.option(first), Second: r.option(second), Answer: prefer.Answer{Choice: prefer.First}}}
}

// winner turns the winner of an arena battle into an answer about a and b.
func (p *pairList) winner(r *pairRow) prefer.Choice {
	raw := r.fields["winner"]
	if r.used["winner"] = true; raw == nil {
		r.fail("there is no field \"winner\"")
	}
	switch name, _ := readID(raw); name {
	case "model_a":
		return prefer.First
	case "model_b":
		return prefer.Second
	case "tie":
		return prefer.Tie
	case "tie (bothbad)", "bothbad", "both_bad":
		p.bothBad++ // an observed duel knows no both bad: that speaks of the incumbent at the time
		return prefer.Tie
	}
	r.fail("field \"winner\" is %s, want model_a, model_b, tie or tie (bothbad)", strictjson.Excerpt(strings.Trim(string(raw), `"`)))
	return ""
}

// fits reports options of another sort than those before: items, or settings of the same parameters.
func (p *pairList) fits(d prefer.Duel) error {
	reference := d.First
	if len(p.duels) > 0 {
		reference = p.duels[0].First
	}
	for _, o := range []space.Option{d.First, d.Second} {
		switch isItem, wantItem := o.Item() != "", reference.Item() != ""; {
		case isItem != wantItem:
			return fmt.Errorf("%s is of another sort than %s; a list has ids or settings, not both", strictjson.Excerpt(o.String()), strictjson.Excerpt(reference.String()))
		case isItem && len(o) == 1 && len(reference) == 1:
		case len(o) == 0:
			return errors.New("an option has no settings")
		default:
			if name, yes := differing(o, reference); yes {
				return fmt.Errorf("%q is set in some options but not in others", name)
			}
		}
	}
	if id := d.First.Item(); id != "" && maps.Equal(d.First, d.Second) {
		return fmt.Errorf("%q is compared with itself", id)
	}
	return nil
}

func (p *pairList) result() (Import, error) {
	if len(p.duels) == 0 {
		return Import{}, errors.New("exchange: the list has no pairs")
	}
	im := Import{Duels: p.duels, Notes: ignored(slices.Collect(maps.Keys(p.ignored)))}
	if p.bothBad > 0 {
		im.Notes = append(im.Notes, fmt.Sprintf("%d pairs where both were bad count as ties", p.bothBad))
	}
	if p.several > 0 {
		im.Notes = append(im.Notes, fmt.Sprintf("%d rows of more than two options became pairs, which are not independent: the study will be surer than it should", p.several))
	}
	if p.various {
		im.Notes = append(im.Notes, "options that say one thing here and another there have no text")
	}
	first := p.duels[0].First
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(first)), func(name string) bool { return first.Item() != "" && name == "item" })
	if len(names) > 0 {
		if err := im.span(names); err != nil {
			return Import{}, err
		}
	}
	if first.Item() == "" {
		return im, nil
	}
	im.items(p.texts)
	im.noteGroups()
	return im, nil
}

// option reads a field that is an option.
func (r *pairRow) option(name string) space.Option {
	r.used[name] = true
	return r.read(name, r.fields[name])
}

// read reads an option from what a field of this name says: its settings, or an id.
func (r *pairRow) read(name string, raw json.RawMessage) (o space.Option) {
	switch {
	case !given(raw):
		r.fail("there is no field %q, or it is empty", name)
	case raw[0] == '{':
		if err := json.Unmarshal(raw, &o); err != nil {
			r.fail("field %q: %w", name, strictjson.Explain(err))
		}
	default:
		o = space.ItemOption(r.id(fmt.Sprintf("field %q", name), raw))
	}
	return o
}

// id reads the id at a place of the row.
func (r *pairRow) id(at string, raw json.RawMessage) string {
	id, err := readID(raw)
	if err != nil {
		r.fail("%s: %w", at, err)
	}
	return id
}

// readID reads the id of an item or a rater: a string or a whole number.
func readID(raw json.RawMessage) (string, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil && s != "" {
		return s, nil
	}
	if digits := strings.TrimPrefix(string(raw), "-"); digits != "" && strings.Trim(digits, "0123456789") == "" {
		return string(raw), nil
	}
	return "", fmt.Errorf("%s is not an id, want a string or a whole number", strictjson.Excerpt(string(raw)))
}
