package gate

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/internal/histogram"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
)

// record is what a log says of a request. Neither its path nor its query nor a header is in it: they can hold tokens.
type record struct {
	id     string
	remote string
	r      *http.Request // as its handler gets it: with the pattern it was found by
	w      http.ResponseWriter
}

type recordKey struct{}

// validID matches an id that a proxy or a client may give a request: nothing that a log, a header or a terminal minds.
var validID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$`)

// operation is the pattern that a request was found by, as in /metrics.
func (c *record) operation() string { return cmp.Or(c.r.Pattern, "none") }

// study is the one that a request is about, "" if none. Names have 200 characters, addresses may have more, and a log does not repeat those.
func (c *record) study() string {
	name := cmp.Or(c.r.PathValue("study"), CallerOf(c.r.Context()).Study)
	return string([]rune(name)[:min(len([]rune(name)), 200)])
}

// LogsRequests returns a logger whose lines about a request say which one that was.
func LogsRequests(log *slog.Logger) *slog.Logger { return slog.New(recorder{log.Handler()}) }

// recorder is a handler of log lines that adds the request to lines about one.
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

// log writes a line of the access log: at debug level unless it is wanted.
func (g *Gate) log(ctx context.Context, wanted bool, line string, attrs ...slog.Attr) {
	level := slog.LevelDebug
	if wanted {
		level = slog.LevelInfo
	}
	g.cfg.Logger.LogAttrs(ctx, level, line, attrs...)
}

// LogStream writes the line of the access log about a stream of events that begins. At its end the stream is logged like any request.
func (g *Gate) LogStream(ctx context.Context) {
	if c, ok := ctx.Value(recordKey{}).(*record); ok {
		g.log(ctx, g.cfg.AccessLog, "a stream begins", slog.String("remote", c.remote))
	}
}

// RequestID returns the id of the request of a context, "" if there is none.
func RequestID(ctx context.Context) string {
	if c, ok := ctx.Value(recordKey{}).(*record); ok {
		return c.id
	}
	return ""
}

// requests counts requests.
type requests struct {
	running atomic.Int64

	mu      sync.Mutex
	counts  map[requestKind]uint64
	seconds map[string]*histogram.Histogram // by operation
}

type requestKind struct {
	operation string
	status    int
}

// done counts a request that is over. How long somebody listened to a stream says nothing about the server.
func (q *requests) done(operation string, status int, took time.Duration, stream bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts[requestKind{operation, status}]++
	if stream {
		return
	}
	if q.seconds[operation] == nil {
		q.seconds[operation] = new(histogram.Histogram)
	}
	q.seconds[operation].Add(took)
}

// Running returns how many requests are being answered, streams of events among them.
func (g *Gate) Running() int64 { return g.requests.running.Load() }

// WriteMetrics writes the counts and durations of requests for /metrics; about writes the description of a metric.
func (g *Gate) WriteMetrics(w io.Writer, about func(kind, name, help string)) {
	q := g.requests
	q.mu.Lock()
	defer q.mu.Unlock()
	about("counter", "prefer_requests_total", "Requests by operation and status.")
	for _, k := range slices.SortedFunc(maps.Keys(q.counts), func(a, b requestKind) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), a.status-b.status)
	}) {
		fmt.Fprintf(w, "prefer_requests_total{operation=%q,status=\"%d\"} %d\n", k.operation, k.status, q.counts[k])
	}
	about("histogram", "prefer_request_seconds", "How long requests took by operation, streams of events aside.")
	for _, operation := range slices.Sorted(maps.Keys(q.seconds)) {
		q.seconds[operation].Write(w, "prefer_request_seconds", fmt.Sprintf("operation=%q", operation))
	}
}

// finish makes a problem of a panic, counts the request and logs it.
func (g *Gate) finish(ctx context.Context, w *reply, c *record, p any, start time.Time) {
	if b, ok := p.(broken); ok {
		if p = nil; w.status == 0 {
			w.Header().Set("Connection", "close")
			problem.Write(w, problem.New(http.StatusBadRequest, "transfer", "the body is incomplete, and nothing was done: "+b.Error()))
		}
	}
	if p != nil {
		if p == http.ErrAbortHandler {
			panic(p)
		}
		g.cfg.Logger.ErrorContext(ctx, "a request panicked", "panic", p, "stack", string(debug.Stack()))
		if w.status == 0 {
			problem.Write(w, problem.New(http.StatusInternalServerError, "internal", "something went wrong in the server; its log says what"))
		}
	}
	w.status = cmp.Or(w.status, http.StatusOK) // of an empty reply
	took := time.Since(start)
	g.requests.done(c.operation(), w.status, took, w.Header().Get("Content-Type") == "text/event-stream")
	wanted := g.cfg.AccessLog && (!isProbe(c.r.URL.Path) || w.status != http.StatusOK) // of probes only failures
	g.log(ctx, wanted, "answered", slog.Int("status", w.status), slog.Float64("duration_ms", float64(took.Microseconds())/1000), slog.Int64("bytes", w.bytes), slog.String("remote", c.remote))
}

// reply remembers the status, and adds the times to the header before it is written.
type reply struct {
	http.ResponseWriter
	times  *live.Times // nil: not for this caller
	status int
	bytes  int64 // written
}

func (w *reply) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
		if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests && w.Header().Get("Retry-After") == "" {
			w.Header().Set("Retry-After", problem.RetryAfter)
		}
		if w.times != nil {
			if t := w.times.String(); t != "" {
				w.Header().Set("Server-Timing", t)
			}
		}
		// From its first byte on: http.Server counts from the request's header, and an upload may take long. A writer without deadlines is a test's.
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(2 * time.Minute))
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *reply) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController flush.
func (w *reply) Unwrap() http.ResponseWriter { return w.ResponseWriter }
