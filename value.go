package prefer

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
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

// Number returns the Value of a number.
func Number(v float64) Value { return Value{num: v} }

// Word returns the Value of a word.
func Word(v string) Value { return Value{kind: word, word: v} }

// Bool returns the Value of a yes or a no.
func Bool(v bool) Value {
	if v {
		return Value{kind: boolean, num: 1}
	}
	return Value{kind: boolean}
}

// Float returns the number, or NaN if the value is not one.
func (v Value) Float() float64 {
	if v.kind != number {
		return math.NaN()
	}
	return v.num
}

// IsNumber reports whether v is a number.
func (v Value) IsNumber() bool { return v.kind == number }

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

// MarshalJSON writes a JSON number, string or boolean.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case word:
		return json.Marshal(v.word)
	case boolean:
		return json.Marshal(v.num == 1)
	}
	return json.Marshal(v.num)
}

// UnmarshalJSON reads a JSON number, string or boolean. Logs hold a dozen values per question, so the kind
// is told by the first byte instead of through an interface.
func (v *Value) UnmarshalJSON(data []byte) error {
	bad := func() error { return fmt.Errorf("prefer: a value is a number, a string or a boolean, not %s", data) }
	if len(data) == 0 {
		return bad()
	}
	switch data[0] {
	case '"':
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		*v = Word(text)
	case 't', 'f':
		b, err := strconv.ParseBool(string(data))
		if err != nil {
			return bad()
		}
		*v = Bool(b)
	case 'n', '{', '[':
		return bad()
	default:
		var x float64
		if err := json.Unmarshal(data, &x); err != nil {
			return err
		}
		*v = Number(x)
	}
	return nil
}
