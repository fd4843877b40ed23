package exchange

import (
	"math"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
)

// values gives the cells of one column a common type: numbers if all are numbers, yes or no if all are true or
// false, else words.
func values(cells []string) []prefer.Value {
	out := make([]prefer.Value, len(cells))
	for _, read := range []func(string) (prefer.Value, bool){number, truth} {
		all := len(cells) > 0
		for i, c := range cells {
			if out[i], all = read(c); !all {
				break
			}
		}
		if all {
			return out
		}
	}
	for i, c := range cells {
		out[i] = prefer.ValueOf(c)
	}
	return out
}

// number reads a decimal number. What Go alone would take for one (inf, nan, 0x1p-2, 1_000) is a word.
func number(s string) (prefer.Value, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789+-.eE") != "" {
		return prefer.Value{}, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return prefer.Value{}, false
	}
	return prefer.ValueOf(v), true
}

// truth reads true or false, however capitalised (Python writes True).
func truth(s string) (prefer.Value, bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true":
		return prefer.ValueOf(true), true
	case "false":
		return prefer.ValueOf(false), true
	}
	return prefer.Value{}, false
}

// kindOf names the type of a value.
func kindOf(v prefer.Value) string {
	switch {
	case !math.IsNaN(v.Float()):
		return "number"
	case v == prefer.ValueOf(true), v == prefer.ValueOf(false):
		return "true/false"
	}
	return "word"
}
