package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"github.com/prefer-bo/prefer/internal/strictjson"

	"github.com/danielgtaylor/huma/v2"
)

// jsonFormat reads what it is sent to the letter, and writes JSON without escaping what only HTML minds.
var jsonFormat = huma.Format{Marshal: writeJSON, Unmarshal: readJSON}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// readJSON reads a body. It is called twice: into any, which is held against the schema, and then into what the operation takes.
func readJSON(data []byte, v any) error {
	if _, first := v.(*any); first {
		if err := strictjson.Text(data); err != nil {
			return err
		}
		return json.Unmarshal(data, v)
	}
	if err := strictjson.Decode(data, v); err != nil {
		return err
	}
	return noNull(data)
}

var named = regexp.MustCompile(`^(\S+) is null:|^json: unknown field "([^"]+)"|^field in the wrong case: "([^"]+)"`)

// locate blames the field that readJSON names, where huma blames the body, and quotes all of it.
func locate(_ huma.Context, _ string, v any) (any, error) {
	if p, ok := v.(*huma.ErrorModel); ok {
		for _, e := range p.Errors {
			if m := named.FindStringSubmatch(e.Message); m != nil && e.Location == "body" {
				e.Location, e.Value = "body."+m[1]+m[2]+m[3], nil
			}
		}
	}
	return v, nil
}

// noNull refuses null, wherever it stands: what is not to be said is left out, and a name that a program forgot to fill in is not nobody's.
func noNull(data []byte) error {
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
