package exact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
)

// Decode reads one JSON value into v and holds it to what is written (Text): a field that v does not have, letter by letter, and anything after the value are errors.
func Decode(data []byte, v any) error {
	if err := Text(data); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more after the JSON value")
	}
	names := scan{data: data}
	return names.value(shapeOf(reflect.TypeOf(v)))
}
