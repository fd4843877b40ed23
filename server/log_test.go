package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer/server/internal/gate"
)

// logs are the lines that a server under test has logged.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// take returns what was logged since the last time.
func (l *logs) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// lines returns what was logged since the last time with this message.
func (l *logs) lines(t *testing.T, message string) (out []map[string]any) {
	t.Helper()
	for line := range strings.Lines(l.take()) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if one["msg"] == message {
			out = append(out, one)
		}
	}
	return out
}

// loggedServer is a testServer with an owner whose log is kept, from a level on.
func loggedServer(t *testing.T, level slog.Level, change func(*Config)) (*testServer, *logs) {
	l := &logs{}
	return newTestServer(t, func(c *Config) {
		withOwner(c)
		c.Logger = slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: level}))
		if change != nil {
			change(c)
		}
	}), l
}

// TestRequestID: a request keeps the id that it came with if nothing minds it, gets one if not, and reply, problem and log
// have the same.
func TestRequestID(t *testing.T) {
	h, l := loggedServer(t, slog.LevelInfo, func(c *Config) { c.AccessLog = true })
	seen := map[string]bool{}
	for _, id := range []string{"trace-7", "a", "0af7651916cd43dd8448eb211c80319c", strings.Repeat("x", 128), "", "-x", "a b", "é", strings.Repeat("x", 129), "a,b", "<i>"} {
		for _, path := range []string{"/v1/studies/none", "/v1/studies?nonsense=1", "/metrics/none", "/v1/studies"} {
			_, head, text := h.do("GET", path, "", "X-Request-Id", id)
			got := head.Get("X-Request-Id")
			if keep := len(id) > 0 && len(id) <= 128 && !strings.ContainsAny(id, " ,<é") && id[0] != '-'; keep != (got == id) {
				t.Errorf("%s: the id %q became %q", path, id, got)
			}
			if got != id && (seen[got] || len(got) != 16) {
				t.Errorf("%s: %q is not a new id", path, got)
			}
			seen[got] = true
			var p struct{ Instance string }
			if err := json.Unmarshal(text, &p); err != nil || path != "/v1/studies" && p.Instance != "urn:prefer:request:"+got {
				t.Errorf("%s: the problem of request %q has the instance %q", path, got, p.Instance)
			}
			lines := l.lines(t, "answered")
			if len(lines) != 1 || lines[0]["request"] != got {
				t.Errorf("%s: request %q is logged as %v", path, got, lines)
			}
		}
	}
}

// TestAccessLog: a line for every request with what an operator looks for, probes that went well left out, and nothing without
// the switch.
func TestAccessLog(t *testing.T) {
	h, l := loggedServer(t, slog.LevelInfo, func(c *Config) { c.AccessLog = true })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	l.take()
	h.want(200, "POST", "/v1/studies/coffee:ask", `{"rater":"ann"}`, nil)
	lines := l.lines(t, "answered")
	if len(lines) != 1 {
		t.Fatalf("one request is %v", lines)
	}
	line := lines[0]
	for name, want := range map[string]any{"level": "INFO", "operation": "POST /v1/studies/{study}/ask", "study": "coffee", "status": 200.0, "remote": "127.0.0.1"} {
		if line[name] != want {
			t.Errorf("%s is %v, want %v", name, line[name], want)
		}
	}
	if took, _ := line["duration_ms"].(float64); took <= 0 || took > 60e3 {
		t.Errorf("it took %v ms", line["duration_ms"])
	}
	if size, _ := line["bytes"].(float64); size < 100 {
		t.Errorf("the reply has %v bytes", line["bytes"])
	}
	for _, path := range []string{"/livez", "/readyz", "/healthz"} {
		h.want(200, "GET", path, "", nil)
	}
	h.invite("coffee", "ann").want(200, "GET", "/v1/me", "", nil)
	h.do("GET", "/nowhere", "")
	var got []string
	for _, line := range l.lines(t, "answered") {
		got = append(got, fmt.Sprint(line["operation"], " ", line["study"], " ", line["status"]))
	}
	if want := []string{"POST /v1/studies/{study}/links coffee 201", "GET /v1/me coffee 200", "/ <nil> 404"}; !slices.Equal(got, want) {
		t.Errorf("logged were %q, want %q", got, want)
	}
	quiet, l := loggedServer(t, slog.LevelInfo, nil)
	quiet.want(201, "POST", "/v1/studies", coffee, nil)
	quiet.refused(404, "no_study", "", "GET", "/v1/studies/tea", "")
	if text := l.take(); text != "" {
		t.Errorf("without the switch there is %s", text)
	}
}

// TestStreamLog: a stream is logged when it begins and when it ends.
func TestStreamLog(t *testing.T) {
	h, l := loggedServer(t, slog.LevelInfo, func(c *Config) { c.AccessLog = true })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	l.take()
	ctx, leave := context.WithCancel(t.Context())
	lines := h.stream(ctx)
	hear(t, lines, `"seq":1`)
	if begun := l.lines(t, "a stream begins"); len(begun) != 1 || begun[0]["study"] != "coffee" || begun[0]["remote"] != "127.0.0.1" || begun[0]["request"] == "" {
		t.Errorf("a stream that began is logged as %v", begun)
	}
	leave()
	var ended []map[string]any
	await(t, "the end of the stream", func() bool { ended = l.lines(t, "answered"); return len(ended) > 0 })
	if ended[0]["operation"] != "GET /v1/studies/{study}/events" || ended[0]["status"] != 200.0 {
		t.Errorf("a stream that ended is logged as %v", ended)
	}
}

