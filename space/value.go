package space

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

// Float returns the number, or NaN if the value is not one.
func (v Value) Float() float64 {
	if v.kind != number {
		return math.NaN()
	}
	return v.num
}

// Int returns the number rounded to a whole one, or 0 if the value is not a number.
func (v Value) Int() int {
	if v.kind != number {
		return 0
	}
	return int(math.Round(v.num))
}

// Bool returns the yes or no, or false if the value is neither.
func (v Value) Bool() bool { return v.kind == boolean && v.num == 1 }

// Word returns the word, or "" if the value is not one. String writes any value.
func (v Value) Word() string { return v.word }

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

// UnmarshalJSON reads a JSON number, string or boolean.
func (v *Value) UnmarshalJSON(data []byte) error {
	var read any
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	switch x := read.(type) {
	case float64:
		*v = ValueOf(x)
	case string:
		*v = ValueOf(x)
	case bool:
		*v = ValueOf(x)
	default:
		return fmt.Errorf("prefer: a value is a number, a string or a boolean, not %s", data)
	}
	return nil
}
