package server

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCrossSite: a page from elsewhere can make a browser send requests, and none of them changes anything.
func TestCrossSite(t *testing.T) {
	h := newTestServer(t, nil)
	for _, header := range [][]string{
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"},
	} {
		h.refused(403, "cross_site", "", "POST", "/v1/studies", coffee, header...)
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		h.refused(415, "content_type", "", "POST", "/v1/studies", coffee, "Content-Type", kind)
	}
	h.want(201, "POST", "/v1/studies", coffee, nil, "Origin", h.web.URL, "Sec-Fetch-Site", "same-origin")
	// Where everyone who reaches the server owns it, reading is refused as well: a page could have a picture load for minutes.
	h.refused(403, "cross_site", "", "GET", "/v1/studies/coffee/belief?points=201", "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "image")
	h.want(200, "GET", "/v1/studies/coffee/belief", "", nil, "Sec-Fetch-Site", "same-origin")
	h.want(200, "GET", "/", "", nil, "Sec-Fetch-Site", "cross-site") // a link in somebody's notes
	_, head, _ := h.do("GET", "/v1/studies", "")
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Access-Control-Allow-Origin": ""} {
		if got := head.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestHost: without a token only local names are answered, so that a name which was made to point here is not.
func TestHost(t *testing.T) {
	ask := func(h *testServer, host string) int {
		req, err := http.NewRequest("GET", h.web.URL+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		resp, err := h.web.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	open, closed := newTestServer(t, nil), newTestServer(t, withOwner)
	named := newTestServer(t, func(c *Config) { c.Hosts = []string{"prefer.example"} })
	for host, want := range map[string][3]int{
		"localhost": {200, 200, 200}, "localhost:8080": {200, 200, 200}, "127.0.0.1": {200, 200, 200}, "[::1]:80": {200, 200, 200},
		"evil.example": {421, 200, 421}, "prefer.example:80": {421, 200, 200}, "127.0.0.1.evil.example": {421, 200, 421}, "192.168.0.7": {421, 200, 421},
	} {
		if got := [3]int{ask(open, host), ask(closed, host), ask(named, host)}; got != want {
			t.Errorf("%s: %v, want %v", host, got, want)
		}
	}
}

// TestPanic: a panic is a problem without a word of what went wrong, and the log says it.
func TestPanic(t *testing.T) {
	var mu sync.Mutex
	var log strings.Builder
	h := newTestServer(t, func(c *Config) {
		c.Page = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("the secret") })
		c.Logger = slog.New(slog.NewTextHandler(lockedWriter{&mu, &log}, nil))
	})
	h.refused(500, "internal", "", "GET", "/page", "")
	_, _, text := h.do("GET", "/page", "")
	mu.Lock()
	defer mu.Unlock()
	if contains(text, "secret") || contains(text, "goroutine") || !strings.Contains(log.String(), "the secret") || !strings.Contains(log.String(), "guard_test.go") {
		t.Errorf("the body is %s, the log %s", text, log.String())
	}
}

type lockedWriter struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// TestSlowUpload: a request that takes longer to arrive than a reply may take to send gets its reply.
func TestSlowUpload(t *testing.T) {
	h := newTestServer(t, nil)
	web := httptest.NewUnstartedServer(h.server.Handler())
	web.Config.WriteTimeout = 50 * time.Millisecond
	web.Start()
	defer web.Close()
	body, slowly := io.Pipe()
	go func() {
		half := len(coffee) / 2
		_, _ = io.WriteString(slowly, coffee[:half])
		time.Sleep(300 * time.Millisecond)
		_, _ = io.WriteString(slowly, coffee[half:])
		slowly.Close()
	}()
	reply, err := http.Post(web.URL+"/v1/studies", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusCreated {
		t.Errorf("the slow request is answered with %s", reply.Status)
	}
}

// TestHealthHasNoLimit: using up the requests of an address does not make the server look dead from there.
func TestHealthHasNoLimit(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.OwnerToken, c.Rate = strings.Repeat("o", minOwnerToken), 1 })
	stranger := h.as("")
	for range 100 {
		stranger.do("GET", "/openapi.json", "")
	}
	stranger.refused(429, "too_many", "", "GET", "/openapi.json", "")
	stranger.want(200, "GET", "/healthz", "", nil)
}
