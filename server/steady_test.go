package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/server/internal/gate"
)

// TestStalledBodies: a client that sends part of a body and then nothing gets 408 and what it sent is freed; with an unknown token, 401.
func TestStalledBodies(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.server.gate.Stall = 50 * time.Millisecond
	h.want(201, "POST", "/v1/studies", coffee, nil)
	up, _ := h.uploader("coffee")
	for _, c := range []struct {
		path, token, kind string
		want              int
	}{
		{gate.UploadPath, up.token, "application/jsonl", http.StatusRequestTimeout},
		{gate.UploadPath, "upload-" + strings.Repeat("x", 22), "application/jsonl", http.StatusUnauthorized},
		{"/v1/studies/coffee/import?format=jsonl", h.token, "application/octet-stream", http.StatusRequestTimeout},
	} {
		conn, err := net.Dial("tcp", h.web.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: 5000\r\n\r\n{\"format\":\"prefer.log\",", c.path, c.token, c.kind)
		if err := conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil { // the server's own would be minutes
			t.Fatal(err)
		}
		reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || reply.StatusCode != c.want {
			t.Errorf("%s: %+v, %v, want %d", c.path, reply, err, c.want)
		}
	}
}

// held is a body that stays open until it is let go.
type held struct{ began, end chan struct{} }

func (b held) Read([]byte) (int, error) {
	select {
	case b.began <- struct{}{}:
	default:
	}
	<-b.end
	return 0, io.EOF
}

// TestUploadAtOnce: with one token two logs come at a time. Another is refused before anything of it is read, with when to come back; so is one after
// a flood of answers.
func TestUploadAtOnce(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	h := newTestServer(t, func(c *Config) { withOwner(c); c.Now = func() time.Time { return now } })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	up, link := h.uploader("coffee")
	send := func(body io.Reader) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", gate.UploadPath, body)
		r.Header.Set("Authorization", "Bearer "+up.token)
		r.Header.Set("Content-Type", "application/jsonl")
		w := httptest.NewRecorder()
		h.server.Handler().ServeHTTP(w, r)
		return w
	}
	end := make(chan struct{})
	replies := make(chan int, 2)
	for range 2 {
		b := held{make(chan struct{}), end}
		go func() { replies <- send(b).Code }()
		<-b.began
	}
	third := held{make(chan struct{}, 1), end}
	if w := send(third); w.Code != 429 || w.Header().Get("Retry-After") != "2" || len(third.began) != 0 {
		t.Errorf("the third is a %d, to come back after %q s; it was read: %v", w.Code, w.Header().Get("Retry-After"), len(third.began) != 0)
	}
	other, _ := h.uploader("coffee")
	other.want(200, "POST", gate.UploadPath, h.home("coffee", "fay", 1), nil, logKind...) // another token is not held up
	close(end)
	for range 2 {
		if got := <-replies; got != 422 {
			t.Errorf("a body without an event is a %d", got)
		}
	}
	up.want(200, "POST", gate.UploadPath, h.home("coffee", "dora", 1), nil, logKind...)
	if _, done := h.server.gate.BeginUpload(gate.Caller{Study: "coffee", Upload: link.ID}); done == nil {
		t.Fatal("nobody uploads, and another is refused")
	} else {
		done(gate.UploadBurst)
	}
	flood := held{make(chan struct{}, 1), end}
	if w := send(flood); w.Code != 429 || w.Header().Get("Retry-After") != "2" || len(flood.began) != 0 {
		t.Errorf("after a flood it is a %d, to come back after %q s; it was read: %v", w.Code, w.Header().Get("Retry-After"), len(flood.began) != 0)
	}
	now = now.Add(2 * time.Second)
	up.want(200, "POST", gate.UploadPath, h.home("coffee", "dora", 1), nil, logKind...)
}
