package exchange

import (
	"context"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/space"
	"golang.org/x/sync/semaphore"
)

// AddPixels gives items that are pictures without features those of their pixels (lightness, contrast, colour, detail and the like), and returns how
// many it described. What cannot be decoded, a drawing or a film, has none: in a list with space.Space.Own it is taken to be like the average. Pictures
// are read side by side, but no more pixels at once than the largest one may have. Files are opened by their names in the folder; done, if not nil, is called after each, from several goroutines.
func AddPixels(ctx context.Context, root *os.Root, items []space.Item, done func()) int {
	room := semaphore.NewWeighted(media.MaxPixels)
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

func describe(ctx context.Context, root *os.Root, name string, room *semaphore.Weighted) space.Option {
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	size, err := media.PixelCount(f)
	if err != nil || room.Acquire(ctx, int64(size)) != nil {
		return nil
	}
	defer room.Release(int64(size))
	if _, err := f.Seek(0, 0); err != nil {
		return nil
	}
	of, err := media.ReadFeatures(f)
	if err != nil {
		return nil
	}
	out := space.Option{}
	for i, name := range media.FeatureNames {
		out[name] = space.ValueOf(of[i])
	}
	return out
}

// Describe returns the space of the items of a folder. If most of them are pictures and nobody has described any, they get the features of their pixels,
// and each has something of its own beside (space.Space.Own).
func Describe(ctx context.Context, dir string, items []space.Item) (space.Space, error) {
	sp := space.Space{Items: items}
	if slices.ContainsFunc(items, func(it space.Item) bool { return len(it.Features) > 0 }) {
		return sp, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return sp, err
	}
	defer root.Close()
	with := slices.Clone(items)
	if n := AddPixels(ctx, root, with, nil); n >= 2 && 2*n >= len(items) {
		sp.Items, sp.Own = with, true
	}
	if err := ctx.Err(); err != nil {
		return sp, context.Cause(ctx)
	}
	return sp, nil
}

// DescribeJoining gives items that are about to join a list the features of their pixels, if that is what the list has.
func DescribeJoining(ctx context.Context, dir string, list, joining []space.Item) error {
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
func Pictured(items []space.Item) bool {
	i := slices.IndexFunc(items, func(it space.Item) bool { return len(it.Features) > 0 })
	return i >= 0 && slices.Equal(slices.Sorted(maps.Keys(items[i].Features)), slices.Sorted(slices.Values(media.FeatureNames[:])))
}
