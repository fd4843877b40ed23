package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// generator makes requests of the OpenAPI document, most of them wrong in one way or another.
type generator struct {
	*rand.Rand
	doc   map[string]any
	calls []call
}

type call struct {
	method, path string
	operation    map[string]any
}

func newGenerator(t *testing.T, seed uint64) *generator {
	t.Helper()
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	if err := json.Unmarshal(text, &g.doc); err != nil {
		t.Fatal(err)
	}
	paths := g.doc["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for _, method := range slices.Sorted(maps.Keys(paths[path].(map[string]any))) {
			g.calls = append(g.calls, call{strings.ToUpper(method), path, paths[path].(map[string]any)[method].(map[string]any)})
		}
	}
	if len(g.calls) < 20 {
		t.Fatalf("the document has only %d operations", len(g.calls))
	}
	return g
}

// odd are words that programs trip over.
var odd = []string{"", "coffee", "ann", "a1", "q1", "milk", "sugar", "item", "first", "tie", "skip", "NaN", "-1", "1e999", "null", "\x00", "ü", "🍵", "..", "../../x", "%2e%2e",
	"a#1", "' OR 1=1 --", "{{x}}", "<script>", strings.Repeat("x", 300), "\u202e", "0x10", "true", " "}

func (g *generator) word() string { return odd[g.IntN(len(odd))] }

// value makes a value of a schema, or of none that fits.
func (g *generator) value(schema any, depth int) any {
	s, _ := schema.(map[string]any)
	if depth > 6 || g.IntN(12) == 0 {
		return g.junk(0)
	}
	if ref, ok := s["$ref"].(string); ok {
		at := any(g.doc)
		for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			at = at.(map[string]any)[step]
		}
		return g.value(at, depth+1)
	}
	if one, ok := s["oneOf"].([]any); ok && s["properties"] == nil {
		return g.value(one[g.IntN(len(one))], depth+1)
	}
	if enum, ok := s["enum"].([]any); ok {
		return enum[g.IntN(len(enum))]
	}
	kind := s["type"]
	if many, ok := kind.([]any); ok {
		kind = many[g.IntN(len(many))]
	}
	switch kind {
	case "object":
		out := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if g.IntN(3) > 0 {
				out[name] = g.value(properties[name], depth+1)
			}
		}
		if more, ok := s["additionalProperties"].(map[string]any); ok {
			for range g.IntN(3) {
				out[g.word()] = g.value(more, depth+1)
			}
		}
		if g.IntN(6) == 0 {
			out[g.word()] = g.junk(0)
		}
		return out
	case "array":
		out := []any{}
		for range g.IntN(4) {
			out = append(out, g.value(s["items"], depth+1))
		}
		return out
	case "integer":
		return []any{0, 1, 2, 3, -1, 40, 1 << 40}[g.IntN(7)]
	case "number":
		return []any{0, 0.5, 1, -3.25, 1e300, 5}[g.IntN(6)]
	case "boolean":
		return g.IntN(2) == 0
	}
	return g.word()
}

// junk makes a value of no schema.
func (g *generator) junk(depth int) any {
	switch g.IntN(8) {
	case 0:
		return nil
	case 1:
		return g.word()
	case 2:
		return g.NormFloat64() * 1e6
	case 3:
		return g.IntN(2) == 0
	case 4:
		if depth < 20 {
			return []any{g.junk(depth + 1)}
		}
	case 5:
		if depth < 20 {
			return map[string]any{g.word(): g.junk(depth + 1)}
		}
	}
	return g.IntN(100) - 50
}

