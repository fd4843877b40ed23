// Package trial is what the benchmarks with simulated people have in common. A benchmark has a plan and one function that plays a
// study; [Each] and [Run] play the studies of the plan side by side, [File] keeps their rows and plays none of them twice, and a
// [Person] answers. The tables differ; what they are made of is here too.
package trial

import (
	"context"
	"fmt"
	"hash/fnv"
	"sync"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Seed returns a seed of its own for what has these names and a number, derived from the seed of a plan.
func Seed(plan uint64, number int, names ...any) uint64 {
	h := fnv.New64a()
	for i, name := range names {
		if i > 0 {
			h.Write([]byte{'/'})
		}
		fmt.Fprint(h, name)
	}
	return splitmix.At(plan^h.Sum64(), uint64(number))
}

// Progress is called with how many studies of how many there are: before the first one is played and after each, one call at a time. It may be nil.
type Progress func(played, of int)

// counter returns a function that reports one more study, after it has reported those there are.
func (p Progress) counter(played, of int) func() {
	if p == nil {
		return func() {}
	}
	var mu sync.Mutex
	p(played, of)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		played++
		p(played, of)
	}
}

// Each plays a study of every cell, so many at a time, and returns what they left behind in the order of the cells. No result
// depends on jobs. If ctx ends before all are played, Each returns its cause.
func Each[C, R any](ctx context.Context, jobs int, cells []C, done Progress, play func(context.Context, C) (R, error)) ([]R, error) {
	out := make([]R, len(cells))
	one := done.counter(0, len(cells))
	err := bench.Parallel(ctx, jobs, cells, func(ctx context.Context, i int, c C) (err error) {
		if out[i], err = play(ctx, c); err == nil {
			one()
		}
		return err
	})
	return out, err
}

// Unit is the work of one job: studies that are played one after the other because they share what Begin makes.
type Unit[K comparable, R Row[K]] struct {
	Keys  []K
	Begin func() (play func(context.Context, K) (R, error), err error)
}

// Run plays the studies that the file does not have, so many units at a time. has reports whether a row of the file is all that is
// wanted of its study. When ctx ends Run returns its cause; every study that was played stays in the file.
func Run[K comparable, R Row[K]](ctx context.Context, jobs int, units []Unit[K, R], file *File[K, R], has func(R) bool, done Progress) error {
	var todo []Unit[K, R]
	played, of := 0, 0
	for _, u := range units {
		left := xslices.Filter(u.Keys, func(k K) bool {
			row, there := file.Find(k)
			return !there || !has(row)
		})
		of += len(u.Keys)
		if played += len(u.Keys) - len(left); len(left) > 0 {
			todo = append(todo, Unit[K, R]{left, u.Begin})
		}
	}
	one := done.counter(played, of)
	return bench.Parallel(ctx, jobs, todo, func(ctx context.Context, _ int, u Unit[K, R]) error {
		play, err := u.Begin()
		if err != nil {
			return err
		}
		for _, k := range u.Keys {
			row, err := play(ctx, k)
			if err != nil {
				return err
			}
			if err := file.Add(row); err != nil {
				return err
			}
			one()
		}
		return nil
	})
}
