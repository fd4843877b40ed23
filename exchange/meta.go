package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// metaPrefix begins the columns that hold prefer.Answer.Meta by name.
const metaPrefix = "meta."

// MetaValue reads what goes with an answer from a text, a cell or a command line: a decimal number, true or false, or else the word.
func MetaValue(text string) space.Value {
	return values([]string{text})[0]
}

// readBeside reads a field of a pair that goes with its answer, "note", "meta" or "meta.NAME"; known is false of any other.
func readBeside(a *prefer.Answer, name string, raw json.RawMessage) (known bool, err error) {
	of, column := strings.CutPrefix(name, metaPrefix)
	known = name == "note" || name == "meta" || column && of != ""
	if !known || string(raw) == "null" {
		return known, nil
	}
	meta := prefer.Meta{}
	switch {
	case name == "note":
		err = json.Unmarshal(raw, &a.Note)
	case name == "meta":
		err = json.Unmarshal(raw, &meta)
	default:
		var v space.Value
		err = json.Unmarshal(raw, &v)
		if word, ok := v.Any().(string); ok && word != "" {
			v = MetaValue(word)
		}
		meta[of] = v
	}
	if err != nil {
		return known, fmt.Errorf("field %q is %s, want %s", name, strictjson.Excerpt(string(raw)), map[bool]string{
			true: "a text", false: "numbers, words, true or false by name"}[name == "note"])
	}
	if a.Meta == nil && len(meta) > 0 {
		a.Meta = prefer.Meta{}
	}
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		if _, twice := a.Meta[key]; twice {
			return known, fmt.Errorf("meta %q is given twice, in \"meta\" and in %q", key, metaPrefix+key)
		}
		a.Meta[key] = meta[key]
	}
	return known, nil
}

// beside reads what a row has beside its options: who answered, a tie, a note, and by name what goes with the answer.
func (p *pairList) beside(fields map[string]json.RawMessage, used map[string]bool, s shape) (d prefer.Duel, err error) {
	d.Answer.Meta = prefer.Meta{}
	if given(fields["rater"]) && given(fields["judge"]) {
		return d, errors.New("it has \"rater\" as well as \"judge\", and either could be who answered; leave one of them out")
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		raw := fields[name]
		switch {
		case used[name]:
		case name == "rater", name == "judge":
			if string(raw) == "null" {
				continue
			}
			if d.Rater, err = readID(raw); err != nil {
				return d, fmt.Errorf("field %q: %w", name, err)
			}
		case name == "tie" && (s == winnerLoser || s == chosen):
			var tie bool
			if err := json.Unmarshal(raw, &tie); err != nil {
				return d, fmt.Errorf("field \"tie\" is %s, want true or false", strictjson.Excerpt(strings.Trim(string(raw), `"`)))
			}
			if tie {
				d.Answer.Choice = prefer.Tie
			}
		default:
			known, err := readBeside(&d.Answer, name, raw)
			if err != nil {
				return d, err
			}
			if !known && !p.keep(d.Answer.Meta, name, raw) {
				p.ignored[name] = true
			}
		}
	}
	return d, nil
}

// keep keeps a field under its own name if it is one value that goes with an answer. Nothing is nothing to keep.
func (p *pairList) keep(m prefer.Meta, name string, raw json.RawMessage) bool {
	if !given(raw) {
		return true
	}
	var v space.Value
	return json.Unmarshal(raw, &v) == nil && addMeta(m, name, v)
}

// addMeta adds a value under a name that has none yet, and reports whether an answer may have it.
func addMeta(m prefer.Meta, name string, v space.Value) bool {
	if _, twice := m[name]; twice {
		return false
	}
	m[name] = v
	if (prefer.Answers{}).Validate(prefer.Answer{Choice: prefer.First, Meta: m}) != nil {
		delete(m, name)
		return false
	}
	return true
}
