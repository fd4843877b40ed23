package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/strictjson"
)

// Pairs reads lists of who beat whom. The zero value takes chosen and rejected for names of options.
type Pairs struct {
	// Texts says that chosen and rejected are texts: each becomes an item that says it.
	Texts bool
}

// ReadPairs reads a list of pairs whose options have names or settings.
func ReadPairs(r io.Reader) (Import, error) { return Pairs{}.Read(r) }

// Read reads a table with a header, JSON Lines, or a JSON array; the first character tells which. The names of a row tell what it is: winner and loser; model_a,
// model_b and winner, an arena's battle; chosen and rejected, one or several; ranking, or rank1, rank2, …. A table of two columns without a header, and an array of arrays, are
// winners and losers. A row that could be several of these, or none, is an error that says what to write.
func (o Pairs) Read(r io.Reader) (Import, error) {
	in, err := skipMark(r)
	if err != nil {
		return Import{}, err
	}
	head, err := in.Peek(64) // shorter, with io.EOF, if the file is
	if err != nil && err != io.EOF {
		return Import{}, fmt.Errorf("exchange: %w", err)
	}
	p := &pairList{Pairs: o, ignored: map[string]bool{}, texts: map[string]string{}}
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
	if err := strictjson.Text(raw); err != nil {
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

// needed are columns in which no cell is empty.
var needed = []string{"winner", "loser", "model_a", "model_b", "chosen", "rejected", "chosen_id", "rejected_id", "chosen_model", "rejected_model", "ranking", "rank1", "rejected1"}

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
		return fmt.Errorf("exchange: line %d: the columns are %s: %w", t.line, excerpt(strings.Join(t.row, ",")), err)
	}
	names := slices.ContainsFunc(naming, func(n [2]string) bool { return slices.Contains(t.names, n[0]) }) // so that chosen is a text, and may be none
	for more := bare || t.next(); more; more = t.next() {
		where := fmt.Sprintf("line %d", t.line)
		fields := make(map[string]json.RawMessage, len(t.names))
		for i, name := range t.names {
			switch cell := t.row[i]; {
			case name == "tie":
				fields[name] = tied(cell)
			case cell != "":
				fields[name], _ = json.Marshal(cell) // a string can always be written
			case slices.Contains(needed, name) && !(names && (name == "chosen" || name == "rejected")):
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
