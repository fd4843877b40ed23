package server

import (
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// A body may bring nothing for stalled at most, and has to come at slowest bytes a second on the whole, after stalled. A megabyte may take two minutes, as
// over a slow phone, and a body that stops is a 408 after seconds.
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
	if whole.Before(next) {
		return whole
	}
	return next
}

// steadily has an operation read a body that has to keep coming, in place of one that has a fixed time.
func (s *Server) steadily(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	body := &steady{ReadCloser: r.Body, control: http.NewResponseController(w), stall: s.stall, start: time.Now()}
	r.Body = body
	body.bound() // net/http reads some of a body that is not wanted
	next(ctx)
}

type bodyKey struct{}

// streamed is steadily for an operation that reads the body itself, as it comes.
func (s *Server) streamed(ctx huma.Context, next func(huma.Context)) {
	s.steadily(ctx, func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		next(huma.WithValue(ctx, bodyKey{}, incoming{w, r}))
	})
}

// incoming is a request whose body its operation reads.
type incoming struct {
	w http.ResponseWriter
	r *http.Request
}

// body returns the body, of which no more than max bytes are read.
func (in incoming) body(max int64) io.Reader { return http.MaxBytesReader(in.w, in.r.Body, max) }
