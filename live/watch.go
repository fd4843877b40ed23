package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/prefer-bo/prefer/live/internal/notices"
	"github.com/prefer-bo/prefer/store"
)

// Change is what a watcher of a study hears.
type Change = notices.Change

// Watch returns where a study's log ends and, until the server closes or leave is called, its changes, to a rater or, without a name, the owner. A slow watcher
// misses changes, never the last.
func (s *Studies) Watch(ctx context.Context, name, rater string) (now Change, changes <-chan Change, leave func(), err error) {
	if changes, leave, err = s.notices.Watch(name, rater); err != nil { // first, so that no change falls between the two
		return now, nil, nil, err
	}
	if now, err = In(ctx, s, name, func(r *Study) (Change, error) { return Change{Seq: r.Seq(), Kind: "now"}, nil }); err != nil {
		leave()
	}
	return now, changes, leave, err
}

// Watchers returns how many watch.
func (s *Studies) Watchers() int { return len(s.notices.Studies()) }

// How often a watcher hears what another process did.
const (
	often  = time.Second      // where the store cannot tell
	seldom = 15 * time.Second // where it can, or cannot be reached
)

// watchStore notifies watchers of what other processes do: at once where the store can tell, else by looking every now and then.
func (s *Studies) watchStore(ctx context.Context) {
	tick := time.NewTicker(often)
	defer tick.Stop()
	look := make(chan struct{}, 1)
	s.background.Go(func() {
		s.store.Listen(ctx, func(c store.Change) {
			if c.Study != "" {
				s.notices.Notify(c.Study, c.Seq, c.Kind)
				return
			}
			tick.Reset(seldom)
			select { // something may have been missed
			case look <- struct{}{}:
			default:
			}
		})
	})
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-look:
		}
		s.pollStore(ctx)
	}
}

// pollStore notifies watchers of changes that other servers made. An unreachable store is polled again later.
func (s *Studies) pollStore(ctx context.Context) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(s.notices.Studies()))) {
		switch _, err := s.current(ctx, name); { // it tells if there is something new
		case errors.Is(err, store.ErrNoStudy):
			s.notices.Notify(name, 0, "gone")
		case err != nil:
			return
		}
	}
}
