package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
	"golang.org/x/time/rate"
)

// writeMetrics prints everything: package gate counts requests, package live what happens to studies, and package store what the database does.
func (s *Server) writeMetrics(w io.Writer) {
	studies, st, b := s.studies, s.cfg.Store, s.cfg.Build
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
	s.gate.WriteMetrics(w, about)
	one("gauge", "prefer_requests_running", "Requests that are being answered, streams of events among them.", s.gate.Running())
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

// serveMetrics tells the owner, or what collects numbers for them, what happened so far.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if by := gate.CallerOf(r.Context()); !by.Owner && !by.Scrape {
		problem.Write(w, gate.OwnersOnly)
		return
	}
	var text bytes.Buffer
	s.writeMetrics(&text)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(text.Bytes())
}

// Anybody may ask, and trying costs a write: at most maxTries at once, then two a second; more frequent requests get the last result.
const (
	maxTries  = 10
	tryPeriod = 500 * time.Millisecond
)

// health knows whether the server can do its work.
type health struct {
	ending atomic.Bool

	mu    sync.Mutex // held while the store is tried
	tries *rate.Limiter
	err   error // the last word
}

// serveReady says whether requests can be served now: the store keeps what it is given, and the server is not about to end. If not, it is a 503.
func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	if s.health.ending.Load() {
		problem.Write(w, problem.New(http.StatusServiceUnavailable, "closing", "the server is shutting down"))
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
	if !h.tries.Allow() {
		return h.err
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second) // the word is for others, too
	defer stop()
	h.err = st.Ready(ctx)
	if errors.Is(h.err, context.DeadlineExceeded) {
		h.err = fmt.Errorf("%w: %w", store.ErrUnavailable, h.err)
	}
	return h.err
}
