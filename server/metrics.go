package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/store"
)

// metrics count requests; what happens to studies package live counts.
type metrics struct {
	mu       sync.Mutex
	requests map[requestKind]uint64
}

type requestKind struct {
	operation string
	status    int
}

// writeHistogram prints one in the text format that Prometheus reads, which takes less than a library for it would.
func writeHistogram(w io.Writer, h *live.Histogram, name, help string) {
	buckets, sum := h.Read()
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s histogram\n", name, help, name)
	var total uint64
	for i, n := range buckets {
		total += n
		le := "+Inf"
		if i < len(live.Bounds) {
			le = strconv.FormatFloat(live.Bounds[i], 'g', -1, 64)
		}
		fmt.Fprintf(w, "%s_bucket{le=%q} %d\n", name, le, total)
	}
	fmt.Fprintf(w, "%s_sum %g\n%s_count %d\n", name, sum, name, total)
}

// write prints everything.
func (m *metrics) write(w io.Writer, studies *live.Studies) {
	all := studies.Counters
	writeHistogram(w, &all.Asks, "prefer_ask_seconds", "How long raters waited for a question.")
	writeHistogram(w, &all.Tells, "prefer_tell_seconds", "How long an answer took to be kept.")
	one := func(kind, name, help string, value int64) {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s %d\n", name, help, name, kind, name, value)
	}
	count := func(name, help string, n *atomic.Int64) { one("counter", name, help, n.Load()) }
	count("prefer_prefetch_hits_total", "Questions that had been chosen while the rater looked at the one before.", &all.Hits)
	count("prefer_prefetch_misses_total", "Questions that had to be searched for while the rater waited.", &all.Misses)
	count("prefer_prefetched_total", "Questions chosen ahead of time.", &all.Prefetched)
	count("prefer_stocked_total", "Questions chosen for a crowd.", &all.Stocked)
	count("prefer_stock_hits_total", "Questions of those that were asked.", &all.StockHits)
	count("prefer_stock_waits_total", "Times a rater of a crowd waited for such questions to be chosen.", &all.StockWaits)
	count("prefer_shared_total", "Questions that another process had chosen ahead of time.", &all.Shared)
	count("prefer_out_of_turn_total", "Questions chosen while another process was choosing one.", &all.OutOfTurn)
	count("prefer_partial_total", "Questions whose search was cut short by the budget.", &all.Partial)
	count("prefer_background_dropped_total", "Background jobs that found the queue full.", &all.Dropped)
	count("prefer_conflicts_total", "Changes repeated because another process came first.", &all.Conflicts)
	count("prefer_jobs_sent_total", "Simulations and reports that were asked for.", &all.JobsSent)
	count("prefer_jobs_done_total", "Of those this server looked after, done.", &all.JobsDone)
	count("prefer_jobs_failed_total", "Of those this server looked after, failed.", &all.JobsFailed)
	m.mu.Lock()
	fmt.Fprint(w, "# HELP prefer_requests_total Requests by operation and status.\n# TYPE prefer_requests_total counter\n")
	for _, k := range slices.SortedFunc(maps.Keys(m.requests), func(a, b requestKind) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), a.status-b.status)
	}) {
		fmt.Fprintf(w, "prefer_requests_total{operation=%q,status=\"%d\"} %d\n", k.operation, k.status, m.requests[k])
	}
	m.mu.Unlock()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	one("gauge", "prefer_open_studies", "Studies held open.", int64(studies.OpenCount()))
	one("gauge", "prefer_event_streams", "Clients that listen for changes.", int64(studies.Watchers()))
	one("gauge", "prefer_jobs_waiting", "Simulations and reports this server looks after that are not over.", int64(studies.Jobs.Waiting()))
	one("gauge", "prefer_goroutines", "Goroutines.", int64(runtime.NumGoroutine()))
	one("gauge", "prefer_heap_bytes", "Memory in use on the heap.", int64(mem.HeapAlloc))
}

// maxHealth is how long a store may take to say that it is there.
const maxHealth = 2 * time.Second

// serveHealth says whether the server and its store are there. Anybody may ask, as balancers do; a store that cannot be
// reached is a 503.
func (s *Server) serveHealth(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithTimeout(r.Context(), maxHealth)
	defer stop()
	_, _, err := s.cfg.Store.FindNote(ctx, "", "health")
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	if err != nil {
		problem.Write(w, problem.Of(r.Context(), s.log, err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "{\"status\":\"ok\"}\n")
}

// serveMetrics tells the owner, or what collects numbers for her, what happened so far.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if by := asker(r.Context()); !by.Owner && !by.scrape {
		problem.Write(w, ownersOnly)
		return
	}
	var text bytes.Buffer
	s.metrics.write(&text, s.studies)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(text.Bytes())
}
