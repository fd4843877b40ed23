package cooperate

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls task(0) … task(count−1) as Parallel does and returns the first error in their order, or why ctx ended.
func Each(ctx context.Context, count, workers int, task func(i int) error) error {
	errs := make([]error, count)
	Parallel(ctx, count, workers, func(int) func(int) { return func(i int) { errs[i] = task(i) } })
	return cmp.Or(append(errs, context.Cause(ctx))...)
}

// Parallel calls task(0) … task(count−1), each once and in any order, on up to workers goroutines, 0 for as many as there are processors; newTask makes one task per worker. When ctx ends, tasks not
// begun are left out, but task(0) is always called. A panic in a task, such as that of an objective of the caller's, is raised again in the caller's goroutine,
// where it can be recovered.
func Parallel(ctx context.Context, count, workers int, newTask func(worker int) func(i int)) {
	var next atomic.Int64
	work := func(worker int) {
		task := newTask(worker)
		for {
			YieldIfDue()
			i := int(next.Add(1)) - 1
			if i >= count || i > 0 && ctx.Err() != nil {
				return
			}
			task(i)
		}
	}
	if workers = min(cmp.Or(workers, runtime.GOMAXPROCS(0)), count); workers <= 1 {
		work(0)
		return
	}
	var wg sync.WaitGroup
	var raised atomic.Pointer[string]
	for worker := range workers {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					s := fmt.Sprintf("panic in parallel: %v\n%s", v, debug.Stack())
					raised.CompareAndSwap(nil, &s)
				}
			}()
			work(worker)
		})
	}
	wg.Wait()
	if s := raised.Load(); s != nil {
		panic(*s)
	}
}
