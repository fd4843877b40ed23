package server

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// times are how long the parts of a request took, for the Server-Timing header.
type times struct {
	mu    sync.Mutex
	names []string
	spent []time.Duration
}

type timesKey struct{}

// timed returns a context whose request keeps times.
func timed(ctx context.Context) (context.Context, *times) {
	t := &times{}
	return context.WithValue(ctx, timesKey{}, t), t
}

// timing returns the times of a request; they may be written to even if nobody reads them.
func timing(ctx context.Context) *times {
	if t, ok := ctx.Value(timesKey{}).(*times); ok {
		return t
	}
	return &times{}
}

func (t *times) add(name string, d time.Duration) {
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

// String is the value of the header: "store;dur=0.1, fit;dur=7.3", in milliseconds.
func (t *times) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	parts := make([]string, len(t.names))
	for i, n := range t.names {
		parts[i] = fmt.Sprintf("%s;dur=%.2f", n, float64(t.spent[i])/float64(time.Millisecond))
	}
	return strings.Join(parts, ", ")
}
