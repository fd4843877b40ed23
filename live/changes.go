package live

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prefer-bo/prefer/store/contract"
)

// Change is what somebody who watches a study hears: where the log ends, and what kind of thing happened.
type Change struct {
	Seq  int    `json:"seq"`
	Kind string `json:"kind"`
}

// maxWatchers is how many may watch at a time.
const maxWatchers = 2000

// Watch returns where a study's log ends now and, from then on, its changes. Who does not keep up misses changes in
// between, never the last one. The channel is closed when the room closes; leave ends the watch before that.
func (s *Studies) Watch(ctx context.Context, name string) (now Change, changes <-chan Change, leave func(), err error) {
	err = s.With(ctx, name, func(r *Study) error {
		now = Change{r.Seq(), "now"}
		return nil
	})
	if err != nil {
		return now, nil, nil, err
	}
	c, err := s.changes.watch(name)
	if err != nil {
		return now, nil, nil, err
	}
	return now, c, func() { s.changes.leave(c) }, nil
}

// EndWatch ends every Watch, so that whoever must wait for them before Close can.
func (s *Studies) EndWatch() { s.changes.close() }

// Watchers returns how many watch.
func (s *Studies) Watchers() int { return len(s.changes.studies()) }

// changes tells watchers that a study has changed.
type changes struct {
	mu       sync.Mutex
	watchers map[chan Change]string // which study each watches
	closed   bool
}

func newChanges() *changes { return &changes{watchers: map[chan Change]string{}} }

func (c *changes) watch(study string) (chan Change, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.watchers) >= maxWatchers {
		return nil, refuse(TooMany, "%d clients listen already", maxWatchers)
	}
	if c.closed {
		return nil, refuse(Closing, "the server is stopping")
	}
	w := make(chan Change, 1)
	c.watchers[w] = study
	return w, nil
}

func (c *changes) leave(w chan Change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.watchers, w)
}

// tell tells everybody who watches the study.
func (c *changes) tell(study string, seq int, kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w, watched := range c.watchers {
		if watched != study {
			continue
		}
		c := Change{seq, kind}
		select { // a change that was not heard yet gives way to this one; that a link may have ended is not lost
		case missed := <-w:
			if missed.Kind == linksChanged {
				c.Kind = linksChanged
			}
		default:
		}
		w <- c
	}
}

func (c *changes) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for w := range c.watchers {
		close(w)
	}
	clear(c.watchers)
}

// studies returns the study of every watcher.
func (c *changes) studies() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Values(c.watchers))
}

// How often a watcher hears what another process did.
const (
	often  = time.Second      // where the store cannot tell
	seldom = 15 * time.Second // where it can, or cannot be reached
)

// watchStore tells watchers what other processes do: at once where the store can tell, else by looking now and
// then whether a study has changed that somebody watches.
func (s *Studies) watchStore(ctx context.Context) {
	tick := time.NewTicker(often)
	defer tick.Stop()
	look := make(chan struct{}, 1)
	s.background.done.Go(func() {
		s.store.Listen(ctx, func(c contract.Change) {
			if c.Study != "" {
				s.changes.tell(c.Study, c.Seq, c.Kind)
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
		s.lookElsewhere(ctx)
	}
}

// lookElsewhere tells what is new in the studies that somebody watches. A store that cannot be reached is looked at
// another time.
func (s *Studies) lookElsewhere(ctx context.Context) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(s.changes.studies()))) {
		switch _, err := s.current(ctx, name); { // it tells if there is something new
		case errors.Is(err, contract.ErrNoStudy):
			s.changes.tell(name, 0, "gone")
		case err != nil:
			return
		}
	}
}
