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

	"github.com/prefer-bo/prefer/internal/histogram"
)

// Counters count what happened in a room.
type Counters struct {
	Asks  histogram.Histogram // how long raters waited for a question
	Tells histogram.Histogram // how long an answer took to be kept

	// What /metrics calls each, in its order.
	Hits       atomic.Int64 `metric:"prefer_prefetch_hits_total" help:"Questions that had been chosen while the rater looked at the one before."`
	Misses     atomic.Int64 `metric:"prefer_prefetch_misses_total" help:"Questions that had to be searched for while the rater waited."`
	Prefetched atomic.Int64 `metric:"prefer_prefetched_total" help:"Questions chosen ahead of time."`
	Stocked    atomic.Int64 `metric:"prefer_stocked_total" help:"Questions chosen for a crowd."`
	StockHits  atomic.Int64 `metric:"prefer_stock_hits_total" help:"Questions of those that were asked."`
	StockWaits atomic.Int64 `metric:"prefer_stock_waits_total" help:"Times a rater of a crowd waited for such questions to be chosen."`
	TooLate    atomic.Int64 `metric:"prefer_too_late_total" help:"Times a rater of a crowd was told to come back, for no question was found in time."`
	Shared     atomic.Int64 `metric:"prefer_shared_total" help:"Questions that another process had chosen ahead of time."`
	OutOfTurn  atomic.Int64 `metric:"prefer_out_of_turn_total" help:"Questions chosen while another process was choosing one."`
	Partial    atomic.Int64 `metric:"prefer_partial_total" help:"Questions whose search was cut short by the budget."`
	Dropped    atomic.Int64 `metric:"prefer_background_dropped_total" help:"Background jobs that found the queue full."`
	Conflicts  atomic.Int64 `metric:"prefer_conflicts_total" help:"Changes repeated because another process came first."`
	JobsSent   atomic.Int64 `metric:"prefer_jobs_sent_total" help:"Simulations and reports that were asked for."`
	JobsDone   atomic.Int64 `metric:"prefer_jobs_done_total" help:"Of those this server looked after, done."`
	JobsFailed atomic.Int64 `metric:"prefer_jobs_failed_total" help:"Of those this server looked after, failed."`
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
