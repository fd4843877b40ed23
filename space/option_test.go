package space

import (
	"encoding/json"
	"maps"
	"testing"
)

// FuzzOption: an option reads as the usual decoder reads it, or not at all.
func FuzzOption(f *testing.F) {
	for _, text := range []string{`{}`, `{"a":1}`, `{"a":1.5e-3,"b":"x","c":true}`, `{"a":"\u00e9","b":"\\"}`, `{"a":null}`, `{ "a" : 1 }`, `{"a":1,"a":2}`, `{"é":"ü"}`, `null`, `[1]`, `{"a":{}}`, `{"a":-0}`, `{"a":1e999}`, `{"a":0x10}`, `{"a":1_0}`, `{"a":Inf}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var o Option
		var want map[string]Value
		err, wantErr := json.Unmarshal([]byte(text), &o), json.Unmarshal([]byte(text), &want)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%s: %v, want %v", text, err, wantErr)
		}
		if err == nil && !maps.Equal(o, want) {
			t.Fatalf("%s: %v, want %v", text, o, want)
		}
	})
}
