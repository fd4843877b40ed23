package main

import (
	"encoding/json"
	"io"
)

// writeJSON writes a value for people and programs: indented, one final newline, no escapes for HTML.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
