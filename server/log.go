package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"regexp"
	"time"

	"github.com/prefer-bo/prefer/server/problem"
)

// record is what a log says of a request. Neither its path nor its query nor a header is in it: they can hold tokens.
type record struct {
	id     string
	remote string
	r      *http.Request // as its handler gets it: with the pattern it was found by
}

type recordKey struct{}

// sane is an id that a proxy or a client may give a request: nothing that a log, a header or a terminal minds.
var sane = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$`)

// newRecord gives a request its id, the one it came with or a new one, and leaves that in the reply.
func (s *Server) newRecord(w http.ResponseWriter, r *http.Request) *record {
	id := r.Header.Get(problem.RequestID)
	if !sane.MatchString(id) {
		id = rand.Text()[:16] // 80 bits
	}
	w.Header().Set(problem.RequestID, id)
	return &record{id: id, remote: s.address(r), r: r}
}

// requestID returns the id of the request of a context.
func requestID(ctx context.Context) string {
	if c, ok := ctx.Value(recordKey{}).(*record); ok {
		return c.id
	}
	return ""
}

// operation is the pattern that a request was found by, as in /metrics.
func (c *record) operation() string { return cmp.Or(c.r.Pattern, "none") }

// maxStudy is how much of the name of a study a log repeats; names have 200 characters, addresses may have more.
const maxStudy = 200

// study is the one that a request is about, "" if none.
func (c *record) study() string {
	name := cmp.Or(c.r.PathValue("study"), asker(c.r.Context()).Study)
	return string([]rune(name)[:min(len([]rune(name)), maxStudy)])
}

// recorder is a handler of log lines that adds to those of a request which one that was.
type recorder struct{ slog.Handler }

func (h recorder) Handle(ctx context.Context, line slog.Record) error {
	if c, ok := ctx.Value(recordKey{}).(*record); ok {
		line = line.Clone()
		line.AddAttrs(slog.String("request", c.id), slog.String("operation", c.operation()))
		if study := c.study(); study != "" {
			line.AddAttrs(slog.String("study", study))
		}
	}
	return h.Handler.Handle(ctx, line)
}

func (h recorder) WithAttrs(attrs []slog.Attr) slog.Handler {
	return recorder{h.Handler.WithAttrs(attrs)}
}
func (h recorder) WithGroup(name string) slog.Handler { return recorder{h.Handler.WithGroup(name)} }

// logRequest is the line of the access log about a request that is over: seen with Config.AccessLog, or by who wants to know
// everything. Of probes, which ask every few seconds, only what is wrong is told.
func (s *Server) logRequest(ctx context.Context, c *record, w *reply, took time.Duration) {
	level := slog.LevelDebug
	if s.cfg.AccessLog && (!isProbe(c.r.URL.Path) || w.status != http.StatusOK) {
		level = slog.LevelInfo
	}
	s.log.LogAttrs(ctx, level, "answered", slog.Int("status", w.status), milliseconds(took), slog.Int64("bytes", w.bytes), slog.String("remote", c.remote))
}

// logStream is the line about a stream that has begun; when it ends it is answered, as any request.
func (s *Server) logStream(ctx context.Context) {
	level := slog.LevelDebug
	if s.cfg.AccessLog {
		level = slog.LevelInfo
	}
	if c, ok := ctx.Value(recordKey{}).(*record); ok {
		s.log.LogAttrs(ctx, level, "a stream begins", slog.String("remote", c.remote))
	}
}

// milliseconds is a duration that reads the same in text and JSON.
func milliseconds(d time.Duration) slog.Attr {
	return slog.Float64("duration_ms", float64(d.Microseconds())/1000)
}
