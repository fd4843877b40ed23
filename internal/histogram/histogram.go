// Package histogram counts durations for /metrics.
package histogram

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Bounds are the upper ends of the buckets, in seconds.
var Bounds = [...]float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5}

// Histogram counts durations. The zero value is empty; it is safe for concurrent use.
type Histogram struct {
	mu      sync.Mutex
	buckets [len(Bounds) + 1]uint64 // one for each of Bounds and one beyond
	sum     float64
}

// Add counts a duration.
func (h *Histogram) Add(d time.Duration) {
	seconds := d.Seconds()
	at, _ := slices.BinarySearch(Bounds[:], seconds)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buckets[at]++
	h.sum += seconds
}

// Since counts the time from start to now.
func (h *Histogram) Since(start time.Time) { h.Add(time.Since(start)) }

// Write prints the samples in the text format that Prometheus reads, which takes less than a library for it would. label
// is one for all of them, like `operation="read"`, or empty.
func (h *Histogram) Write(w io.Writer, name, label string) {
	h.mu.Lock()
	buckets, sum := h.buckets, h.sum
	h.mu.Unlock()
	before, braces := "", ""
	if label != "" {
		before, braces = label+",", "{"+label+"}"
	}
	var total uint64
	for i, n := range buckets {
		total += n
		le := "+Inf"
		if i < len(Bounds) {
			le = strconv.FormatFloat(Bounds[i], 'g', -1, 64)
		}
		fmt.Fprintf(w, "%s_bucket{%sle=%q} %d\n", name, before, le, total)
	}
	fmt.Fprintf(w, "%s_sum%s %g\n%s_count%s %d\n", name, braces, sum, name, braces, total)
}
