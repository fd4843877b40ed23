package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/server/internal/gate"
)

// call is one operation of the description of the API.
type call struct {
	method, path, id, who string
	operation             map[string]any
}

// calls returns the operations of the description that is served, and all of it.
func (h *testServer) calls() (calls []call, doc map[string]any) {
	t := h.t
	t.Helper()
	if err := json.Unmarshal(h.server.openAPI, &doc); err != nil {
		t.Fatal(err)
	}
	paths := doc["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		methods := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(methods)) {
			op := methods[method].(map[string]any)
			who, _ := op[gate.RoleKey].(string)
			calls = append(calls, call{strings.ToUpper(method), path, op["operationId"].(string), who, op})
		}
	}
	if len(calls) < 30 {
		t.Fatalf("the document has only %d operations", len(calls))
	}
	return calls, doc
}

// persona is somebody with a credential; of a rater it says who they are.
type persona struct{ party, study, rater, token string }

// request is what a persona sends.
type request struct {
	*http.Request
	by     persona
	body   string
	unread bool // the body does not arrive whole
	never  bool // nobody may take the body for what it is
}

// generator makes requests of the description, most of them wrong in one way or another. Names of raters are marks that
// are looked for in replies: they stand where a rater is named, and nowhere else.
type generator struct {
	*rand.Rand
	doc      map[string]any
	calls    []call
	pages    []string // patterns of what is no operation
	studies  []string
	personas []persona
	told     map[string][]string // what replies told, by field
	by       persona
}

// odd are words that programs trip over.
var odd = []string{"", "coffee", "a1", "q1", "milk", "sugar", "item", "x", "first", "tie", "skip", "NaN", "-1", "1e999", "null", "\x00", "ü", "🍵", "..", "../../x", "%2e%2e",
	"a#1", "' OR 1=1 --", "{{x}}", "<script>", "=1+1", strings.Repeat("x", 300), "\u202e", "0x10", "true", " ", "2026-11-16T00:00:00Z", "100000", "milk=0.5,sugar=1", `{"milk":0.5}`}

func (g *generator) word() string {
	if g.IntN(8) == 0 {
		if known := g.told[[]string{"question_id", "answer_id", "job", "link"}[g.IntN(4)]]; len(known) > 0 {
			return known[g.IntN(len(known))]
		}
	}
	return odd[g.IntN(len(odd))]
}

// option makes what the studies have options of.
func (g *generator) option() any {
	if g.IntN(4) == 0 {
		return map[string]any{"item": []string{"x", "y", "z"}[g.IntN(3)]}
	}
	return map[string]any{"milk": g.Float64(), "sugar": 5 * g.Float64()}
}

// field makes a value of a field: for most that name something, one that is there.
func (g *generator) field(name string, schema any, depth int) any {
	if g.IntN(6) == 0 && name != "rater" {
		return g.value(schema, depth)
	}
	from := map[string]string{"question_id": "question_id", "answer": "answer_id", "job": "job", "link": "link"}[name]
	if known := g.told[from]; len(known) > 0 {
		return known[g.IntN(len(known))]
	}
	switch name {
	case "rater":
		switch other := g.personas[g.IntN(len(g.personas))]; {
		case g.IntN(6) == 0:
			return g.value(schema, depth)
		case g.by.rater != "" && g.IntN(2) == 0 || other.rater == "":
			return g.by.rater
		default:
			return other.rater
		}
	case "session", "why", "title":
		return g.by.rater
	case "key", "Idempotency-Key":
		return fmt.Sprint("key ", g.IntN(30))
	case "choice":
		return []string{"first", "second", "tie", "both_bad", "skip"}[g.IntN(5)]
	case "option", "winner", "loser", "hold":
		return g.option()
	case "study", "from":
		return g.studies[g.IntN(len(g.studies))]
	case "best", "ranking", "fixed", "k", "hold_best", "blind", "learn":
		if g.IntN(3) > 0 {
			return nil
		}
	}
	return g.value(schema, depth)
}

// value makes a value of a schema, or of none that fits.
func (g *generator) value(schema any, depth int) any {
	s, _ := schema.(map[string]any)
	if depth > 6 || g.IntN(16) == 0 {
		return g.junk(0)
	}
	if ref, ok := s["$ref"].(string); ok {
		at := any(g.doc)
		for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
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
		return g.object(s, depth)
	case "array":
		out := []any{}
		for range g.IntN(4) {
			out = append(out, g.value(s["items"], depth+1))
		}
		return out
	case "integer", "number":
		low, _ := s["minimum"].(float64)
		high, bounded := s["maximum"].(float64)
		if !bounded {
			high = low + 10
		}
		at := []float64{low, high, low - 1, high + 1, low + (high-low)*g.Float64(), 0.5, 1e300, 1 << 40}[g.IntN(8)]
		if kind == "integer" && g.IntN(8) > 0 {
			return int64(min(at, 1<<60))
		}
		return at
	case "boolean":
		return g.IntN(2) == 0
	}
	return g.word()
}

