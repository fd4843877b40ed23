package gate

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prefer-bo/prefer/server/problem"
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

type bodyKey struct{}

// Streamed is RequireProgress for an operation that reads the body itself, as it comes.
func (g *Gate) Streamed(ctx huma.Context, next func(huma.Context)) {
	g.RequireProgress(ctx, func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		next(huma.WithValue(ctx, bodyKey{}, Incoming{w, r}))
	})
}

// Incoming is a request whose body its operation reads.
type Incoming struct {
	W http.ResponseWriter
	R *http.Request
}

// IncomingOf returns the request of an operation behind Streamed.
func IncomingOf(ctx context.Context) Incoming { return ctx.Value(bodyKey{}).(Incoming) }

// Body returns the body, of which no more than max bytes are read.
func (in Incoming) Body(max int64) io.Reader { return http.MaxBytesReader(in.W, in.R.Body, max) }

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

// refuse answers the sender, if still there.
func (b broken) refuse(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	problem.Write(w, problem.New(http.StatusBadRequest, "transfer", "the body is incomplete, and nothing was done: "+b.Error()))
}

// readable reports whether some operation reads bodies of this type. Forms of other sites are not, except uploads, which the check of the origin stops.
func readable(r *http.Request) bool {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch kind = strings.ToLower(strings.TrimSpace(kind)); {
	case kind == "application/json":
		return true
	case strings.HasSuffix(r.URL.Path, "/import"):
		return true
	case r.URL.Path == UploadPath:
		return kind == "application/jsonl" || kind == "application/x-ndjson" || kind == "text/plain"
	case strings.HasSuffix(r.URL.Path, "/items") || r.URL.Path == "/v1/media" || r.URL.Path == "/start/files" || strings.HasPrefix(r.URL.Path, "/s/") && strings.HasSuffix(r.URL.Path, "/files"):
		return kind == "multipart/form-data"
	}
	return false
}
