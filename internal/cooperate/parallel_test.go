package cooperate

import (
	"cmp"
	"context"
	"errors"
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

// TestEach: it returns the first error in the order of the tasks, or why the context ended.
func TestEach(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	if err := Each(context.Background(), 9, 3, func(i int) error { return map[int]error{4: first, 7: second}[i] }); err != first {
		t.Errorf("%v, want the error of task 4", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(second)
	if err := Each(ctx, 9, 3, func(int) error { return nil }); err != second {
		t.Errorf("%v, want the cause", err)
	}
	if err := Each(context.Background(), 0, 0, nil); err != nil {
		t.Errorf("%v of no task", err)
	}
}
