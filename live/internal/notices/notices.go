// Package notices tells those who watch a study that it has changed.
package notices

import (
	"maps"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live/token"
)

// Change is what somebody who watches a study hears: where the log ends, and what kind of thing happened.
type Change struct {
	Seq  int    `json:"seq"`
	Kind string `json:"kind"`
}

// Links is the kind of a change of tokens or names.
const Links = "links"

// LinksChanged reports whether a change may be that a link no longer works.
func (c Change) LinksChanged() bool {
	return slices.Contains([]string{Links, "elsewhere", "deleted", "gone"}, c.Kind)
}

// How many may watch at a time: all together, raters of all studies, raters of one, and one rater of one. The rest is the owner's.
const (
	maxWatchers      = 2000
	maxRaterWatchers = 1900
	maxStudyWatchers = 500
	maxOwnWatchers   = 8
)

// The codes of refusals.
const (
	Closing token.Code = "closing"
	TooMany token.Code = "too_many"
)

// Hub tells watchers that a study has changed. Its methods are safe for concurrent use.
type Hub struct {
	mu       sync.Mutex
	watchers map[chan Change]watcher
	closed   bool
}

// watcher is a watcher of one study: a rater or, without a name, the owner.
type watcher struct{ study, rater string }

// New returns a hub without watchers.
func New() *Hub { return &Hub{watchers: map[chan Change]watcher{}} }

// Watch returns the changes of a study from now on, for a rater or, without a name, the owner, until the hub closes or leave is called. A slow watcher misses
// changes, never the last.
func (c *Hub) Watch(study, rater string) (changes <-chan Change, leave func(), err error) {
	by := watcher{study, rater}
	c.mu.Lock()
	defer c.mu.Unlock()
	raters := slices.DeleteFunc(slices.Collect(maps.Values(c.watchers)), func(w watcher) bool { return w.rater == "" })
	all := xslices.Count(raters, func(w watcher) bool { return w.study == study })
	own := xslices.Count(raters, func(w watcher) bool { return w == by })
	switch {
	case c.closed:
		return nil, nil, token.Refuse(Closing, "the server is stopping")
	case len(c.watchers) >= maxWatchers:
		return nil, nil, token.Refuse(TooMany, "%d clients listen already", maxWatchers)
	case rater == "":
	case own >= maxOwnWatchers:
		return nil, nil, token.Refuse(TooMany, "you listen to this study %d times already: close one of them", own)
	case all >= maxStudyWatchers:
		return nil, nil, token.Refuse(TooMany, "%d raters listen to this study already", all)
	case len(raters) >= maxRaterWatchers:
		return nil, nil, token.Refuse(TooMany, "%d raters listen already", len(raters))
	}
	w := make(chan Change, 1)
	c.watchers[w] = by
	return w, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watchers, w)
	}, nil
}

// Notify tells everybody who watches the study where its log ends, and what kind of thing happened.
func (c *Hub) Notify(study string, seq int, kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w, watched := range c.watchers {
		if watched.study != study {
			continue
		}
		c := Change{seq, kind}
		select { // a change that was not heard yet gives way to this one; that a link may have ended is not lost
		case missed := <-w:
			if missed.Kind == Links {
				c.Kind = Links
			}
		default:
		}
		w <- c
	}
}

// Close ends every Watch, and refuses new ones.
func (c *Hub) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for w := range c.watchers {
		close(w)
	}
	clear(c.watchers)
}

// Studies returns the study of every watcher.
func (c *Hub) Studies() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return xslices.Map(slices.Collect(maps.Values(c.watchers)), func(w watcher) string { return w.study })
}
