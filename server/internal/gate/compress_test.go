package gate

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestCompress: text of some length is compressed for clients that take it; pictures, parts of files, short replies and streams are sent as they are.
func TestCompress(t *testing.T) {
	long := strings.Repeat("what is text ", 1000)
	for _, c := range []struct {
		name, accepts, kind, body string
		status                    int
		zipped                    bool
	}{
		{"a page", "br, gzip;q=0.8", "text/html; charset=utf-8", long, 200, true},
		{"a problem", "gzip", "application/problem+json", long, 404, true},
		{"a drawing", "gzip", "image/svg+xml", long, 200, true},
		{"a kind that nobody named", "gzip", "", long, 200, true},
		{"refused", "gzip;q=0, br", "text/html", long, 200, false},
		{"nothing taken", "", "text/html", long, 200, false},
		{"a picture", "gzip", "image/png", long, 200, false},
		{"short", "gzip", "application/json", "{}", 200, false},
		{"a stream", "gzip", "text/event-stream", long, 200, false},
		{"no body", "gzip", "text/html", "", 204, false},
	} {
		r, w := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		r.Header.Set("Accept-Encoding", c.accepts)
		compress(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if c.kind != "" {
				w.Header().Set("Content-Type", c.kind)
			}
			w.WriteHeader(c.status)
			if _, err := io.WriteString(w, c.body); err != nil && c.body != "" {
				t.Error(err)
			}
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
		}), w, r)
		text := w.Body.String()
		if c.zipped {
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			plain, err := io.ReadAll(z)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if w.Body.Len() > len(plain)/4 || w.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s: %d of %d bytes, Vary %q", c.name, w.Body.Len(), len(plain), w.Header().Get("Vary"))
			}
			text = string(plain)
		}
		if text != c.body || w.Code != c.status || (w.Header().Get("Content-Encoding") == "gzip") != c.zipped {
			t.Errorf("%s: %d with %d bytes, encoding %q", c.name, w.Code, len(text), w.Header().Get("Content-Encoding"))
		}
	}
}
