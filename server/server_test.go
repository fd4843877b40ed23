package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer/store/sqlstore"
)

func TestConfigRefused(t *testing.T) {
	h := newTestServer(t, nil)
	for field, change := range map[string]func(*Config){
		"Config.Store":      func(c *Config) { c.Store = nil },
		"Config.Prefix":     func(c *Config) { c.Prefix = "prefer/" },
		"Config.OwnerToken": func(c *Config) { c.OwnerToken = "short" },
		"Workers -1":        func(c *Config) { c.Workers = -1 },
	} {
		cfg := Config{Store: h.store}
		change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%v, want an error about %s", err, field)
		}
	}
}

// TestPrefix: the handler works below any prefix of somebody else's mux, and its addresses say so.
func TestPrefix(t *testing.T) {
	h := newTestServer(t, func(c *Config) {
		withOwner(c)
		c.Prefix = "/deep/prefer"
		c.Page = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "the page at %s", r.URL.Path) })
	})
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "somebody else's") })
	mux.Handle("/deep/prefer/", h.server.Handler())
	web := httptest.NewServer(mux)
	defer web.Close()
	h.web = web
	h.want(201, "POST", "/deep/prefer/v1/studies", coffee, nil)
	h.want(200, "POST", "/deep/prefer/v1/studies/coffee:ask", `{}`, nil)
	h.want(200, "GET", "/deep/prefer/openapi.json", "", nil)
	var l link
	h.want(201, "POST", "/deep/prefer/v1/studies/coffee/links", `{"rater":"ann"}`, &l)
	stranger := h.as("")
	status, head, text := stranger.do("GET", l.URL, "")
	if !strings.HasPrefix(l.URL, "/deep/prefer/r/") || status != 200 || string(text) != "the page at "+strings.TrimPrefix(l.URL, "/deep/prefer") {
		t.Errorf("%s: %d %s", l.URL, status, text)
	}
	cookie := strings.SplitN(head.Get("Set-Cookie"), ";", 2)[0]
	stranger.want(200, "GET", "/deep/prefer/v1/me", "", nil, "Cookie", cookie)
	if !strings.Contains(head.Get("Set-Cookie"), "Path=/deep/prefer/;") {
		t.Errorf("the cookie is %q", head.Get("Set-Cookie"))
	}
	if status, _, text := stranger.do("GET", "/deep/prefer/", ""); status != 200 || string(text) != "the page at /" {
		t.Errorf("%d %s", status, text)
	}
	stranger.refused(404, "no_link", "", "GET", "/deep/prefer/r/nobody", "")
	if _, _, text := h.do("GET", "/v1/studies", ""); string(text) != "somebody else's" {
		t.Errorf("outside of the prefix: %s", text)
	}
}

// TestTwoServers: two processes on one file never interleave, and both say what the other did.
func TestTwoServers(t *testing.T) {
	one := newTestServer(t, nil)
	two := openTestServer(t, one.path, nil)
	one.want(201, "POST", "/v1/studies", coffee, nil)
	var wait sync.WaitGroup
	const each = 6
	for i, h := range []*testServer{one, two, one, two} {
		wait.Go(func() {
			for range each {
				q := h.ask(fmt.Sprint("rater", i))
				h.tell(q, "first")
			}
		})
	}
	wait.Wait()
	for _, h := range []*testServer{one, two} {
		var study Study
		h.want(200, "GET", "/v1/studies/coffee", "", &study)
		if study.Count != 4*each || study.Seq != 1+8*each {
			t.Errorf("%d answers in %d events, want %d in %d", study.Count, study.Seq, 4*each, 1+8*each)
		}
	}
	// A question asked here is answered there and is open nowhere.
	q := one.ask("ann")
	if other := two.ask("ann"); other.ID != q.ID || other.Options[0].ID != q.Options[0].ID {
		t.Errorf("there it is %+v, here %+v", other, q)
	}
	two.tell(q, "second")
	if next := one.ask("ann"); next.ID == q.ID {
		t.Error("a question answered elsewhere is still open")
	}
	if err := one.store.Check(t.Context()); err != nil {
		t.Error(err)
	}
	two.want(204, "DELETE", "/v1/studies/coffee", "", nil)
	one.refused(404, "no_study", "", "GET", "/v1/studies/coffee", "")
}

// TestClose: what was acknowledged while the server was being stopped is there afterwards, once, with a
// snapshot.
func TestClose(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	st, err := sqlstore.Open(t.Context(), h.path, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, err := New(Config{Store: st, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	web.Config.RegisterOnShutdown(s.EndStreams)
	running := &testServer{t: t, server: s, store: st, web: web}
	lines := running.stream(t.Context())
	hear(t, lines, "now")
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	var wait sync.WaitGroup
	enough := make(chan struct{}, 1000)
	for i := range 3 {
		wait.Go(func() {
			for {
				id, ok := answerOnce(web, fmt.Sprint("rater", i))
				if !ok {
					return
				}
				mu.Lock()
				acknowledged[id] = true
				mu.Unlock()
				enough <- struct{}{}
			}
		})
	}
	for range 6 {
		<-enough
	}
	if err := errors.Join(web.Config.Shutdown(t.Context()), s.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	web.Close()
	wait.Wait()
	for range lines {
	}
	kept := map[string]int{}
	study, err := h.store.Study(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range study.History() {
		kept[string(e.ID)]++
	}
	for id := range acknowledged {
		if kept[id] != 1 {
			t.Errorf("answer %s is there %d times", id, kept[id])
		}
	}
	list, err := h.store.List(t.Context())
	if err != nil || list[0].Bytes < 2000 {
		t.Errorf("the study has %d bytes, too few for a snapshot (%v)", list[0].Bytes, err)
	}
}

// answerOnce asks and tells, and returns the answer's id if it was acknowledged.
func answerOnce(web *httptest.Server, rater string) (string, bool) {
	post := func(path, body string, out any) bool {
		resp, err := web.Client().Post(web.URL+path, "application/json", strings.NewReader(body))
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		return err == nil && resp.StatusCode == 200 && json.Unmarshal(text, out) == nil
	}
	var q Question
	var out told
	ok := post("/v1/studies/coffee/ask", fmt.Sprintf(`{"rater":%q}`, rater), &q) &&
		post("/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, q.ID), &out)
	return out.Answer, ok
}

// TestStoreGone: a store that cannot be reached is the server's trouble, and its address stays in the log.
func TestStoreGone(t *testing.T) {
	path := ""
	h := newTestServer(t, nil)
	path = h.path
	h.want(201, "POST", "/v1/studies", coffee, nil)
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	h.refused(503, "store_unavailable", "", "GET", "/v1/studies/coffee", "")
	h.refused(503, "store_unavailable", "", "GET", "/healthz", "")
	if _, _, text := h.do("GET", "/v1/studies/coffee", ""); contains(text, path) {
		t.Errorf("the reply names the file: %s", text)
	}
	h.server.studies.Reopen("coffee")
}
