package gate

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// A body may bring nothing for stalled at most, and has to come at slowest bytes a second on the whole: a megabyte may take two minutes.
const (
	stalled = 5 * time.Second
	slowest = 8 << 10
)

// steady is a body that has to keep coming.
type steady struct {
	io.ReadCloser
	control *http.ResponseController
	stall   time.Duration // how long it may bring nothing
	start   time.Time
	read    int64
}

func (s *steady) Read(p []byte) (int, error) {
	s.bound()
	n, err := s.ReadCloser.Read(p)
	s.read += int64(n)
	return n, err
}

// bound has the next bytes come in time.
func (s *steady) bound() {
	_ = s.control.SetReadDeadline(s.due(time.Now())) // a writer without deadlines is a test's
}

// due returns when the next bytes must have come.
func (s *steady) due(now time.Time) time.Time {
	next, whole := now.Add(s.stall), s.start.Add(s.stall+time.Duration(s.read)*time.Second/slowest)
	return slices.MinFunc([]time.Time{next, whole}, time.Time.Compare)
}

// RequireProgress makes an operation read a body that must keep arriving, instead of one with a fixed timeout.
func (g *Gate) RequireProgress(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	body := &steady{ReadCloser: r.Body, control: http.NewResponseController(w), stall: g.Stall, start: time.Now()}
	r.Body = body
	body.bound() // net/http reads some of a body that is not wanted
	next(ctx)
}

// RequestOf returns the request of a context and where its reply goes, for an operation that reads the body itself, as it comes.
func RequestOf(ctx context.Context) (http.ResponseWriter, *http.Request) {
	c := ctx.Value(recordKey{}).(*record)
	return c.w, c.r
}

// transfer is the body of a request. Reading one that breaks off, other than by a timeout, panics with broken, of which finish makes a 400 in place of a 500.
type transfer struct{ io.ReadCloser }

// broken is why a transfer broke off: an invalid chunk, an end before the promised length, a client that is gone.
type broken struct{ error }

func (t transfer) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	var late net.Error
	if err == nil || err == io.EOF || errors.As(err, &late) && late.Timeout() {
		return n, err
	}
	panic(broken{err})
}

// readable reports whether some operation reads bodies of this type. Forms of other sites are not, except uploads, which the check of the origin stops.
func readable(r *http.Request) bool {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch kind = strings.ToLower(strings.TrimSpace(kind)); {
	case kind == "application/json" || strings.HasSuffix(r.URL.Path, "/import"):
		return true
	case r.URL.Path == UploadPath:
		return kind == "application/jsonl" || kind == "application/x-ndjson" || kind == "text/plain"
	case strings.HasSuffix(r.URL.Path, "/items") || r.URL.Path == "/v1/media" || r.URL.Path == "/start/files" || strings.HasPrefix(r.URL.Path, "/s/") && strings.HasSuffix(r.URL.Path, "/files"):
		return kind == "multipart/form-data"
	}
	return false
}

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// zipped sends text compressed by gzip. Whether it does is decided by the first write, so the header waits for that.
type zipped struct {
	http.ResponseWriter
	status int
	sent   bool
	z      *gzip.Writer
}

// compress calls next with a reply that is compressed if the client takes gzip.
func compress(next http.Handler, w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead || !takesGzip.MatchString(r.Header.Get("Accept-Encoding")) {
		next.ServeHTTP(w, r)
		return
	}
	out := &zipped{ResponseWriter: w, status: http.StatusOK}
	next.ServeHTTP(out, r)
	out.send(0)
	if out.z != nil {
		_ = out.z.Close() // the client may be gone
		zippers.Put(out.z)
	}
}

// takesGzip matches an Accept-Encoding that has gzip, with no weight or one above 0.
var takesGzip = regexp.MustCompile(`(^|,)\s*gzip\s*(,|$|;\s*q=(1|0?\.\d*[1-9]))`)

// textual reports whether a content type is text that compresses well. An event stream is not held back.
func textual(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	return kind != "text/event-stream" && (strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "javascript") || strings.HasSuffix(kind, "+xml"))
}

// send sends the header, before so many bytes or more of a body.
func (z *zipped) send(length int) {
	if z.sent {
		return
	}
	z.sent = true
	if h := z.Header(); textual(h.Get("Content-Type")) {
		h.Add("Vary", "Accept-Encoding")
		if length >= 1024 && h.Get("Content-Encoding") == "" && h.Get("Content-Range") == "" {
			h.Set("Content-Encoding", "gzip")
			h.Del("Content-Length")
			z.z = zippers.Get().(*gzip.Writer)
			z.z.Reset(z.ResponseWriter)
		}
	}
	z.ResponseWriter.WriteHeader(z.status)
}

func (z *zipped) WriteHeader(status int) {
	if status < http.StatusOK {
		z.ResponseWriter.WriteHeader(status)
		return
	}
	if !z.sent {
		z.status = status
	}
}

func (z *zipped) Write(p []byte) (int, error) {
	if z.Header().Get("Content-Type") == "" && !z.sent {
		z.Header().Set("Content-Type", http.DetectContentType(p))
	}
	z.send(len(p))
	if z.z != nil {
		return z.z.Write(p)
	}
	return z.ResponseWriter.Write(p)
}

// FlushError sends what there is.
func (z *zipped) FlushError() error {
	z.send(0)
	if z.z != nil {
		if err := z.z.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(z.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (z *zipped) Unwrap() http.ResponseWriter { return z.ResponseWriter }
