package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/internal/histogram"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// metrics count requests; what happens to studies package live counts, and what the database does package store.
type metrics struct {
	running atomic.Int64

	mu       sync.Mutex
	requests map[requestKind]uint64
	seconds  map[string]*histogram.Histogram // by operation
}

type requestKind struct {
	operation string
	status    int
}

// answered counts a request that is over. How long somebody listened to a stream says nothing about the server.
func (m *metrics) answered(operation string, status int, took time.Duration, stream bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[requestKind{operation, status}]++
	if stream {
		return
	}
	if m.seconds[operation] == nil {
		m.seconds[operation] = new(histogram.Histogram)
	}
	m.seconds[operation].Add(took)
}

// write prints everything.
func (m *metrics) write(w io.Writer, studies *live.Studies, st *sqlstore.Store, b Build) {
	all := studies.Counters
	about := func(kind, name, help string) { fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	one := func(kind, name, help string, value int64) {
		about(kind, name, help)
		fmt.Fprintf(w, "%s %d\n", name, value)
	}
	about("gauge", "prefer_build_info", "Which program this is; always 1.")
	fmt.Fprintf(w, "prefer_build_info{version=%q,commit=%q,go=%q} 1\n", b.Version, b.Commit, runtime.Version())
	about("histogram", "prefer_ask_seconds", "How long raters waited for a question.")
	all.Asks.Write(w, "prefer_ask_seconds", "")
	about("histogram", "prefer_tell_seconds", "How long an answer took to be kept.")
	all.Tells.Write(w, "prefer_tell_seconds", "")
	for field, v := range reflect.ValueOf(all).Elem().Fields() {
		if n, ok := v.Addr().Interface().(*atomic.Int64); ok {
			one("counter", field.Tag.Get("metric"), field.Tag.Get("help"), n.Load())
		}
	}
	m.mu.Lock()
	about("counter", "prefer_requests_total", "Requests by operation and status.")
	for _, k := range slices.SortedFunc(maps.Keys(m.requests), func(a, b requestKind) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), a.status-b.status)
	}) {
		fmt.Fprintf(w, "prefer_requests_total{operation=%q,status=\"%d\"} %d\n", k.operation, k.status, m.requests[k])
	}
	about("histogram", "prefer_request_seconds", "How long requests took by operation, streams of events aside.")
	for _, operation := range slices.Sorted(maps.Keys(m.seconds)) {
		m.seconds[operation].Write(w, "prefer_request_seconds", fmt.Sprintf("operation=%q", operation))
	}
	m.mu.Unlock()
	one("gauge", "prefer_requests_running", "Requests that are being answered, streams of events among them.", m.running.Load())
	about("histogram", "prefer_store_seconds", "How long the database took: to give a connection, for whole transactions, and for COMMIT alone.")
	times := st.Times()
	for _, operation := range slices.Sorted(maps.Keys(times)) {
		times[operation].Write(w, "prefer_store_seconds", fmt.Sprintf("operation=%q", operation))
	}
	pool := st.Pool()
	about("gauge", "prefer_store_connections", "Connections to the database.")
	fmt.Fprintf(w, "prefer_store_connections{state=\"idle\"} %d\nprefer_store_connections{state=\"in_use\"} %d\n", pool.Idle, pool.InUse)
	one("gauge", "prefer_store_connections_max", "Connections to the database at most.", int64(pool.MaxOpenConnections))
	one("counter", "prefer_store_connection_waits_total", "Times that all connections were in use.", pool.WaitCount)
	about("counter", "prefer_store_connection_wait_seconds_total", "How long was waited for one.")
	fmt.Fprintf(w, "prefer_store_connection_wait_seconds_total %g\n", pool.WaitDuration.Seconds())
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	one("gauge", "prefer_open_studies", "Studies held open.", int64(studies.OpenCount()))
	kept := memory.Process.Stats()
	one("gauge", "prefer_posterior_bytes", "Memory of the posteriors that are kept.", kept.Used)
	one("gauge", "prefer_memory_limit_bytes", "Memory that posteriors and logs of studies may take up.", kept.Limit)
	one("counter", "prefer_posteriors_evicted_total", "Posteriors that had to go, to be computed again when they are wanted.", kept.Evicted)
	one("gauge", "prefer_event_streams", "Clients that listen for changes.", int64(studies.Watchers()))
	one("gauge", "prefer_jobs_waiting", "Simulations and reports this server looks after that are not over.", int64(studies.Jobs.Waiting()))
	one("gauge", "prefer_goroutines", "Goroutines.", int64(runtime.NumGoroutine()))
	one("gauge", "prefer_heap_bytes", "Memory in use on the heap.", int64(mem.HeapAlloc))
}

