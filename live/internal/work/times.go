package work

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer/internal/xslices"
)

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

// Timing returns the times of a request, nil if nobody reads them.
func Timing(ctx context.Context) *Times {
	t, _ := ctx.Value(timesKey{}).(*Times)
	return t
}

// Since adds the time from start to now to a part.
func (t *Times) Since(part string, start time.Time) {
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
	return strings.Join(xslices.Map(slices.Sorted(maps.Keys(t.spent)), func(part string) string {
		return fmt.Sprintf("%s;dur=%.2f", part, float64(t.spent[part])/float64(time.Millisecond))
	}), ", ")
}
