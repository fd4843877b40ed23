package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
)

type leaf struct {
	Choice string         `json:"choice"`
	Free   map[string]int `json:"free"`
}

type inner struct {
	Choice string          `json:"choice"`
	Free   map[string]leaf `json:"free,omitempty"`
	Plain  float64
	Hidden int `json:"-"`
	secret int
}

type holder struct {
	inner
	List []*inner   `json:"list"`
	At   time.Time  `json:"at"`
	Own  ownReader  `json:"own"`
	Any  any        `json:"any"`
	Two  [2]float64 `json:"two"`
}

// ownReader reads itself: its names are its own business.
type ownReader struct{ Name string }

func (*ownReader) UnmarshalJSON([]byte) error { return nil }

func TestNames(t *testing.T) {
	many := func(last string) string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, `"k%d":{},`, i)
		}
		return `{"free":{` + b.String() + `"` + last + `":{}}}`
	}
	for text, want := range map[string]string{
		`{}`:   "",
		`null`: "",
		` { "choice" : "a" , "Plain" : 1e3 , "list" : [ { "choice" : "b\"}" } , null, {} ] , "at":"2026-01-01T00:00:00Z"} `: "",
		`{"own":{"NAME":1,"name":2,"x":[{"y":"]"}]},"any":{"Choice":1,"choice":[2,{}]},"two":[1,2]}`:                        "",
		`{"free":{"Choice":{},"choice":{"choice":"x"},"CHOICE":{"free":{"choice":1,"CHOICE":2}}}}`:                          "",
		`{"\u0063hoice":"a"}`: "",
		many("k40"):           "",
		many("k39"):           `field given twice: "free.k39"`,
		many("k3"):            `field given twice: "free.k3"`,
		`{"choIce":"a"}`:      `field in the wrong case: "choIce", want "choice"`,
		`{"Choice":"a"}`:      `field in the wrong case: "Choice", want "choice"`,
		`{"plain":1}`:         `field in the wrong case: "plain", want "Plain"`,
		`{"list":[{},{"free":{"x":{"FREE":{}}}}]}`: `field in the wrong case: "list.free.x.FREE", want "free"`,
		`{"mood":1}`:                             `unknown field: "mood"`,
		`{"Hidden":1}`:                           `unknown field: "Hidden"`,
		`{"secret":1}`:                           `unknown field: "secret"`,
		`{"choice":"a","list":[],"choice":"b"}`:  `field given twice: "choice"`,
		`{"choice":"a","\u0063hoice":"b"}`:       `field given twice: "choice"`,
		`{"free":{"x":{},"\u0078":{}}}`:          `field given twice: "free.x"`,
		`{"free":{"x":{"free":{"x":1}},"x":{}}}`: `field given twice: "free.x"`,
	} {
		if err := json.Unmarshal([]byte(text), new(holder)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		err := Names([]byte(text), holder{})
		if err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%s\n%v, want %s", text, err, want)
		}
	}
	_ = inner{secret: 1}
}

// FuzzNames: whatever the text, the check ends without a panic; and of a text that fits it says what a slow check of the
// decoder's tokens says.
func FuzzNames(f *testing.F) {
	f.Add([]byte(`{"choice":"a","list":[{"free":{"x":{}, "y":{"choice":"\"","free":{"z":1,"Z":2}}}}],"any":[{"a":[]}]}`))
	f.Add([]byte(`{"free":{"x":{},"x":{}}}`))
	f.Add([]byte(`{"list":[{"Choice":""}]}`))
	f.Add([]byte(`{"\u0063hoice":"a","choice":`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		err := Names(data, holder{})
		if json.Unmarshal(data, new(holder)) != nil {
			return
		}
		slow := slowly(json.NewDecoder(bytes.NewReader(data)), shapeOf(reflect.TypeFor[holder]()))
		if (err == nil) != (slow == nil) || !errors.Is(err, slow) {
			t.Errorf("%q: %v, want %v", data, err, slow)
		}
	})
}

// slowly is the same check on the tokens of encoding/json: the first of the three errors, or nil.
func slowly(d *json.Decoder, of *shape) error {
	token, err := d.Token()
	if err == io.EOF {
		return nil
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	names := map[string]bool{}
	for d.More() {
		part := of
		if part != nil {
			part = of.each
		}
		if open == '{' {
			key, _ := d.Token()
			name := key.(string)
			if of != nil {
				if of.fields != nil {
					field, ok := of.fields[name]
					if !ok {
						return errors.Unwrap(refuse(of.fields, "", name))
					}
					part = field
				}
				if names[name] {
					return errTwice
				}
				names[name] = true
			}
		}
		if err := slowly(d, part); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