// serveMetrics tells the owner, or what collects numbers for her, what happened so far.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if by := asker(r.Context()); !by.Owner && !by.scrape {
		problem.Write(w, ownersOnly)
		return
	}
	var text bytes.Buffer
	s.metrics.write(&text, s.studies, s.cfg.Store, s.cfg.Build)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(text.Bytes())
}

// maxHealth is how long a store may take to show that it keeps what it is given.
const maxHealth = 2 * time.Second

// Anybody may ask, and trying costs a write: at most maxTries at once, then two a second; more frequent requests get the last result.
const (
	maxTries  = 10
	tryPeriod = 500 * time.Millisecond
)

// health knows whether the server can do its work.
type health struct {
	ending atomic.Bool

	mu    sync.Mutex // held while the store is tried
	tries float64    // that are left
	at    time.Time  // when they were counted
	err   error      // the last word
}

// isProbe reports whether an address is what balancers ask, every few seconds, from an address they may share with strangers.
func isProbe(path string) bool { return path == "/livez" || path == "/readyz" || path == "/healthz" }

// serveReady says whether requests can be served now: the store keeps what it is given, and the server is not about to end. If not, it is a 503.
func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	if s.health.ending.Load() {
		problem.Write(w, problem.New(http.StatusServiceUnavailable, "closing", "the server is about to end"))
		return
	}
	if err := s.health.check(r.Context(), s.cfg.Store); err != nil {
		p := *problem.Of(r.Context(), s.log, err)
		p.Status, p.Title = http.StatusServiceUnavailable, http.StatusText(http.StatusServiceUnavailable)
		problem.Write(w, &p)
		return
	}
	fine(w)
}

func fine(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "{\"status\":\"ok\"}\n")
}

// check has the store try to keep something, unless that was done too often of late.
func (h *health) check(ctx context.Context, st *sqlstore.Store) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	h.tries = min(maxTries, h.tries+float64(now.Sub(h.at))/float64(tryPeriod)) // of the zero time there are as many as can be
	if h.at = now; h.tries < 1 {
		return h.err
	}
	h.tries--
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), maxHealth) // the word is for others, too
	defer stop()
	h.err = st.Ready(ctx)
	if errors.Is(h.err, context.DeadlineExceeded) {
		h.err = fmt.Errorf("%w: %w", store.ErrUnavailable, h.err)
	}
	return h.err
}

// record is what a log says of a request. Neither its path nor its query nor a header is in it: they can hold tokens.
type record struct {
	id     string
	remote string
	r      *http.Request // as its handler gets it: with the pattern it was found by
}

type recordKey struct{}

// sane is an id that a proxy or a client may give a request: nothing that a log, a header or a terminal minds.
var sane = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$`)

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

// logRequest writes the line of the access log about a request: at debug level without Config.AccessLog. Of probes only failures are logged.
func (s *Server) logRequest(ctx context.Context, c *record, w *reply, took time.Duration) {
	level := s.accessLevel(s.cfg.AccessLog && (!isProbe(c.r.URL.Path) || w.status != http.StatusOK))
	s.log.LogAttrs(ctx, level, "answered", slog.Int("status", w.status), slog.Float64("duration_ms", float64(took.Microseconds())/1000), slog.Int64("bytes", w.bytes), slog.String("remote", c.remote))
}

// accessLevel is the level of a line of the access log.
func (s *Server) accessLevel(wanted bool) slog.Level {
	if wanted {
		return slog.LevelInfo
	}
	return slog.LevelDebug
}