func (g *generator) object(s map[string]any, depth int) any {
	out := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	likely := 3
	if len(properties) > 8 {
		likely = 6 // of many fields few go together
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if g.IntN(likely) == 0 || slices.Contains(required, any(name)) && g.IntN(12) > 0 {
			out[name] = g.field(name, properties[name], depth+1)
		}
	}
	if more, ok := s["additionalProperties"].(map[string]any); ok {
		for range g.IntN(3) {
			out[g.word()] = g.value(more, depth+1)
		}
	}
	if g.IntN(10) == 0 {
		out[g.word()] = g.junk(0)
	}
	maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil && g.IntN(4) > 0 })
	return out
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

// bodyOf makes the body of a call, of a kind that it takes.
func (g *generator) bodyOf(c call) (body []byte, kind string) {
	rb, ok := c.operation["requestBody"].(map[string]any)
	if !ok {
		return nil, ""
	}
	content := rb["content"].(map[string]any)
	kinds := slices.Sorted(maps.Keys(content))
	kind = kinds[g.IntN(len(kinds))]
	value := g.value(content[kind].(map[string]any)["schema"], 0)
	switch {
	case c.id == "tell" && g.IntN(2) == 0:
		value = map[string]any{"question_id": g.field("question_id", nil, 0), "choice": []string{"first", "second", "skip"}[g.IntN(3)], "session": g.by.rater, "key": fmt.Sprint("key ", g.IntN(300))}
	case c.id == "tell" && g.IntN(2) == 0:
		value = map[string]any{"winner": g.option(), "loser": g.option(), "tie": g.IntN(3) == 0}
	case c.id == "import" && g.IntN(2) == 0:
		return []byte(fmt.Sprintf(`{"winner":{"milk":%g,"sugar":1},"loser":{"milk":0,"sugar":1}}`, g.Float64())), "application/jsonl"
	case c.id == "create-study" && g.IntN(2) == 0:
		return []byte(strings.Replace(coffee, `"coffee"`, fmt.Sprintf("%q", g.word()), 1)), kind
	case c.id == "simulate":
		value = map[string]any{"raters": 1, "max_questions": g.IntN(3)}
	}
	body, _ = json.Marshal(value)
	return body, kind
}

var (
	keyIn    = regexp.MustCompile(`"[a-z_]+":`)
	textIn   = regexp.MustCompile(`:"[^"]`)
	numberIn = regexp.MustCompile(`":[0-9.]+`) // after a name, and not within a text
)

// spoil breaks a body in one of many ways, or not at all. never says that nobody may take what it has become.
func (g *generator) spoil(body []byte) (spoiled []byte, never bool) {
	swap := func(at *regexp.Regexp, by func([]byte) []byte) ([]byte, bool) {
		all := at.FindAllIndex(body, -1)
		if len(all) == 0 {
			return body, false
		}
		i := all[g.IntN(len(all))]
		return slices.Concat(body[:i[0]], by(body[i[0]:i[1]]), body[i[1]:]), true
	}
	put := func(text string) func([]byte) []byte { return func([]byte) []byte { return []byte(text) } }
	switch g.IntN(40) {
	case 0:
		return body[:g.IntN(len(body)+1)], false
	case 1:
		return append(body, body...), false
	case 2:
		if len(body) > 0 {
			body[g.IntN(len(body))] = byte(g.IntN(256))
		}
	case 3:
		return bytes.Repeat([]byte("["), 20_000), true
	case 4:
		return swap(textIn, put(":\"\xff\xfe"))
	case 5:
		return swap(textIn, put(`:"\ud800`))
	case 6:
		text, changed := swap(keyIn, bytes.ToUpper)
		return text, changed && !regexp.MustCompile(`MILK|SUGAR|ITEM`).Match(text) // names of parameters are any
	case 7:
		return swap(numberIn, put(`":NaN`))
	case 8:
		return swap(numberIn, put(`":1e999`))
	case 9:
		return swap(numberIn, put(`":`+strings.Repeat("9", 4000)))
	case 10:
		text, _ := swap(textIn, put(`:"`+strings.Repeat("y", 5000<<g.IntN(9))))
		return text, false
	case 11:
		return append([]byte("\xef\xbb\xbf"), body...), false
	case 12:
		return append(body, " trailing"...), len(body) > 0
	case 13:
		return []byte("null"), false
	}
	return body, false
}

