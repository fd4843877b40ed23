// Package strictjson reads JSON and JSON Lines to the letter: encoding/json takes "choIce" for the field "choice", passes over a field it does not know, and of two of a name takes the last.
package strictjson

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

var (
	ErrUnknown = errors.New("unknown field")
	errCase    = errors.New("field in the wrong case")
	errTwice   = errors.New("field given twice")
)

// Decode reads one JSON value into v. It refuses what Text and Names refuse, and anything after the value.
func Decode(data []byte, v any) error {
	if err := Text(data); err != nil {
		return err
	}
	if err := decodeOne(data, v, errors.New("there is more after the JSON value")); err != nil {
		return err
	}
	return Names(data, v)
}

// decodeOne decodes one value and refuses fields that v does not have. If anything comes after it the error is more.
func decodeOne(data []byte, v any, more error) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return more
	}
	return nil
}

// escape matches an escape of JSON; its group, half of a surrogate pair without the other half.
var escape = regexp.MustCompile(`(?is)\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(ud[89a-f][0-9a-f]{2})|.)`)

// Text checks that a JSON text says one thing: it is UTF-8 and no escape is half of a character, both of which encoding/json would read as U+FFFD,
// and no object has a name twice. Whether it is JSON at all is left to the decoder.
func Text(data []byte) error {
	for at, r := range string(data) {
		if r == utf8.RuneError && !bytes.HasPrefix(data[at:], []byte("\ufffd")) {
			return fmt.Errorf("byte %d is not UTF-8", at+1)
		}
	}
	if bytes.Contains(data, []byte(`\u`)) { // which is quick to know
		for _, at := range escape.FindAllSubmatchIndex(data, -1) {
			if at[2] > 0 {
				return fmt.Errorf("%s at byte %d is half of a character: a surrogate without its other half", data[at[0]:at[1]], at[0]+1)
			}
		}
	}
	everything := &shape{}
	everything.each = everything
	if name, err := walk(data, everything); err != nil {
		return fmt.Errorf("%q is given twice", name)
	}
	return nil
}

// Names checks that a text which json.Unmarshal has read into v names every field as v does, letter by letter, and no name of an object twice.
// Names in maps are free. What reads itself (json.Unmarshaler) is passed over, unless it is a map.
func Names(data []byte, v any) error {
	_, err := walk(data, shapeOf(reflect.TypeOf(v)))
	return err
}

// shape is what the names in a value may be: fields those of a struct, each of the elements of a list or a map. A nil shape is not checked.
type shape struct {
	fields map[string]*shape
	each   *shape
}

var shapes sync.Map // by reflect.Type

// shapeOf returns the shape of a type that does not contain itself.
func shapeOf(t reflect.Type) (s *shape) {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	to := reflect.PointerTo(t)
	own := to.Implements(reflect.TypeFor[json.Unmarshaler]()) || to.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		s = shapeOf(t.Elem())
	case kind == reflect.Map, !own && (kind == reflect.Slice || kind == reflect.Array):
		s = &shape{each: shapeOf(t.Elem())}
	case kind == reflect.Struct && !own:
		s = &shape{fields: map[string]*shape{}}
		for _, f := range reflect.VisibleFields(t) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && name != "-" && (name != "" || !f.Anonymous) {
				s.fields[cmp.Or(name, f.Name)] = shapeOf(f.Type)
			}
		}
	}
	shapes.Store(t, s)
	return s
}

const fewNames = 32 // of an object, up to which names are compared one by one

// level is an object or a list that walk is in.
type level struct {
	*shape
	object bool            // an object that is checked
	first  int             // of its names in names
	many   map[string]bool // its names where they are many
	name   []byte          // the last of them
	value  bool            // its value comes
}

// pathOf joins the names of the objects that walk is in.
func pathOf(levels []level) (text string) {
	for _, l := range levels {
		if l.object {
			text += string(l.name) + "."
		}
	}
	return strings.TrimSuffix(text, ".")
}

// walk returns the first name that its object has twice or that is no field of its struct, with an error that says where.
func walk(data []byte, of *shape) (_ string, err error) {
	levels, names := append(make([]level, 0, 8), level{shape: &shape{each: of}}), make([][]byte, 0, fewNames)
	for at := 0; at < len(data) && len(levels) > 0; at++ {
		l := &levels[len(levels)-1]
		switch data[at] {
		case '{', '[':
			inner := level{first: len(names)}
			if l.shape != nil {
				inner.shape = cmp.Or(l.each, l.fields[string(l.name)])
			}
			inner.object = inner.shape != nil && data[at] == '{'
			levels = append(levels, inner)
		case '}', ']':
			levels, names = levels[:len(levels)-1], names[:l.first]
		case ',':
			l.value = false
		case '"':
			from := at
			for at++; at < len(data) && data[at] != '"'; at++ {
				if data[at] == '\\' {
					at++
				}
			}
			if !l.object || l.value || at >= len(data) {
				continue
			}
			if l.name = data[from+1 : at]; bytes.IndexByte(l.name, '\\') >= 0 {
				var text string
				if json.Unmarshal(data[from:at+1], &text) != nil {
					continue
				}
				l.name = []byte(text)
			}
			if l.many == nil && len(names)-l.first == fewNames {
				l.many = map[string]bool{}
				for _, name := range names[l.first:] {
					l.many[string(name)] = true
				}
			}
			if l.many[string(l.name)] || l.many == nil && slices.ContainsFunc(names[l.first:], func(name []byte) bool { return bytes.Equal(name, l.name) }) {
				return string(l.name), fmt.Errorf("%w: %q", errTwice, pathOf(levels))
			}
			if _, ok := l.fields[string(l.name)]; !ok && l.fields != nil {
				return string(l.name), refuse(l.fields, pathOf(levels), string(l.name))
			}
			if l.value = true; l.many != nil {
				l.many[string(l.name)] = true
			} else {
				names = append(names, l.name)
			}
		}
	}
	return "", nil
}

func refuse(fields map[string]*shape, path, name string) error {
	for field := range fields {
		if strings.EqualFold(field, name) {
			return fmt.Errorf("%w: %q, want %q", errCase, path, field)
		}
	}
	return fmt.Errorf("%w: %q", ErrUnknown, path)
}

// NoNull refuses a JSON text with a null in it: a field without a value is left out, and a name that a program forgot to fill in is an error.
func NoNull(data []byte) error {
	if !bytes.Contains(data, []byte("null")) {
		return nil
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if at := nullAt(v, ""); at != "" {
		return fmt.Errorf("%s is null: leave it out, or say what it is", at[1:])
	}
	return nil
}

// nullAt returns where a null is, with a dot before it, or nothing.
func nullAt(v any, at string) string {
	switch v := v.(type) {
	case nil:
		return at
	case map[string]any:
		for name, each := range v {
			if found := nullAt(each, at+"."+name); found != "" {
				return found
			}
		}
	case []any:
		for i, each := range v {
			if found := nullAt(each, fmt.Sprintf("%s[%d]", at, i)); found != "" {
				return found
			}
		}
	}
	return ""
}
