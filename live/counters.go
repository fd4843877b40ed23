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
