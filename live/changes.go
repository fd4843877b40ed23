package live

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/prefer-bo/prefer/store"
)

// Change is what somebody who watches a study hears: where the log ends, and what kind of thing happened.
type Change struct {
	Seq  int    `json:"seq"`
	Kind string `json:"kind"`
}

// linksChanged is the kind of a change of tokens or names.
const linksChanged = "links"

// LinksChanged reports whether a change may be that a link no longer works.
func (c Change) LinksChanged() bool {
	return slices.Contains([]string{linksChanged, "elsewhere", "deleted", "gone"}, c.Kind)
}

// How many may watch at a time: all together, raters of all studies, raters of one, and one rater of one. The rest is the owner's.
const (
	maxWatchers      = 2000
	maxRaterWatchers = 1900
	maxStudyWatchers = 500
	maxOwnWatchers   = 8
)

// Watch returns where a study's log ends and, until the room closes or leave is called, its changes, to a rater or, without a name, the owner. A slow watcher
// misses changes, never the last.
func (s *Studies) Watch(ctx context.Context, name, rater string) (now Change, changes <-chan Change, leave func(), err error) {
	err = s.With(ctx, name, func(r *Study) error {
		now = Change{r.Seq(), "now"}
		return nil
	})
	if err != nil {
		return now, nil, nil, err
	}
	c, err := s.changes.watch(watcher{name, rater})
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
	watchers map[chan Change]watcher
	closed   bool
}

// watcher is who watches which study.
type watcher struct{ study, rater string }

func newChanges() *changes { return &changes{watchers: map[chan Change]watcher{}} }

func (c *changes) watch(by watcher) (chan Change, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, refuse(Closing, "the server is stopping")
	}
	raters, study, own := 0, 0, 0
	for _, w := range c.watchers {
		if w.rater == "" {
			continue
		}
		raters++
		if w.study == by.study {
			study++
		}
		if w == by {
			own++
		}
	}
	switch {
	case len(c.watchers) >= maxWatchers:
		return nil, refuse(TooMany, "%d clients listen already", maxWatchers)
	case by.rater == "":
	case own >= maxOwnWatchers:
		return nil, refuse(TooMany, "you listen to this study %d times already: close one of them", own)
	case study >= maxStudyWatchers:
		return nil, refuse(TooMany, "%d raters listen to this study already", study)
	case raters >= maxRaterWatchers:
		return nil, refuse(TooMany, "%d raters listen already", raters)
	}
	w := make(chan Change, 1)
	c.watchers[w] = by
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
		if watched.study != study {
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
	out := make([]string, 0, len(c.watchers))
	for _, w := range c.watchers {
		out = append(out, w.study)
	}
	return out
}

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
	s.background.done.Go(func() {
		s.store.Listen(ctx, func(c store.Change) {
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

// lookElsewhere notifies watchers of what is new. A store that cannot be reached is looked at another time.
func (s *Studies) lookElsewhere(ctx context.Context) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(s.changes.studies()))) {
		switch _, err := s.current(ctx, name); { // it tells if there is something new
		case errors.Is(err, store.ErrNoStudy):
			s.changes.tell(name, 0, "gone")
		case err != nil:
			return
		}
	}
}
