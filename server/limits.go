package server

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// address returns where a request comes from: the other end of the connection.
func (s *Server) address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// limits counts the requests of everybody who is not the owner: a bucket each, filled at a steady rate.
type limits struct {
	rate  float64 // a second; not positive: no limit
	burst float64
	now   func() time.Time

	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	level float64
	at    time.Time
}

// maxBuckets bounds the memory that strangers can take up.
const maxBuckets = 10_000

func newLimits(rate float64, now func() time.Time) *limits {
	return &limits{rate: rate, burst: max(1, 3*rate), now: now, buckets: map[string]*bucket{}}
}

// allow takes one request out of a bucket, and says how long to wait if it is empty.
func (l *limits) allow(key string) (wait time.Duration, ok bool) {
	if l.rate <= 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b := l.buckets[key]
	if b == nil {
		if len(l.buckets) >= maxBuckets {
			l.sweep(now)
		}
		b = &bucket{level: l.burst, at: now}
		l.buckets[key] = b
	}
	b.level = min(l.burst, b.level+l.rate*now.Sub(b.at).Seconds())
	b.at = now
	if b.level < 1 {
		return time.Duration((1 - b.level) / l.rate * float64(time.Second)), false
	}
	b.level--
	return 0, true
}

// sweep forgets buckets that are full again, and all of them if that leaves too many.
func (l *limits) sweep(now time.Time) {
	for key, b := range l.buckets {
		if b.level+l.rate*now.Sub(b.at).Seconds() >= l.burst {
			delete(l.buckets, key)
		}
	}
	if len(l.buckets) >= maxBuckets {
		clear(l.buckets)
	}
}
