package logfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// ConfigError is a log of another configuration. It wraps ErrConfig.
type ConfigError struct {
	Log, Than string // the log, and the study or log that it was to be merged with
	Differ    []Difference
}

// Difference is a field of two configurations, with its value in either as JSON, or "nothing".
type Difference struct{ Field, Is, Not string }

// few is how many differences an error lists.
const few = 3

func (e *ConfigError) Error() string {
	parts := xslices.Map(e.Differ[:min(few, len(e.Differ))], func(d Difference) string { return fmt.Sprintf("%s is %s, not %s", d.Field, d.Is, d.Not) })
	if n := len(e.Differ) - few; n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return fmt.Sprintf("%s has %v than %s: %s", e.Log, ErrConfig, e.Than, strings.Join(parts, "; "))
}

func (e *ConfigError) Unwrap() error { return ErrConfig }

// Fields names the first few fields that differ.
func (e *ConfigError) Fields() string {
	names := xslices.Map(e.Differ[:min(few, len(e.Differ))], func(d Difference) string { return d.Field })
	return strings.Join(names, ", ")
}

// Differences returns the fields in which configuration a differs from b.
func Differences(a, b prefer.Config) (all []Difference, err error) {
	x, errA := tree(a)
	y, errB := tree(b)
	walk("", x, y, &all)
	return all, errors.Join(errA, errB)
}

// tree returns a configuration as the log has it, numbers with all their digits.
func tree(c prefer.Config) (out any, err error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return out, d.Decode(&out)
}

// walk lists the places at which two values differ.
func walk(path string, a, b any, out *[]Difference) {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			both := maps.Clone(x)
			maps.Copy(both, y)
			for _, name := range slices.Sorted(maps.Keys(both)) {
				walk(strings.TrimPrefix(path+"."+name, "."), x[name], y[name], out)
			}
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			if len(x) != len(y) {
				*out = append(*out, Difference{path, fmt.Sprint("a list of ", len(x)), fmt.Sprint("of ", len(y))})
				return
			}
			for i := range x {
				walk(fmt.Sprintf("%s[%d]", path, i), x[i], y[i], out)
			}
			return
		}
	}
	if !reflect.DeepEqual(a, b) {
		*out = append(*out, Difference{path, short(a), short(b)})
	}
}

func short(v any) string {
	if v == nil {
		return "nothing"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error() // a value that was just read has none
	}
	if runes := []rune(string(text)); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return string(text)
}
