package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/exact"
)

// ReadPairs reads a list of who beat whom: a table with the columns winner and loser (rater and tie if there
// are any), or model_a, model_b and winner, or just two columns of ids; JSON Lines of
// {"winner":…,"loser":…}, where both are ids or both are settings; or a JSON array of [winner, loser] or of
// battles {"model_a":…,"model_b":…,"winner":…,"judge":…}. The first character tells which.
func ReadPairs(r io.Reader) (Import, error) {
	in, err := skipMark(r)
	if err != nil {
		return Import{}, err
	}
	head, err := in.Peek(64) // shorter, with io.EOF, if the file is
	if err != nil && err != io.EOF {
		return Import{}, fmt.Errorf("exchange: %w", err)
	}
	p := &pairList{ignored: map[string]bool{}}
	switch head = bytes.TrimLeft(head, " \t\r\n"); {
	case len(head) == 0 && err == io.EOF:
		return Import{}, errors.New("exchange: the list of pairs is empty")
	case bytes.HasPrefix(head, []byte("[")):
		err = p.array(in)
	case bytes.HasPrefix(head, []byte("{")):
		err = p.lines(in)
	default:
		err = p.table(in)
	}
	if err != nil {
		return Import{}, err
	}
	return p.result()
}

// lines reads one JSON object per line.
func (p *pairList) lines(r io.Reader) error {
	in, err := newLines(r)
	if err != nil {
		return err
	}
	for in.next() {
		if err := p.element(fmt.Sprintf("line %d", in.n), in.text); err != nil {
			return err
		}
	}
	return in.end()
}

// array reads a JSON array element by element: files of battles can be larger than the memory.
func (p *pairList) array(r io.Reader) error {
	var dec *json.Decoder
	dec = json.NewDecoder(&guard{r: r, consumed: func() int64 { return dec.InputOffset() }})
	if _, err := dec.Token(); err != nil {
		return fmt.Errorf("exchange: %w", explain(err))
	}
	n := 0
	for dec.More() {
		n++
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return fmt.Errorf("exchange: pair %d: %w", n, explain(err))
		}
		if err := p.element(fmt.Sprintf("pair %d", n), raw); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return fmt.Errorf("exchange: after pair %d: %w", n, explain(err))
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("exchange: there is more after the array of %d pairs", n)
	}
	return nil
}

// element reads one pair in JSON: [winner, loser] or an object.
func (p *pairList) element(where string, raw []byte) error {
	if err := exact.Text(raw); err != nil {
		return fmt.Errorf("exchange: %s: %w", where, err)
	}
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil {
			return fmt.Errorf("exchange: %s: %w", where, explain(err))
		}
		return p.add(where, fields)
	}
	var ids []json.RawMessage
	if err := json.Unmarshal(raw, &ids); err != nil {
		return fmt.Errorf("exchange: %s: %w", where, explain(err))
	}
	if len(ids) != 2 {
		return fmt.Errorf("exchange: %s: %s has %d elements, want [winner, loser]", where, excerpt(string(raw)), len(ids))
	}
	return p.add(where, map[string]json.RawMessage{"winner": ids[0], "loser": ids[1]})
}

// table reads comma-separated values with a header, or two columns of ids without one. A row is what an object of
// its cells would be; an empty cell is null.
func (p *pairList) table(r io.Reader) error {
	t, err := newRows(r)
	if err != nil {
		return err
	}
	has := func(name string) bool { return slices.Contains(t.names, name) }
	bare := len(t.names) == 2 && !has("winner") && !has("loser")
	switch {
	case bare:
		t.names = []string{"winner", "loser"}
	case !has("winner") || !has("loser") && !(has("model_a") && has("model_b")):
		return fmt.Errorf("exchange: line %d: the columns are %s; want winner and loser, or model_a, model_b and winner, or two columns of ids",
			t.line, excerpt(strings.Join(t.row, ",")))
	default:
		if err := t.header(); err != nil {
			return err
		}
	}
	for more := bare || t.next(); more; more = t.next() {
		where := fmt.Sprintf("line %d", t.line)
		fields := make(map[string]json.RawMessage, len(t.names))
		for i, name := range t.names {
			switch cell := t.row[i]; {
			case name == "tie":
				fields[name] = tied(cell)
			case cell != "":
				fields[name], _ = json.Marshal(cell) // a string can always be written
			case name == "winner", name == "loser", name == "model_a", name == "model_b":
				return fmt.Errorf("exchange: %s: column %d, %q, is empty", where, i+1, name)
			default:
				fields[name] = json.RawMessage("null")
			}
		}
		if err := p.add(where, fields); err != nil {
			return err
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
