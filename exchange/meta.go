package exchange

import (
	"encoding/json"
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
func (r *pairRow) readBeside(a *prefer.Answer, name string, raw json.RawMessage) (known bool) {
	of, column := strings.CutPrefix(name, metaPrefix)
	known = name == "note" || name == "meta" || column && of != ""
	if !known || string(raw) == "null" {
		return known
	}
	meta, err := prefer.Meta{}, error(nil)
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
		r.fail("field %q is %s, want %s", name, strictjson.Excerpt(string(raw)), map[bool]string{
			true: "a text", false: "numbers, words, true or false by name"}[name == "note"])
	}
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		if _, twice := a.Meta[key]; twice {
			r.fail("meta %q is given twice, in \"meta\" and in %q", key, metaPrefix+key)
		}
		a.Meta[key] = meta[key]
	}
	return known
}

// beside reads what a row has beside its options: who answered, a tie, a note, and by name what goes with the answer.
func (p *pairList) beside(r *pairRow, s shape) (d prefer.Duel) {
	d.Answer.Meta = prefer.Meta{}
	if given(r.fields["rater"]) && given(r.fields["judge"]) {
		r.fail("it has \"rater\" as well as \"judge\", and either could be who answered; leave one of them out")
	}
	for _, name := range slices.Sorted(maps.Keys(r.fields)) {
		raw := r.fields[name]
		switch {
		case r.used[name]:
		case name == "rater", name == "judge":
			if string(raw) != "null" {
				d.Rater = r.id(fmt.Sprintf("field %q", name), raw)
			}
		case name == "tie" && (s == winnerLoser || s == chosen):
			var tie bool
			if err := json.Unmarshal(raw, &tie); err != nil {
				r.fail("field \"tie\" is %s, want true or false", strictjson.Excerpt(strings.Trim(string(raw), `"`)))
			}
			if tie {
				d.Answer.Choice = prefer.Tie
			}
		default:
			if !r.readBeside(&d.Answer, name, raw) && !p.keep(d.Answer.Meta, name, raw) {
				p.ignored[name] = true
			}
		}
	}
	return d
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
