package sqlstore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// coffee is a study of two parameters whose early questions are quick.
const coffee = `{"name":"coffee","prompt":"Which cup?","params":[{"name":"milk","type":"float","low":0,"high":1},{"name":"sugar","type":"float","low":0,"high":5}],
	"seed":7,"search":{"candidates":64,"starts":2,"finalists":1,"evals":30}}`

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

// testServer is a server under test, reached over HTTP.
type testServer struct {
	t     testing.TB
	store *sqlstore.Store // past the line
	web   *httptest.Server
}

// faultyTestServer starts a server on PostgreSQL behind a line that can break; it waits no longer than this for a database that
// says nothing.
func faultyTestServer(t *testing.T, patience time.Duration) (*testServer, *sqlstore.Line) {
	t.Helper()
	address := storetest.Database(t)
	line := sqlstore.NewLine(t, address)
	stores := map[string]*sqlstore.Store{}
	for _, at := range []string{address, line.Address()} {
		options := sqlstore.Options{}
		if at != address {
			options.Patience = patience
		}
		var st *sqlstore.Store
		await(t, "an open store", func() bool { // a busy machine may take longer than the store is waited for
			var err error
			if st, err = sqlstore.Open(context.Background(), at, options); err != nil && !errors.Is(err, store.ErrUnavailable) {
				t.Fatal(err)
			}
			return err == nil
		})
		t.Cleanup(func() {
			if err := st.Close(); err != nil {
				t.Error(err)
			}
		})
		stores[at] = st
	}
	s, err := server.New(server.Config{Store: stores[line.Address()], Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Budget: 200 * time.Millisecond, Rate: -1})
	if err != nil {
		t.Fatal(err)
	}
	h := &testServer{t, stores[address], httptest.NewServer(s.Handler())}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		h.web.Close()
	})
	await(t, "a study", func() bool { // a busy machine may take longer than the store is waited for
		resp, err := h.web.Client().Post(h.web.URL+"/v1/studies", "application/json", strings.NewReader(coffee))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode == 201 || resp.StatusCode == 409
	})
	return h, line
}

// stream opens the event stream and returns its lines until it ends.
func (h *testServer) stream(ctx context.Context) <-chan string {
	h.t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", h.web.URL+"/v1/studies/coffee/events", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	resp, err := h.web.Client().Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	if resp.StatusCode != 200 {
		h.t.Fatalf("the stream is %d, %v", resp.StatusCode, resp.Header)
	}
	lines := make(chan string, 100)
	go func() {
		defer resp.Body.Close()
		defer close(lines)
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// hear waits for a line with a text. None may say that the study is gone.
func hear(t *testing.T, lines <-chan string, want string) {
	t.Helper()
	for heard := ""; !strings.Contains(heard, want); {
		select {
		case heard = <-lines:
		case <-time.After(longest):
			t.Fatalf("no %s was heard", want)
		}
		if strings.Contains(heard, "gone") {
			t.Error("a study that cannot be reached is said to be gone")
		}
	}
}

// insist asks until there is a question, however busy the machine is.
func (h *testServer) insist(rater string) (q live.Question) {
	h.t.Helper()
	await(h.t, "a question", func() bool { return h.try("POST", "/v1/studies/coffee/ask", `{"rater":"`+rater+`"}`, &q) })
	return q
}

// try sends a request that must end, with 200 or with a 503 that says when to come back and nothing of where the database is.
func (h *testServer) try(method, path, body string, out any) (ok bool) {
	h.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), longest)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, method, h.web.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Error(err)
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := h.web.Client().Do(req)
	if err != nil {
		h.t.Errorf("%s %s: %v", method, path, err)
		return false
	}
	defer resp.Body.Close()
	if resp.StatusCode == 200 && resp.Header.Get("Content-Type") == "text/event-stream" {
		return true // it goes on
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Errorf("%s %s: %v", method, path, err)
		return false
	}
	if resp.StatusCode == 200 {
		if err := json.Unmarshal(text, out); err != nil {
			h.t.Errorf("%s %s: %v", method, path, err)
		}
		return true
	}
	var p struct{ Type, Detail string }
	if err := json.Unmarshal(text, &p); err != nil || resp.StatusCode != 503 || resp.Header.Get("Retry-After") != "1" ||
		p.Type != problem.Types+"store_unavailable" || !strings.Contains(p.Detail, store.ErrUnavailable.Error()) || strings.Contains(p.Detail, "PostgreSQL") {
		h.t.Errorf("%s %s: %d, Retry-After %q, %s", method, path, resp.StatusCode, resp.Header.Get("Retry-After"), text)
	}
	return false
}

// rested waits until nothing is left of a fault: no more connections than a store has, no goroutines.
func rested(t *testing.T, line *sqlstore.Line, goroutines int) {
	t.Helper()
	await(t, "the end of lost connections", func() bool { return line.Connections() <= 10 })
	await(t, "the end of what was begun", func() bool { return runtime.NumGoroutine() <= goroutines+40 }) // 10 connections, 2 on the line and 2 at each end of HTTP
}

// answers returns how often each key is in the log.
func (h *testServer) answers() map[string]int {
	h.t.Helper()
	log, err := h.store.Events(h.t.Context(), "coffee")
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := prefer.Open(h.t.Context(), log, prefer.OpenOptions{}); err != nil {
		h.t.Error(err)
	}
	keys := map[string]int{}
	for _, e := range log {
		if e.Answered != nil {
			keys[e.Answered.Answer.Key]++
		}
	}
	return keys
}

