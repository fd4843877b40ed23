// Package trial is what the benchmarks with simulated people have in common. A benchmark has a plan and one function that plays a
// study; [Each] and [Run] play the studies of the plan side by side, [Run] none of them twice, and a [Person] answers. The tables
// differ; what they are made of is here too.
package trial

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
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
type Unit[K comparable, R bench.Keyed[K]] struct {
	Keys  []K
	Begin func() (play func(context.Context, K) (R, error), err error)
}

// Run plays the studies that the file does not have, so many units at a time. has reports whether a row of the file is all that is
// wanted of its study. When ctx ends Run returns its cause; every study that was played stays in the file.
func Run[K comparable, R bench.Keyed[K]](ctx context.Context, jobs int, units []Unit[K, R], file *bench.RowFile[K, R], has func(R) bool, done Progress) error {
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

// Distinct returns the values that rows have, in the order in which they first appear.
func Distinct[R any, T comparable](rows []R, of func(R) T) (out []T) {
	for _, r := range rows {
		if v := of(r); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Baseline returns the series that others are compared with: the one given, or the first. It is an error if there is no such series.
func Baseline(bench, given string, series []string) (string, error) {
	if given == "" && len(series) > 0 {
		given = series[0]
	}
	if !slices.Contains(series, given) {
		return given, fmt.Errorf("%s: baseline %q, want one of %q", bench, given, series)
	}
	return given, nil
}

// Mean returns the mean of values with its interval. It sorts them: the order in which studies ended shall not show in the last digits.
func Mean(draws *compare.Draws, values []float64) compare.Interval {
	slices.Sort(values)
	return draws.Mean(values)
}

// Share is 1 for yes and 0 for no.
func Share(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// CheckNames reports a name of a plan that is not known.
func CheckNames(field string, names, known []string) error {
	for _, n := range names {
		if !slices.Contains(known, n) {
			return fmt.Errorf("%s has %q, want some of %s", field, n, strings.Join(known, ", "))
		}
	}
	return nil
}

// CheckMarks reports numbers of answers of a plan that do not increase.
func CheckMarks(field string, marks []int) error {
	for i, m := range marks {
		if m < 1 || i > 0 && m <= marks[i-1] {
			return fmt.Errorf("%s = %v, want increasing numbers of answers", field, marks)
		}
	}
	return nil
}
