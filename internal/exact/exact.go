// Package exact holds JSON to what is written: encoding/json takes "choIce" for the field "choice", passes over a field it
// does not know, and of two of a name takes the last.
package exact

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// What can be wrong with the names in a text.
var (
	ErrUnknown = errors.New("unknown field")
	ErrCase    = errors.New("field in the wrong case")
	ErrTwice   = errors.New("field given twice")
)

// Names checks that a text which json.Unmarshal has read into a T names every field as T does, letter by letter, and no
// name of an object twice. Names in maps are free. What reads itself (json.Unmarshaler) is passed over, unless it is a map.
func Names[T any](data []byte) error {
	s := scan{data: data}
	return s.value(shapeOf(reflect.TypeFor[T]()))
}

// shape is what the names in a value may be. A nil shape is a value without names of ours.
type shape struct {
	fields map[string]int // of a struct: places in parts
	parts  []*shape
	free   bool   // a map
	each   *shape // of the elements of a list or a map
}

var shapes sync.Map // by reflect.Type

// shapeOf returns the shape of a type. Types that hold themselves are none of ours: they would never end.
func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := newShape(t)
	shapes.Store(t, s)
	return s
}

func newShape(t reflect.Type) *shape {
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem())
	case reflect.Map:
		return &shape{free: true, each: shapeOf(t.Elem())}
	}
	to := reflect.PointerTo(t)
	if to.Implements(reflect.TypeFor[json.Unmarshaler]()) || to.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return &shape{each: shapeOf(t.Elem())}
	case reflect.Struct:
		s := &shape{fields: map[string]int{}}
		s.add(t)
		return s
	}
	return nil
}

// add takes in the fields of a struct as encoding/json names them.
func (s *shape) add(t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch {
		case f.Anonymous && name == "" && of.Kind() == reflect.Struct:
			s.add(of)
			continue
		case !f.IsExported() || f.Tag.Get("json") == "-":
			continue
		case name == "":
			name = f.Name
		}
		if s.fields[name] = len(s.parts); len(s.parts) == 64 {
			panic("exact: a struct of more than 64 fields")
		}
		s.parts = append(s.parts, shapeOf(f.Type))
	}
}

// refuse says what is wrong with a name that is no field.
func (s *shape) refuse(name string) error {
	for field := range s.fields {
		if strings.EqualFold(field, name) {
			return &Error{ErrCase, name, field}
		}
	}
	return &Error{ErrUnknown, name, ""}
}

// Error is a name that should not be there.
type Error struct {
	Err   error  // ErrUnknown, ErrCase or ErrTwice
	Field string // where: "answered.answer.choIce"
	Want  string // the field it would be but for its case
}

func (e *Error) Error() string {
	if e.Want != "" {
		return fmt.Sprintf("%v: %q, want %q", e.Err, e.Field, e.Want)
	}
	return fmt.Sprintf("%v: %q", e.Err, e.Field)
}

func (e *Error) Unwrap() error { return e.Err }

// within says in which field an error is.
func within(name []byte, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Field = string(name) + "." + e.Field
	}
	return err
}