// TestDatabaseLost: while the database is silent or refuses everything, all requests end with a 503 that says so; afterwards
// the same server works, an answer that was sent again is there once, and streams hear again.
func TestDatabaseLost(t *testing.T) {
	h, line := faultyTestServer(t, 400*time.Millisecond)
	q := h.insist("ann")
	lines := h.stream(t.Context())
	hear(t, lines, `"seq":2`)
	goroutines := runtime.NumGoroutine()
	for name, fault := range map[string]struct{ begin, end func() }{
		"frozen":  {line.Freeze, line.Thaw},
		"refused": {func() { line.Refuse(true); line.Cut() }, func() { line.Refuse(false) }},
		"cut off": {func() { line.Refuse(true); line.Freeze(); line.Cut() }, func() { line.Refuse(false); line.Thaw() }},
	} {
		t.Run(name, func(t *testing.T) {
			answer := fmt.Sprintf(`{"question_id":%q,"choice":"first","key":%q}`, q.ID, name)
			fault.begin()
			var all sync.WaitGroup
			for range 3 { // more than there are connections
				for _, r := range [][3]string{{"POST", "/v1/studies/coffee/ask", `{"rater":"bob"}`}, {"POST", "/v1/studies/coffee/tell", answer},
					{"POST", "/v1/studies/coffee/tell?next=true", answer}, {"GET", "/v1/studies/coffee", ""}, {"GET", "/v1/studies", ""},
					{"GET", "/v1/studies/coffee/history", ""}, {"GET", "/v1/studies/coffee/events", ""}, {"GET", "/healthz", ""}} {
					all.Go(func() {
						if h.try(r[0], r[1], r[2], new(any)) {
							t.Errorf("%s %s worked", r[0], r[1])
						}
					})
				}
			}
			all.Wait()
			fault.end()
			var out live.Told
			await(t, "the answer", func() bool { return h.try("POST", "/v1/studies/coffee/tell?next=true", answer, &out) })
			if n := h.answers()[name]; n != 1 || out.Next == nil {
				t.Fatalf("the answer is there %d times, the next question is %v", n, out.Next)
			}
			await(t, "health", func() bool { return h.try("GET", "/healthz", "", new(any)) })
			// Another server is heard, too, as soon as the line is up again.
			seq := 0
			await(t, "a change elsewhere", func() bool {
				err := h.store.Update(t.Context(), "coffee", func(s *prefer.Study) error {
					_, err := s.Observe(t.Context(), prefer.Duel{First: q.Options[0].Params, Second: q.Options[1].Params, Answer: prefer.Answer{Choice: prefer.Tie}})
					seq = s.Seq()
					return err
				})
				return err == nil
			})
			hear(t, lines, fmt.Sprintf(`"seq":%d,`, seq))
			q = *out.Next
			rested(t, line, goroutines)
		})
	}
}

// TestFrozenAnywhere: the line freezes at one message after the other of an answer with the next question, the lease and what
// is chosen ahead included. Whatever the request says, sent again until it is taken the answer is there once.
func TestFrozenAnywhere(t *testing.T) {
	h, line := faultyTestServer(t, 300*time.Millisecond)
	q := h.insist("ann")
	goroutines := runtime.NumGoroutine()
	refused, sprung := 0, 0
	for at, whole := 0, 0; whole < 2 && at < 60; at++ {
		key := fmt.Sprint("key ", at)
		answer := fmt.Sprintf(`{"question_id":%q,"choice":"first","key":%q}`, q.ID, key)
		line.Trap(at, at%2 == 0, line.Freeze)
		var out live.Told
		if !h.try("POST", "/v1/studies/coffee/tell?next=true", answer, &out) {
			refused++
		}
		if line.Disarm() {
			sprung++
		} else {
			whole++
		}
		line.Thaw()
		await(t, "the answer", func() bool {
			return h.try("POST", "/v1/studies/coffee/tell?next=true", answer, &out) && (out.Next != nil || out.Status.Verdict != "keep_going")
		})
		if n := h.answers()[key]; n != 1 {
			t.Fatalf("%q is there %d times", key, n)
		}
		q = h.insist("ann") // the answers are at random, and some study may have noticed
	}
	if refused < 4 || sprung < 4 {
		t.Errorf("frozen %d times, refused %d times: next to nothing was tested", sprung, refused)
	}
	t.Logf("frozen %d times, refused %d times", sprung, refused)
	rested(t, line, goroutines)
	if err := h.store.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestDatabaseSlow: with 50 ms more for each message everything takes longer, and nothing fails.
func TestDatabaseSlow(t *testing.T) {
	h, line := faultyTestServer(t, 10*time.Second)
	q := h.insist("ann")
	line.Delay(50 * time.Millisecond)
	start := time.Now()
	var out live.Told
	if !h.try("POST", "/v1/studies/coffee/tell?next=true", fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k"}`, q.ID), &out) || out.Next == nil {
		t.Errorf("the next question is %v", out.Next)
	}
	t.Logf("an answer with the next question took %v", time.Since(start).Round(10*time.Millisecond))
	line.Delay(0)
	if n := h.answers()["k"]; n != 1 {
		t.Errorf("the answer is there %d times", n)
	}
}
