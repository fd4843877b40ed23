package server

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "regenerate openapi.json")

// TestOpenAPI: the committed description is the one that is served, and all its references lead somewhere.
func TestOpenAPI(t *testing.T) {
	h := newTestServer(t, nil)
	status, _, got := h.do("GET", "/openapi.json", "")
	if status != 200 {
		t.Fatalf("status %d", status)
	}
	if *update {
		if err := os.WriteFile("openapi.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("openapi.json is not what is served: go test ./server -run TestOpenAPI -update")
	}
	var doc any
	if err := json.Unmarshal(got, &doc); err != nil {
		t.Fatal(err)
	}
	refs := 0
	walk(doc, func(ref string) {
		refs++
		at := doc
		for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			object, _ := at.(map[string]any)
			at = object[step]
		}
		if at == nil {
			t.Errorf("%s leads nowhere", ref)
		}
	})
	if refs < 20 {
		t.Errorf("only %d references were looked at", refs)
	}
}

// walk calls visit with every reference in a document.
func walk(v any, visit func(ref string)) {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			visit(ref)
		}
		for _, each := range v {
			walk(each, visit)
		}
	case []any:
		for _, each := range v {
			walk(each, visit)
		}
	}
}