// trick writes a path in another way than is meant.
func (g *generator) trick(path string) string {
	switch g.IntN(60) {
	case 0:
		return "/" + path
	case 1:
		return "/x/.." + path
	case 2:
		return "/%2e%2e" + path
	case 3:
		return path + "/"
	case 4:
		return strings.ToUpper(path)
	case 5:
		return strings.Replace(path, "/ask", "%2fask", 1)
	case 6:
		return path + ";x=1"
	case 7:
		return path + "/../../" + g.studies[g.IntN(len(g.studies))] + "/history"
	}
	if at := strings.LastIndexByte(path, '/'); g.IntN(20) == 0 && at > len("/v1/studies") {
		return path[:at] + ":" + path[at+1:]
	}
	return path
}

// cut is a body that breaks off.
type cut struct{ io.Reader }

func (c cut) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// somebody picks who speaks: mostly who may do something.
func (g *generator) somebody() persona {
	for {
		if p := g.personas[g.IntN(len(g.personas))]; p.rater != "" || p.party == "owner" || g.IntN(3) == 0 {
			return p
		}
	}
}

// request makes one request of a persona.
func (g *generator) request() request {
	g.by = g.somebody()
	c := g.calls[g.IntN(len(g.calls))]
	if g.IntN(4) == 0 { // what the service is for comes more often
		often := []string{"ask", "tell"}[g.IntN(2)]
		c = g.calls[slices.IndexFunc(g.calls, func(c call) bool { return c.id == often })]
	}
	if c.id == "delete-study" && g.IntN(8) > 0 {
		return g.request() // which leaves less to ask about
	}
	page := g.IntN(12) == 0
	if page {
		method, path, _ := strings.Cut(g.pages[g.IntN(len(g.pages))], " ")
		c = call{method: method, path: path}
	}
	path, query, header := c.path, url.Values{}, http.Header{}
	parameters, _ := c.operation["parameters"].([]any)
	for _, each := range parameters {
		p := each.(map[string]any)
		name := p["name"].(string)
		value := fmt.Sprint(g.field(name, p["schema"], 0))
		if name == "study" && g.by.study != "" && g.IntN(4) > 0 {
			value = g.by.study
		}
		switch p["in"] {
		case "path":
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
		case "query":
			if p["required"] == true || g.IntN(3) == 0 {
				query.Set(name, value)
			}
		case "header":
			if g.IntN(2) == 0 && name != "Content-Type" {
				header.Set(name, strings.Map(func(r rune) rune {
					if r < 32 {
						return -1
					}
					return r
				}, value))
			}
		}
	}
	if page {
		for name, value := range map[string]string{"study": g.studies[g.IntN(len(g.studies))], "token": g.personas[g.IntN(len(g.personas))].token,
			"file": "style.css", "file...": g.word(), "demo": "poster", "code": g.word(), "$": ""} {
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
		}
	}
	if page && g.IntN(2) == 0 {
		query.Set("PROLIFIC_PID", g.personas[g.IntN(len(g.personas))].rater)
	}
	if g.IntN(20) == 0 {
		query.Set(g.word(), g.word())
	}
	body, kind := g.bodyOf(c)
	body, never := g.spoil(body)
	if g.IntN(30) == 0 || page && c.method == "POST" {
		kind = []string{"application/json", "text/plain", "multipart/form-data; boundary=x", g.word()}[g.IntN(4)]
	}
	method := c.method
	if g.IntN(30) == 0 {
		method = []string{"PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "DELETE", "POST", "GET"}[g.IntN(8)]
	}
	out := request{by: g.by, body: string(body), unread: len(body) > 0 && g.IntN(60) == 0, never: never}
	var reader io.Reader = bytes.NewReader(body)
	if out.unread {
		reader = cut{reader}
	}
	out.Request = httptest.NewRequest(method, "http://localhost/", reader)
	if u, err := url.Parse("http://localhost" + g.trick(path) + "?" + query.Encode()); err == nil && strings.HasPrefix(u.Path, "/") {
		out.URL = u
	}
	maps.Copy(out.Header, header)
	out.Header.Set("Content-Type", kind)
	if g.by.token != "" {
		if g.by.rater != "" && g.IntN(4) == 0 {
			out.AddCookie(&http.Cookie{Name: gate.RaterCookie, Value: g.by.token})
		} else {
			out.Header.Set("Authorization", "Bearer "+g.by.token)
		}
	}
	out.RemoteAddr = "127.0.0.1:1"
	return out
}

// hear remembers what a reply tells that later requests can be about.
func (g *generator) hear(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if text, ok := v[name].(string); ok && slices.Contains([]string{"question_id", "answer_id", "job", "link"}, name) {
				known := append(g.told[name], text)
				g.told[name] = known[max(0, len(known)-40):]
			}
			g.hear(v[name])
		}
	case []any:
		for _, each := range v {
			g.hear(each)
		}
	}
}
