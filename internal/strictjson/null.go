package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
)

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
