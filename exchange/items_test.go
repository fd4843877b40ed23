package exchange

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prefer-bo/prefer/space"
)

func TestReadItemsCSV(t *testing.T) {
	got, err := ReadItemsCSV(strings.NewReader("\xef\xbb\xbfid,hue,media,kind,new,text,size\r\na,0.5,a.png,warm,TRUE,\"say \"\"hi\"\"\",1\r\nb,1e-1,,cold,false,,large\r\n"))
	want := []space.Item{
		{ID: "a", Media: "a.png", Text: `say "hi"`, Features: map[string]space.Value{"hue": space.ValueOf(0.5), "kind": space.ValueOf("warm"), "new": space.ValueOf(true), "size": space.ValueOf("1")}},
		{ID: "b", Features: map[string]space.Value{"hue": space.ValueOf(0.1), "kind": space.ValueOf("cold"), "new": space.ValueOf(false), "size": space.ValueOf("large")}},
	}
	if d := cmp.Diff(want, got, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	for text, want := range map[string][]space.Item{
		"media\nx.png\ny.png":      {{ID: "x.png", Media: "x.png"}, {ID: "y.png", Media: "y.png"}},
		"text,media\nhello,\nyo,m": {{ID: "1", Text: "hello"}, {ID: "m", Media: "m", Text: "yo"}},
	} {
		got, err := ReadItemsCSV(strings.NewReader(text))
		if d := cmp.Diff(want, got, sameValue); err != nil || d != "" {
			t.Errorf("%q: %v\n%s", text, err, d)
		}
	}
}

func TestReadItemsCSVErrors(t *testing.T) {
	for text, words := range map[string][]string{
		"":                    {"empty"},
		"id,hue\n":            {"no items"},
		"id,hue\na,1\na,2\n":  {"line 3", `"a"`, "line 2"},
		"id,hue\na,1\n,2\n":   {"line 3", `"id"`, "empty"},
		"id,hue\na,1\nb,\n":   {"line 3", `"hue"`, "empty"},
		"id,hue\na,1\nb\n":    {"line 3", "1 columns"},
		"id,hue,hue\na,1,2\n": {"line 1", "columns 2 and 3"},
		"id,hue\na,\"1\n":     {"line 2", "quote"},
		"id,hue\na,caf\xe9\n": {"line 2", "column 2", "UTF-8"},
		"media\na\nb\na\n":    {"line 4", `"a"`, "line 2"},
	} {
		_, err := ReadItemsCSV(strings.NewReader(text))
		wantError(t, text, err, words...)
	}
}

func TestReadItemsJSONL(t *testing.T) {
	got, err := ReadItemsJSONL(strings.NewReader("{\"id\":\"a\",\"text\":\"hi\",\"features\":{\"hue\":0.5,\"kind\":\"1\",\"new\":true}}\r\n\n{\"media\":\"b.png\",\"features\":{\"new\":false,\"hue\":2,\"kind\":\"x\"}}"))
	want := []space.Item{
		{ID: "a", Text: "hi", Features: map[string]space.Value{"hue": space.ValueOf(0.5), "kind": space.ValueOf("1"), "new": space.ValueOf(true)}},
		{ID: "b.png", Media: "b.png", Features: map[string]space.Value{"hue": space.ValueOf(2), "kind": space.ValueOf("x"), "new": space.ValueOf(false)}},
	}
	if d := cmp.Diff(want, got, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	for text, words := range map[string][]string{
		"":                                   {"no items"},
		"null":                               {"line 1", "not a JSON object"},
		`{"id":"a"`:                          {"line 1", "cut short"},
		`{"name":""}`:                        {"line 1", `"name"`},
		`{"id":7}`:                           {"line 1", `"id"`, "number"},
		`{"id":"a"}` + "\n\n" + `{"id":"a"}`: {"line 3", `"a"`, "line 1"},
		`{"id":"a","features":{"x":1}}` + "\n" + `{"id":"b"}`:             {"line 2", `"x"`},
		`{"id":"a","features":{"x":1}}` + "\n" + `{"features":{"x":"1"}}`: {"line 2", `"x"`, "a word", "number in line 1"},
		`{"id":"a","features":{"x":[1]}}`:                                 {"line 1", "[1]"},
	} {
		_, err := ReadItemsJSONL(strings.NewReader(text))
		wantError(t, text, err, words...)
	}
}

func TestReadItems(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.CSV": "id\nx\n", "b.jsonl": `{"id":"x"}`, "c.ndjson": `{"id":"x"}`, "d.json": `[]`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		items, err := ReadItems(filepath.Join(dir, name))
		if name == "d.json" {
			wantError(t, name, err, "d.json", ".jsonl")
		} else if d := cmp.Diff([]space.Item{{ID: "x"}}, items); err != nil || d != "" {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
	}
	_, err := ReadItems(filepath.Join(dir, "none"))
	wantError(t, "no file", err, "no such file")
}

// regular checks what every list of items must be, and that it reads back from JSON Lines.
func regular(t *testing.T, items []space.Item) {
	t.Helper()
	seen := map[string]bool{}
	var buf bytes.Buffer
	for _, item := range items {
		if item.ID == "" || seen[item.ID] {
			t.Fatalf("id %q is empty or taken", item.ID)
		}
		seen[item.ID] = true
		if err := json.NewEncoder(&buf).Encode(item); err != nil {
			t.Fatal(err)
		}
	}
	back, err := ReadItemsJSONL(bytes.NewReader(buf.Bytes()))
	if err != nil {
		t.Fatalf("%v\n%s", err, buf.Bytes())
	}
	if d := cmp.Diff(items, back, sameValue, cmpopts.EquateEmpty()); d != "" {
		t.Fatal(d)
	}
}

func FuzzReadItemsCSV(f *testing.F) {
	f.Add([]byte("id,hue,media,kind,new,text\na,0.5,a.png,warm,TRUE,\"x\"\"\"\nb,1,,cold,false,\n"))
	f.Add([]byte("media\r\nx\r\ny"))
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := ReadItemsCSV(bytes.NewReader(data))
		if err != nil {
			return
		}
		regular(t, items)
	})
}

func FuzzReadItemsJSONL(f *testing.F) {
	f.Add([]byte("{\"id\":\"a\",\"text\":\"hi\",\"features\":{\"hue\":0.5,\"kind\":\"1\",\"new\":true}}\n{\"media\":\"b\",\"features\":{\"new\":false,\"hue\":2,\"kind\":\"x\"}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := ReadItemsJSONL(bytes.NewReader(data))
		if err != nil {
			return
		}
		regular(t, items)
	})
}
