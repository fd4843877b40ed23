package live

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Counters count what happened in a room.
type Counters struct {
	Asks  Histogram // how long raters waited for a question
	Tells Histogram // how long an answer took to be kept

	Hits       atomic.Int64 // questions that had been chosen ahead of time
	Misses     atomic.Int64 // questions that had to be searched for
	Partial    atomic.Int64 // questions whose search was cut short
	Dropped    atomic.Int64 // background tasks that found no room
	Conflicts  atomic.Int64 // changes repeated because another process came first
	Prefetched atomic.Int64 // questions chosen ahead of time
	Shared     atomic.Int64 // questions that another process had chosen ahead of time
	OutOfTurn  atomic.Int64 // questions chosen while another process held the study
	Stocked    atomic.Int64 // questions chosen for a crowd
	StockHits  atomic.Int64 // of those, asked
	StockWaits atomic.Int64 // times a rater waited for the stock
	TooLate    atomic.Int64 // times a rater of a crowd was told to come back

	JobsSent   atomic.Int64
	JobsDone   atomic.Int64
	JobsFailed atomic.Int64
}

// Bounds are the upper ends of the buckets of a Histogram, in seconds.
var Bounds = [...]float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5}

// Histogram counts durations.
type Histogram struct {
	mu      sync.Mutex
	buckets [len(Bounds) + 1]uint64 // one for each of Bounds and one beyond
	sum     float64
}

func (h *Histogram) since(start time.Time) {
	seconds := time.Since(start).Seconds()
	at, _ := slices.BinarySearch(Bounds[:], seconds)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buckets[at]++
	h.sum += seconds
}

// Read returns how many durations there were in each bucket, the last of which has no upper end, and their sum in
// seconds.
func (h *Histogram) Read() (buckets [len(Bounds) + 1]uint64, sum float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buckets, h.sum
}

// Times are how long the parts of a request took.
type Times struct {
	mu    sync.Mutex
	spent map[string]time.Duration // by part
}

type timesKey struct{}

// WithTimes returns a context under which a request keeps its times.
func WithTimes(ctx context.Context) (context.Context, *Times) {
	t := &Times{spent: map[string]time.Duration{}}
	return context.WithValue(ctx, timesKey{}, t), t
}

// timing returns the times of a request, nil if nobody reads them.
func timing(ctx context.Context) *Times {
	t, _ := ctx.Value(timesKey{}).(*Times)
	return t
}

// since adds the time from start to now to a part.
func (t *Times) since(part string, start time.Time) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.spent[part] += time.Since(start)
	}
}

// String is the value of an HTTP header Server-Timing: "fit;dur=7.3, store;dur=0.1", in milliseconds.
func (t *Times) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for _, part := range slices.Sorted(maps.Keys(t.spent)) {
		parts = append(parts, fmt.Sprintf("%s;dur=%.2f", part, float64(t.spent[part])/float64(time.Millisecond)))
	}
	return strings.Join(parts, ", ")
}
