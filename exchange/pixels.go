package exchange

import (
	"context"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/pixels"

	"golang.org/x/sync/semaphore"
)

// AddPixels gives items that are pictures without features those of their pixels (lightness, contrast, colour, detail and the like), and returns how
// many it described. What cannot be decoded, a drawing or a film, has none: in a list with prefer.Space.Own it is taken to be like the average. Pictures
// are read side by side, but no more pixels at once than the largest one may have. Files are opened by their names in the folder; done, if not nil, is called after each, from several goroutines.
func AddPixels(ctx context.Context, root *os.Root, items []prefer.Item, done func()) int {
	room := semaphore.NewWeighted(pixels.MaxPixels)
	next, count := make(chan int), make([]int, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for w := range count {
		all.Go(func() {
			for i := range next {
				if f := describe(ctx, root, items[i].Media, room); f != nil {
					items[i].Features = f
					count[w]++
				}
				if done != nil {
					done()
				}
			}
		})
	}
	for i, it := range items {
		if it.Media != "" && len(it.Features) == 0 && ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	all.Wait()
	sum := 0
	for _, n := range count {
		sum += n
	}
	return sum
}

// describe returns the features of one picture, or nil.
func describe(ctx context.Context, root *os.Root, name string, room *semaphore.Weighted) prefer.Option {
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	size, err := pixels.Size(f)
	if err != nil || room.Acquire(ctx, int64(size)) != nil {
		return nil
	}
	defer room.Release(int64(size))
	if _, err := f.Seek(0, 0); err != nil {
		return nil
	}
	of, err := pixels.Read(f)
	if err != nil {
		return nil
	}
	out := prefer.Option{}
	for i, name := range pixels.Names {
		out[name] = prefer.ValueOf(of[i])
	}
	return out
}

// Describe returns the space of the items of a folder. If most of them are pictures and nobody has described any, they get the features of their pixels,
// and each has something of its own beside (prefer.Space.Own).
func Describe(ctx context.Context, dir string, items []prefer.Item) (prefer.Space, error) {
	space := prefer.Space{Items: items}
	if slices.ContainsFunc(items, func(it prefer.Item) bool { return len(it.Features) > 0 }) {
		return space, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return space, err
	}
	defer root.Close()
	with := slices.Clone(items)
	if n := AddPixels(ctx, root, with, nil); n >= 2 && 2*n >= len(items) {
		space.Items, space.Own = with, true
	}
	if err := ctx.Err(); err != nil {
		return space, context.Cause(ctx)
	}
	return space, nil
}

// DescribeJoining gives items that are about to join a list the features of their pixels, if that is what the list has.
func DescribeJoining(ctx context.Context, dir string, list, joining []prefer.Item) error {
	if !Pictured(list) || len(joining) == 0 {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	AddPixels(ctx, root, joining, nil)
	return nil
}

// Pictured reports whether the items of a list have the features of pixels, and no others: what joins them may be described so.
func Pictured(items []prefer.Item) bool {
	i := slices.IndexFunc(items, func(it prefer.Item) bool { return len(it.Features) > 0 })
	return i >= 0 && slices.Equal(slices.Sorted(maps.Keys(items[i].Features)), slices.Sorted(slices.Values(pixels.Names[:])))
}
