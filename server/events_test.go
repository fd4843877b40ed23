package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/live"
)

// stream opens the event stream and returns its lines until it ends.
func (h *testServer) stream(ctx context.Context, header ...string) <-chan string {
	h.t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", h.web.URL+"/v1/studies/coffee/events", nil)
	if err != nil {
		h.t.Fatal(err)
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
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
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

// hear waits for a line.
func hear(t *testing.T, lines <-chan string, want string) {
	t.Helper()
	late := time.After(longest)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatalf("the stream ended before %q", want)
			}
			if strings.Contains(line, want) {
				return
			}
		case <-late:
			t.Fatalf("no %q", want)
		}
	}
}

func TestEvents(t *testing.T) {
	h := busyTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	lines, rater := h.stream(t.Context()), h.invite("coffee", "ann").stream(t.Context())
	hear(t, lines, `data: {"seq":1,"kind":"now"}`)
	hear(t, rater, `data: {"seq":1,"kind":"now"}`)
	q := h.ask("bob")
	hear(t, lines, `data: {"seq":2,"kind":"asked"}`)
	hear(t, rater, `data: {"seq":2,"kind":"changed"}`)
	h.tell(q, "first")
	hear(t, lines, `data: {"seq":3,"kind":"answered"}`)
	hear(t, rater, `data: {"seq":3,"kind":"changed"}`)
	// Another process on the same store is heard, too.
	other := openTestServer(t, h.path, withOwner)
	other.tell(other.ask("bob"), "second")
	hear(t, lines, `data: {"seq":5,"kind":`) // "elsewhere", or what it was where the store can tell
	// A client that comes back and has missed nothing hears nothing.
	again := h.stream(t.Context(), "Last-Event-ID", "5")
	h.ask("bob")
	hear(t, again, "id: 6")
	h.refused(422, "invalid", "header.Last-Event-ID", "GET", "/v1/studies/coffee/events", "", "Last-Event-ID", "x")
	h.refused(404, "no_study", "", "GET", "/v1/studies/tea/events", "")
	h.server.EndStreams()
	for range lines {
	}
	for range again {
	}
	h.refused(503, "closing", "", "GET", "/v1/studies/coffee/events", "")
}

// TestEventsOfOneRater: a rater has so many streams and no more, and is told; another has their own.
func TestEventsOfOneRater(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	ann, bob := h.invite("coffee", "ann"), h.invite("coffee", "bob")
	var last context.CancelFunc
	for range 8 {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		ann.stream(ctx)
		last = stop
	}
	status, head, text := ann.do("GET", "/v1/studies/coffee/events", "")
	if status != 429 || !contains(text, "8 times already") || head.Get("Retry-After") == "" {
		t.Fatalf("the ninth stream is %d %v %s", status, head, text)
	}
	bob.stream(t.Context())
	h.stream(t.Context())
	last()
	await(t, "the end of a stream", func() bool { return h.server.studies.Watchers() == 9 })
	ann.stream(t.Context())
	h.server.EndStreams()
}

// TestEventsOnce: a change that was kept before a stream began and notified after it is not told again, what has no event of its own is, and a study
// that begins again under its name is heard of from its first event on.
func TestEventsOnce(t *testing.T) {
	for last, want := range map[int]string{-1: "5 now, 5 verdict, 6 asked, 0 deleted, 1 created", 5: "5 verdict, 6 asked, 0 deleted, 1 created"} {
		var heard []string
		w := httptest.NewRecorder()
		changes := make(chan live.Change, 9)
		for _, c := range []live.Change{{Seq: 4, Kind: "asked"}, {Seq: 5, Kind: "answered"}, {Seq: 5, Kind: "verdict"}, {Seq: 6, Kind: "asked"}, {Kind: "deleted"}, {Seq: 1, Kind: "created"}} {
			changes <- c
		}
		close(changes)
		stream(t.Context(), w, changes, live.Change{Seq: 5, Kind: "now"}, last, true, func() bool { return true })
		for line := range strings.Lines(w.Body.String()) {
			var c live.Change
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				if err := json.Unmarshal([]byte(data), &c); err != nil {
					t.Fatal(err)
				}
				heard = append(heard, fmt.Sprint(c.Seq, " ", c.Kind))
			}
		}
		if got := strings.Join(heard, ", "); got != want {
			t.Errorf("a client that knows %d hears %s, want %s", last, got, want)
		}
	}
}
