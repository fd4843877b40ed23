package main

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// jsonCommand is "json FILE PATH [VALUE]": the file is one JSON value and has the given scalar at a path like
// best.option.sugar or 0.id; length is that of a list. Without VALUE anything there will do; negated, nothing
// must be there.
func jsonCommand(ts *testscript.TestScript, neg bool, args []string) {
	var v any
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	d.UseNumber()
	ts.Check(d.Decode(&v))
	if d.More() {
		ts.Fatalf("%s holds more than one JSON value", args[0])
	}
	there := true
	for _, step := range strings.Split(args[1], ".") {
		if v, there = below(v, step); !there {
			break
		}
	}
	switch text := scalar(v); {
	case neg && there:
		ts.Fatalf("%s has %s = %s, want nothing there", args[0], args[1], text)
	case !neg && !there:
		ts.Fatalf("%s has no %s", args[0], args[1])
	case len(args) > 2 && text != args[2]:
		ts.Fatalf("%s has %s = %s, want %s", args[0], args[1], text, args[2])
	}
}

// below goes one step down.
func below(v any, step string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		x, ok := v[step]
		return x, ok
	case []any:
		if step == "length" {
			return json.Number(strconv.Itoa(len(v))), true
		}
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}

// scalar writes a string bare and everything else as JSON.
func scalar(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