// request makes one request. Event streams, which do not end, are asked for with a number that is none.
func (g *generator) request() *http.Request {
	c := g.calls[g.IntN(len(g.calls))]
	path := c.path
	query := url.Values{}
	parameters, _ := c.operation["parameters"].([]any)
	header := http.Header{}
	for _, each := range parameters {
		p := each.(map[string]any)
		name := p["name"].(string)
		value := fmt.Sprint(g.value(p["schema"], 0))
		switch p["in"] {
		case "path":
			if name == "study" && g.IntN(3) > 0 {
				value = []string{"coffee", "coffee", "list"}[g.IntN(3)]
			}
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
		case "query":
			if g.IntN(2) == 0 {
				query.Set(name, value)
			}
		case "header":
			if g.IntN(2) == 0 {
				header.Set(name, strings.Map(func(r rune) rune {
					if r < 32 {
						return -1
					}
					return r
				}, value))
			}
		}
	}
	if g.IntN(20) == 0 {
		query.Set(g.word(), g.word())
	}
	var body []byte
	kind := "application/json"
	if rb, ok := c.operation["requestBody"].(map[string]any); ok {
		content := rb["content"].(map[string]any)
		kinds := slices.Sorted(maps.Keys(content))
		kind = kinds[g.IntN(len(kinds))]
		value := g.value(content[kind].(map[string]any)["schema"], 0)
		body, _ = json.Marshal(value)
		switch g.IntN(12) {
		case 0:
			body = body[:g.IntN(len(body)+1)]
		case 1:
			body = append(body, body...)
		case 2:
			if len(body) > 0 {
				body[g.IntN(len(body))] = byte(g.IntN(256))
			}
		case 3:
			body = bytes.Repeat([]byte("["), 20_000)
		}
	}
	if g.IntN(20) == 0 {
		kind = g.word()
	}
	method := c.method
	if g.IntN(30) == 0 {
		method = []string{"PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "DELETE", "POST", "GET"}[g.IntN(8)]
	}
	r := httptest.NewRequest(method, "http://localhost/", bytes.NewReader(body))
	if u, err := url.Parse("http://localhost" + path + "?" + query.Encode()); err == nil {
		r.URL = u
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if strings.HasSuffix(path, "/events") {
		r.Header.Set("Last-Event-ID", "never")
	}
	r.Header.Set("Content-Type", kind)
	return r
}

// TestMalformed: whatever is sent, nothing but the sender is to blame, and nothing stays behind.
func TestMalformed(t *testing.T) {
	h := newHouse(t, func(c *Config) { c.Media = t.TempDir(); c.Budget = 20 * time.Millisecond })
	handler := h.server.Handler()
	restore := func() {
		for _, body := range []string{coffee, strings.Replace(pictures, "coffee", "list", 1)} {
			r := httptest.NewRequest("POST", "http://localhost/v1/studies", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			handler.ServeHTTP(httptest.NewRecorder(), r)
		}
	}
	n := 10_000
	if testing.Short() {
		n = 2000
	}
	g := newGenerator(t, 20261115)
	seen := map[int]int{}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	goroutines, before := runtime.NumGoroutine(), uint64(0)
	for i := range n {
		if i%50 == 0 {
			restore()
		}
		if i == n/4 {
			before = heap()
		}
		r := g.request()
		r.RemoteAddr = "127.0.0.1:1"
		ctx, stop := context.WithTimeout(context.Background(), longest)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r.WithContext(ctx))
		stop()
		seen[w.Code]++
		if w.Code >= 500 || w.Code < 200 {
			t.Errorf("request %d: %s %s: %d %s", i, r.Method, r.URL, w.Code, w.Body)
		}
		if w.Code >= 400 && w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("request %d: %s %s: %d is no problem but %q", i, r.Method, r.URL, w.Code, w.Header().Get("Content-Type"))
		}
	}
	t.Log(seen)
	if seen[422] < n/4 || seen[200] < n/100 {
		t.Errorf("the requests are not what they should be: %v", seen)
	}
	// Fits that nobody waits for any more end by themselves.
	await(t, "the end of what was begun", func() bool { return runtime.NumGoroutine() <= goroutines+2 })
	if after := heap(); after > before+32<<20 {
		t.Errorf("%d MB at the end, %d after a quarter", after>>20, before>>20)
	}
}
