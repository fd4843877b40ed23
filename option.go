package prefer

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Option is one setting of every parameter, by name, in the user's units.
type Option map[string]Value

// Float returns the number a parameter is set to, or NaN if there is none.
func (o Option) Float(name string) float64 {
	if v, ok := o[name]; ok {
		return v.Float()
	}
	return math.NaN()
}

// Int returns the whole number a parameter is set to, or 0 if there is none.
func (o Option) Int(name string) int { return o[name].Int() }

// Bool returns the yes or no a parameter is set to, or false if there is none.
func (o Option) Bool(name string) bool { return o[name].Bool() }

// Word returns the word a parameter is set to, or "" if there is none.
func (o Option) Word(name string) string { return o[name].Word() }

// String lists the settings in the order of their names: "milk 0.2, sugar 1.5".
func (o Option) String() string {
	parts := make([]string, 0, len(o))
	for _, name := range slices.Sorted(maps.Keys(o)) {
		parts = append(parts, name+" "+o[name].String())
	}
	return strings.Join(parts, ", ")
}

func (o Option) clone() Option { return maps.Clone(o) }

// UnmarshalJSON reads an object of values. A log of ten thousand answers holds thirty thousand options,
// so what is plain, names and words without escapes and numbers, is read here in one pass; anything else
// goes the usual way.
func (o *Option) UnmarshalJSON(data []byte) error {
	if read, ok := plainOption(data); ok {
		*o = read
		return nil
	}
	var m map[string]Value
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	*o = m
	return nil
}

// plainOption reads a valid JSON object that has nothing special in it; ok is false if it has.
func plainOption(data []byte) (_ Option, ok bool) {
	if len(data) < 2 || data[0] != '{' {
		return nil, false
	}
	o := Option{}
	if string(data) == "{}" {
		return o, true
	}
	for at := 1; ; at++ {
		name, next, ok := plainString(data, at)
		if !ok || next >= len(data) || data[next] != ':' {
			return nil, false
		}
		end := next + 1
		if end < len(data) && data[end] == '"' {
			text, after, ok := plainString(data, end)
			if !ok {
				return nil, false
			}
			o[name], end = ValueOf(text), after
		} else {
			for end < len(data) && data[end] != ',' && data[end] != '}' {
				end++
			}
			switch text := string(data[next+1 : end]); text {
			case "true", "false":
				o[name] = ValueOf(text == "true")
			default:
				v, err := strconv.ParseFloat(text, 64)
				if err != nil || !finite(v) {
					return nil, false
				}
				o[name] = ValueOf(v)
			}
		}
		if end >= len(data) {
			return nil, false
		}
		if data[end] == '}' {
			return o, end == len(data)-1
		}
		if data[end] != ',' {
			return nil, false
		}
		at = end
	}
}

// plainString reads the string that begins at data[at] if it is ASCII without escapes, and returns where
// it ends.
func plainString(data []byte, at int) (text string, next int, ok bool) {
	if at >= len(data) || data[at] != '"' {
		return "", 0, false
	}
	for i := at + 1; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			return string(data[at+1 : i]), i + 1, true
		case c == '\\' || c < 0x20 || c >= 0x80:
			return "", 0, false
		}
	}
	return "", 0, false
}