// TestFailureLog: what went wrong is logged with the request it happened to.
func TestFailureLog(t *testing.T) {
	h, l := loggedServer(t, slog.LevelWarn, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	_, head, _ := h.do("GET", "/v1/studies/coffee/history", "")
	lines := l.lines(t, "a request failed")
	if len(lines) != 1 || lines[0]["request"] != head.Get("X-Request-Id") || lines[0]["study"] != "coffee" || lines[0]["operation"] != "GET /v1/studies/{study}/history" {
		t.Errorf("logged is %v", lines)
	}
	h.server.studies.Reopen("coffee")
}

// hole is a parameter of a path.
var hole = regexp.MustCompile(`\{([a-z]+)(\.\.\.)?\}`)

// TestNoCredentials calls every address there is with secrets wherever a request can have them, as the owner, as a rater and as
// a stranger, and finds none of them in what is logged at any level.
func TestNoCredentials(t *testing.T) {
	h, l := loggedServer(t, slog.LevelDebug, func(c *Config) { c.AccessLog = true; c.Media = t.TempDir() })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	rater := h.invite("coffee", "ann")
	code := strings.TrimPrefix(h.server.OwnerLink(), "/o/")
	secrets := []string{owner, gate.CookieOf(owner), rater.token, code, "canary-token", "canary-cookie", "canary-code", "canary-query"}
	fill := map[string]string{"study": "coffee", "token": rater.token, "code": code, "file": "x", "demo": "coffee"}

	var spec struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(h.server.openAPI, &spec); err != nil {
		t.Fatal(err)
	}
	var calls [][2]string
	for path, methods := range spec.Paths {
		for _, method := range slices.Sorted(maps.Keys(methods)) {
			calls = append(calls, [2]string{strings.ToUpper(method), path})
		}
	}
	if len(calls) < 25 {
		t.Fatalf("the description has %d operations", len(calls))
	}
	for _, path := range []string{"/", "/openapi.json", "/livez", "/readyz", "/healthz", "/metrics", "/m/coffee/x.png", "/nowhere/canary-token", "/r/canary-token", "/o/canary-code", "/o/{code}",
		"/start/sample/coffee", "/page/x", "/s/coffee", "/s/coffee/result", "/s/coffee/owner", "/s/coffee/jobs", "/s/coffee/qr", "/r/{token}", "/r/{token}/result", "/r/{token}/nowhere"} {
		calls = append(calls, [2]string{"GET", path}, [2]string{"POST", path})
	}
	calls = append(calls, [2]string{"POST", "/start/demo"}, [2]string{"POST", "/start/params"}, [2]string{"POST", "/start/files"}, [2]string{"POST", "/s/coffee/flip"}, [2]string{"POST", "/s/coffee/pause"})
	slices.SortStableFunc(calls, func(a, b [2]string) int { return strings.Compare(b[0], a[0]) }) // DELETE comes last
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	sent := 0
	for _, call := range calls {
		for _, bearer := range []string{"canary-token", "", rater.token, owner} {
			for _, cookie := range []string{"prefer_owner=canary-cookie; prefer_rater=canary-cookie", "prefer_owner=" + gate.CookieOf(owner), "prefer_rater=" + rater.token} {
				if strings.HasSuffix(call[1], "/events") && (bearer == owner || bearer == rater.token || bearer == "" && !strings.Contains(cookie, "canary")) {
					continue // it would be listened to
				}
				path := hole.ReplaceAllStringFunc(call[1], func(p string) string { return cmp.Or(fill[strings.Trim(p, "{}.")], "x") })
				req, err := http.NewRequest(call[0], h.web.URL+path+"?token=canary-query&PROLIFIC_PID=canary-query", strings.NewReader("{}"))
				if err != nil {
					t.Fatal(err)
				}
				req.Header = http.Header{"Content-Type": {"application/json"}, "Cookie": {cookie}, "Referer": {"https://elsewhere.example/r/" + rater.token}}
				if bearer != "" {
					req.Header.Set("Authorization", "Bearer "+bearer)
				}
				resp, err := client.Do(req)
				if err != nil {
					t.Fatalf("%s %s: %v", call[0], path, err)
				}
				resp.Body.Close()
				sent++
			}
		}
	}
	text := l.take()
	for _, secret := range secrets {
		for line := range strings.Lines(text) {
			if strings.Contains(line, secret) {
				t.Errorf("%q is in the log: %s", secret, line)
				break
			}
		}
	}
	if n := strings.Count(text, `"msg":"answered"`); n < sent {
		t.Errorf("%d requests were sent and %d logged", sent, n)
	}
}
