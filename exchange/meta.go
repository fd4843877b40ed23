package exchange

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// metaPrefix begins the columns that hold prefer.Answer.Meta by name.
const metaPrefix = "meta."

// MetaValue reads what goes with an answer from a text, a cell or a command line: a decimal number, true or false, or else the word.
func MetaValue(text string) space.Value {
	if v, ok := number(text); ok {
		return v
	}
	if v, ok := truth(text); ok {
		return v
	}
	return space.ValueOf(text)
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
		if err = json.Unmarshal(raw, &v); v.Word() != "" {
			v = MetaValue(v.Word())
		}
		meta[of] = v
	}
	if err != nil {
		return known, fmt.Errorf("field %q is %s, want %s", name, excerpt(string(raw)), map[bool]string{
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
