package cooperate

import (
	"cmp"
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// TestParallel: every task is called once, whatever the number of workers; an ended context leaves the first; a panic reaches the caller.
func TestParallel(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 50} {
		var calls [20]atomic.Int32
		var made atomic.Int32
		Parallel(t.Context(), len(calls), workers, func(int) func(int) {
			made.Add(1)
			return func(i int) { calls[i].Add(1) }
		})
		for i := range calls {
			if calls[i].Load() != 1 {
				t.Errorf("%d workers: task %d was called %d times", workers, i, calls[i].Load())
			}
		}
		if n := int(made.Load()); n != min(cmp.Or(workers, runtime.GOMAXPROCS(0)), len(calls)) {
			t.Errorf("%d workers: %d were made", workers, n)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	var first, other atomic.Int32
	Parallel(ended, 20, 3, func(int) func(int) {
		return func(i int) {
			if i == 0 {
				first.Add(1)
			} else {
				other.Add(1)
			}
		}
	})
	if first.Load() != 1 || other.Load() != 0 {
		t.Errorf("after the end task 0 was called %d times, others %d times", first.Load(), other.Load())
	}
	defer func() {
		if s, _ := recover().(string); !strings.Contains(s, "no such place") {
			t.Errorf("the caller saw %q", s)
		}
	}()
	Parallel(t.Context(), 20, 3, func(int) func(int) { return func(int) { panic("no such place") } })
}
