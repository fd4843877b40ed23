package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// coffee is a study of two parameters whose early questions are quick.
const coffee = `{"name":"coffee","prompt":"Which cup?","params":[{"name":"milk","type":"float","low":0,"high":1},{"name":"sugar","type":"float","low":0,"high":5}],
	"seed":7,"search":{"candidates":64,"starts":2,"finalists":1,"evals":30}}`

// What replies are made of.
type (
	Question = live.Question
	Status   = live.Status
	Job      = live.Job
	told     = live.Told
	undone   = live.Undone
)

// testServer is a server under test, reached over HTTP.
type testServer struct {
	t      testing.TB
	server *Server
	store  *sqlstore.Store
	web    *httptest.Server
	path   string
	token  string // sent as the bearer, if not empty
}

// newTestServer starts a server on a new store, with nothing going on in the background.
func newTestServer(t testing.TB, change func(*Config)) *testServer {
	t.Helper()
	return startTestServer(t, freshStore(t), true, change)
}

// busyTestServer starts a server on a new store.
func busyTestServer(t testing.TB, change func(*Config)) *testServer {
	t.Helper()
	return openTestServer(t, freshStore(t), change)
}

// openTestServer starts a server on the store at an address.
func openTestServer(t testing.TB, path string, change func(*Config)) *testServer {
	t.Helper()
	return startTestServer(t, path, false, change)
}

func startTestServer(t testing.TB, path string, quiet bool, change func(*Config)) *testServer {
	t.Helper()
	st, err := sqlstore.Open(context.Background(), path, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Store: st, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Budget: 30 * time.Second, Rate: -1,
		Core: func(context.Context) (pack.Core, error) {
			return pack.Core{Program: []byte("core"), Runtime: "exec"}, nil
		}}
	if change != nil {
		change(&cfg)
	}
	cfg, err = cfg.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	if quiet {
		cfg.Workers = -1
	}
	s, err := open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	h := &testServer{t: t, server: s, store: st, web: httptest.NewServer(s.Handler()), path: path, token: cfg.OwnerToken}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		h.web.Close()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// as returns the same server for the bearer of another token.
func (h *testServer) as(token string) *testServer {
	other := *h
	other.token = token
	return &other
}

// do sends a request and returns status, header and body.
func (h *testServer) do(method, path, body string, header ...string) (int, http.Header, []byte) {
	h.t.Helper()
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req, err := http.NewRequest(method, h.web.URL+path, r)
	if err != nil {
		h.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if h.token != "" {
		req.Header.Set("Authorization", "Bearer "+h.token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := h.web.Client().Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, out
}

// want sends a request that must have this status, and reads the reply into out if that is not nil.
func (h *testServer) want(status int, method, path, body string, out any, header ...string) {
	h.t.Helper()
	got, _, text := h.do(method, path, body, header...)
	if got != status {
		h.t.Fatalf("%s %s %s: %d, want %d\n%s", method, path, body, got, status, text)
	}
	if out == nil {
		return
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(out); err != nil {
		h.t.Fatalf("%s %s: %v\n%s", method, path, err, text)
	}
}

// problem is what a refusal says.
type problemReply struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Errors []struct {
		Location string `json:"location"`
		Message  string `json:"message"`
	} `json:"errors"`
}

// refused sends a request that must be refused with a problem of this kind, about this field if one is named.
func (h *testServer) refused(status int, kind, field, method, path, body string, header ...string) {
	h.t.Helper()
	got, head, text := h.do(method, path, body, header...)
	var p problemReply
	if err := json.Unmarshal(text, &p); err != nil {
		h.t.Errorf("%s %s %s: %d is not a problem: %s", method, path, body, got, text)
		return
	}
	if got != status || p.Status != status || p.Type != "urn:prefer:"+kind || head.Get("Content-Type") != "application/problem+json" || p.Title == "" || p.Detail == "" {
		h.t.Errorf("%s %s %s: %d %s %s, want %d %s", method, path, body, got, head.Get("Content-Type"), text, status, kind)
	}
	if field == "" {
		return
	}
	for _, e := range p.Errors {
		if e.Location == field && e.Message != "" {
			return
		}
	}
	h.t.Errorf("%s %s %s: the fields to blame are %v, want %s", method, path, body, p.Errors, field)
}

// ask returns a rater's question.
func (h *testServer) ask(rater string) Question {
	h.t.Helper()
	var q Question
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"`+rater+`"}`, &q)
	return q
}

// tell answers a question.
func (h *testServer) tell(q Question, choice string) told {
	h.t.Helper()
	var out told
	h.want(200, "POST", "/v1/studies/coffee/tell", `{"question_id":"`+q.ID+`","choice":"`+choice+`"}`, &out)
	return out
}

// lastAnswer returns the last entry of the history.
func (h *testServer) lastAnswer() prefer.Entry {
	h.t.Helper()
	var out struct{ Answers []prefer.Entry }
	h.want(200, "GET", "/v1/studies/coffee/history", "", &out)
	if len(out.Answers) == 0 {
		h.t.Fatal("there are no answers")
	}
	return out.Answers[len(out.Answers)-1]
}

// longest is how long something may take to come about on a busy machine, which says nothing about what is tested.
const longest = 5 * time.Minute

// await waits until something has come about in the background.
func await(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(longest); time.Now().Before(end); {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not come about in %v", what, longest)
}
