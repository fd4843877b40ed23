package server

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// metrics are what /metrics tells, in the text format that Prometheus reads.
type metrics struct {
	asks       histogram // how long a rater waited for a question
	tells      histogram
	hits       counter // questions that had been chosen ahead of time
	misses     counter
	partial    counter // questions whose search was cut short
	dropped    counter // background jobs that found no room
	conflicts  counter // changes repeated because another process came first
	prefetched counter
	shared     counter // questions that another process had chosen ahead of time
	outOfTurn  counter // questions chosen while another process held the study
	stocked    counter
	stockHits  counter // questions that were in stock
	stockWaits counter // times a rater waited for the stock

	jobsSent   counter
	jobsDone   counter
	jobsFailed counter

	mu       sync.Mutex
	requests map[requestKind]uint64
}

type requestKind struct {
	operation string
	status    int
}

func newMetrics() *metrics { return &metrics{requests: map[requestKind]uint64{}} }

type counter struct{ n atomic.Uint64 }

func (c *counter) add(n int) { c.n.Add(uint64(n)) }

// bounds are the upper ends of the histograms' buckets, in seconds.
var bounds = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5}

type histogram struct {
	mu      sync.Mutex
	buckets [12]uint64 // one for each of bounds and one beyond
	sum     float64
}

func (h *histogram) observe(d time.Duration) {
	at, _ := slices.BinarySearch(bounds, d.Seconds())
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buckets[at]++
	h.sum += d.Seconds()
}

func (h *histogram) write(w io.Writer, name, help string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s histogram\n", name, help, name)
	var total uint64
	for i, n := range h.buckets {
		total += n
		le := "+Inf"
		if i < len(bounds) {
			le = strconv.FormatFloat(bounds[i], 'g', -1, 64)
		}
		fmt.Fprintf(w, "%s_bucket{le=%q} %d\n", name, le, total)
	}
	fmt.Fprintf(w, "%s_sum %g\n%s_count %d\n", name, h.sum, name, total)
}

func (m *metrics) request(operation string, status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[requestKind{operation, status}]++
}

// write prints everything. studies is how many are open, listeners how many event streams, jobs how many are
// not over.
func (m *metrics) write(w io.Writer, studies, listeners, jobs int) {
	m.asks.write(w, "prefer_ask_seconds", "How long raters waited for a question.")
	m.tells.write(w, "prefer_tell_seconds", "How long an answer took to be kept.")
	for _, c := range []struct {
		name, help string
		c          *counter
	}{
		{"prefer_prefetch_hits_total", "Questions that had been chosen while the rater looked at the one before.", &m.hits},
		{"prefer_prefetch_misses_total", "Questions that had to be searched for while the rater waited.", &m.misses},
		{"prefer_prefetched_total", "Questions chosen ahead of time.", &m.prefetched},
		{"prefer_stocked_total", "Questions chosen for a crowd.", &m.stocked},
		{"prefer_stock_hits_total", "Questions of those that were asked.", &m.stockHits},
		{"prefer_stock_waits_total", "Times a rater of a crowd waited for such questions to be chosen.", &m.stockWaits},
		{"prefer_shared_total", "Questions that another process had chosen ahead of time.", &m.shared},
		{"prefer_out_of_turn_total", "Questions chosen while another process was choosing one.", &m.outOfTurn},
		{"prefer_partial_total", "Questions whose search was cut short by the budget.", &m.partial},
		{"prefer_background_dropped_total", "Background jobs that found the queue full.", &m.dropped},
		{"prefer_conflicts_total", "Changes repeated because another process came first.", &m.conflicts},
		{"prefer_jobs_sent_total", "Simulations and reports that were asked for.", &m.jobsSent},
		{"prefer_jobs_done_total", "Of those this server looked after, done.", &m.jobsDone},
		{"prefer_jobs_failed_total", "Of those this server looked after, failed.", &m.jobsFailed},
	} {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s counter\n%s %d\n", c.name, c.help, c.name, c.name, c.c.n.Load())
	}
	m.mu.Lock()
	fmt.Fprint(w, "# HELP prefer_requests_total Requests by operation and status.\n# TYPE prefer_requests_total counter\n")
	for _, k := range slices.SortedFunc(maps.Keys(m.requests), func(a, b requestKind) int {
		if a.operation != b.operation {
			if a.operation < b.operation {
				return -1
			}
			return 1
		}
		return a.status - b.status
	}) {
		fmt.Fprintf(w, "prefer_requests_total{operation=%q,status=\"%d\"} %d\n", k.operation, k.status, m.requests[k])
	}
	m.mu.Unlock()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	for _, g := range []struct {
		name, help string
		value      uint64
	}{
		{"prefer_open_studies", "Studies held open.", uint64(studies)},
		{"prefer_event_streams", "Clients that listen for changes.", uint64(listeners)},
		{"prefer_jobs_waiting", "Simulations and reports this server looks after that are not over.", uint64(jobs)},
		{"prefer_goroutines", "Goroutines.", uint64(runtime.NumGoroutine())},
		{"prefer_heap_bytes", "Memory in use on the heap.", mem.HeapAlloc},
	} {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s gauge\n%s %d\n", g.name, g.help, g.name, g.name, g.value)
	}
}
