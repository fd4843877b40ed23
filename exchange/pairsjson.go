package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
)

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
		if !utf8.Valid(raw) {
			return fmt.Errorf("exchange: pair %d is not UTF-8", n)
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

// element reads one pair: [winner, loser], {"winner":…,"loser":…} or an arena battle.
func (p *pairList) element(where string, raw []byte) error {
	d, err := p.duel(raw)
	if err != nil {
		return fmt.Errorf("exchange: %s: %w", where, err)
	}
	return p.add(where, d)
}

func (p *pairList) duel(raw []byte) (prefer.Duel, error) {
	d := prefer.Duel{Answer: prefer.Answer{Choice: prefer.First}}
	if raw = bytes.TrimSpace(raw); bytes.HasPrefix(raw, []byte("[")) {
		var ids []json.RawMessage
		if err := json.Unmarshal(raw, &ids); err != nil {
			return d, explain(err)
		}
		if len(ids) != 2 {
			return d, fmt.Errorf("%s has %d elements, want [winner, loser]", excerpt(string(raw)), len(ids))
		}
		return d, errors.Join(readOption(ids[0], "winner", &d.First), readOption(ids[1], "loser", &d.Second))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return d, explain(err)
	}
	_, battle := fields["model_a"]
	if battle {
		var name string
		if err := json.Unmarshal(fields["winner"], &name); err != nil {
			return d, fmt.Errorf("field \"winner\" is %s, want model_a, model_b, tie or tie (bothbad)", excerpt(string(fields["winner"])))
		}
		answer, err := p.battle(name)
		if err != nil {
			return d, err
		}
		d.Answer = answer
	}
	return d, p.fields(fields, battle, &d)
}

// fields reads the options and the rater of an object, and notes what it does not read.
func (p *pairList) fields(fields map[string]json.RawMessage, battle bool, d *prefer.Duel) error {
	a, b, who := "winner", "loser", "rater"
	if battle {
		a, b, who = "model_a", "model_b", "judge"
	}
	for _, side := range []struct {
		name string
		to   *prefer.Option
	}{{a, &d.First}, {b, &d.Second}} {
		if err := readOption(fields[side.name], side.name, side.to); err != nil {
			return err
		}
	}
	for name, raw := range fields {
		switch {
		case name == a, name == b, battle && name == "winner":
		case name == who:
			if string(raw) == "null" {
				continue
			}
			id, err := readID(raw)
			if err != nil {
				return fmt.Errorf("field %q: %w", who, err)
			}
			d.Rater = id
		case name == "tie" && !battle:
			var tie bool
			if err := json.Unmarshal(raw, &tie); err != nil {
				return fmt.Errorf("field \"tie\" is %s, want true or false", excerpt(string(raw)))
			}
			if tie {
				d.Answer.Choice = prefer.Tie
			}
		default:
			p.ignored[name] = true
		}
	}
	return nil
}

// readOption reads an id, or the settings of an option.
func readOption(raw json.RawMessage, name string, to *prefer.Option) error {
	if raw == nil {
		return fmt.Errorf("there is no field %q", name)
	}
	if raw[0] == '{' {
		if err := json.Unmarshal(raw, to); err != nil {
			return fmt.Errorf("field %q: %w", name, explain(err))
		}
		return nil
	}
	id, err := readID(raw)
	if err != nil {
		return fmt.Errorf("field %q: %w", name, err)
	}
	*to = prefer.ItemOption(id)
	return nil
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
	return "", fmt.Errorf("%s is no id, want a string or a whole number", excerpt(string(raw)))
}
