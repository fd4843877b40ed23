package space

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// Value is one parameter's setting: a number, a word or a yes/no. The zero Value is the number 0.
type Value struct {
	kind valueKind
	num  float64
	word string
}

type valueKind uint8

const (
	number valueKind = iota
	word
	boolean
)

func (k valueKind) String() string { return [...]string{"number", "word", "yes or no"}[k] }

// ValueOf returns the Value of a number, a word or a yes or no.
func ValueOf[T float64 | int | string | bool](v T) Value {
	switch v := any(v).(type) {
	case int:
		return Value{num: float64(v)}
	case float64:
		return Value{num: v}
	case string:
		return Value{kind: word, word: v}
	case bool:
		if v {
			return Value{kind: boolean, num: 1}
		}
	}
	return Value{kind: boolean}
}

// Float returns the number, or NaN if the value is not one. Any and String return any value.
func (v Value) Float() float64 {
	if v.kind != number {
		return math.NaN()
	}
	return v.num
}

// String returns the value as a person would write it.
func (v Value) String() string {
	switch v.kind {
	case word:
		return v.word
	case boolean:
		return strconv.FormatBool(v.num == 1)
	}
	return strconv.FormatFloat(v.num, 'g', -1, 64)
}

// Any returns the value as a float64, a string or a bool.
func (v Value) Any() any {
	switch v.kind {
	case word:
		return v.word
	case boolean:
		return v.num == 1
	}
	return v.num
}

// MarshalJSON writes a JSON number, string or boolean.
func (v Value) MarshalJSON() ([]byte, error) { return json.Marshal(v.Any()) }

// UnmarshalJSON reads a JSON number, string or boolean. A log of ten thousand answers has a hundred thousand of them, so numbers are read without a decoder.
func (v *Value) UnmarshalJSON(data []byte) error {
	text := string(data)
	switch x, err := strconv.ParseFloat(text, 64); {
	case err == nil:
		*v = ValueOf(x)
	case text == "true" || text == "false":
		*v = ValueOf(text == "true")
	case text[0] == '"':
		v.kind, v.num = word, 0
		return json.Unmarshal(data, &v.word)
	default:
		return fmt.Errorf("prefer: a value is a number, a string or a boolean, not %s", data)
	}
	return nil
}

// Option is one setting of every parameter, by name, in the user's units. Float, Int, Bool and Word read a parameter that the program knows: they
// panic if the option has none of this name, or if its value is of another kind. For a name that may be missing, index the map: v, ok := o[name].
type Option map[string]Value

// Float returns the number a parameter is set to.
func (o Option) Float(name string) float64 { return o.get(name, number).num }

// Int returns the whole number a parameter is set to.
func (o Option) Int(name string) int { return int(math.Round(o.get(name, number).num)) }

// Bool returns the yes or no a parameter is set to.
func (o Option) Bool(name string) bool { return o.get(name, boolean).num == 1 }

// Word returns the word a parameter is set to.
func (o Option) Word(name string) string { return o.get(name, word).word }

// get returns the value of a parameter. A misspelt name is an error of the program: a zero value in its place would answer every question wrongly.
func (o Option) get(name string, want valueKind) Value {
	v, ok := o[name]
	if !ok {
		panic(fmt.Sprintf("prefer: the option has no parameter %q, only %s", name, strings.Join(slices.Sorted(maps.Keys(o)), ", ")))
	}
	if v.kind != want {
		panic(fmt.Sprintf("prefer: parameter %q is %s, which is not a %s", name, v, want))
	}
	return v
}

// String lists the settings in the order of their names: "milk 0.2, sugar 1.5".
func (o Option) String() string {
	parts := xslices.Map(slices.Sorted(maps.Keys(o)), func(name string) string { return name + " " + o[name].String() })
	return strings.Join(parts, ", ")
}
