package live

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// maxWait is how long the store is waited for. A database that restarts is back within the store's own patience; one
// that neither answers nor hangs up is given up after this.
const maxWait = 20 * time.Second

// lasting returns a context that does not end when whoever asked leaves, but in time: what was begun is finished.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), maxWait)
}

// Times are how long the parts of a request took.
type Times struct {
	mu    sync.Mutex
	names []string
	spent []time.Duration
}

type timesKey struct{}

// WithTimes returns a context under which a request keeps its times.
func WithTimes(ctx context.Context) (context.Context, *Times) {
	t := &Times{}
	return context.WithValue(ctx, timesKey{}, t), t
}

// timing returns the times of a request; they may be written to even if nobody reads them.
func timing(ctx context.Context) *Times {
	if t, ok := ctx.Value(timesKey{}).(*Times); ok {
		return t
	}
	return &Times{}
}

// since adds the time from start to now to a part.
func (t *Times) since(name string, start time.Time) {
	d := time.Since(start)
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, n := range t.names {
		if n == name {
			t.spent[i] += d
			return
		}
	}
	t.names, t.spent = append(t.names, name), append(t.spent, d)
}

// String is the value of an HTTP header Server-Timing: "store;dur=0.1, fit;dur=7.3", in milliseconds.
func (t *Times) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	parts := make([]string, len(t.names))
	for i, n := range t.names {
		parts[i] = fmt.Sprintf("%s;dur=%.2f", n, float64(t.spent[i])/float64(time.Millisecond))
	}
	return strings.Join(parts, ", ")
}
