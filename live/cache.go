package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/store"
)

// maxTries is how often a change lets other processes go first.
const maxTries = 20

// maxWait is how long a request waits for the store, which has timeouts of its own for a database that restarts.
const maxWait = 20 * time.Second

// lasting returns a context that ignores the request's cancellation but ends after maxWait, so that a write that has begun completes.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), maxWait)
}

// With runs do on a study as the store has it. When another process appends meanwhile, the study catches up and do runs again.
func (s *Studies) With(ctx context.Context, name string, do func(*Study) error) error {
	for try := 1; ; try++ {
		r, err := s.current(ctx, name)
		if err != nil {
			return err
		}
		err = do(r)
		if !errors.Is(err, prefer.ErrConflict) {
			return err
		}
		s.Counters.Conflicts.Add(1)
		if try == maxTries {
			return err
		}
		select {
		case <-time.After(time.Duration(rand.Int64N(int64(time.Millisecond << min(try, 5))))):
		case <-ctx.Done():
			return fmt.Errorf("live: study %q: %w, while waiting because of: %w", name, context.Cause(ctx), err)
		}
	}
}

// current returns a study that ends where its log does.
func (s *Studies) current(ctx context.Context, name string) (*Study, error) {
	ctx, stop := context.WithTimeout(ctx, maxWait)
	defer stop()
	defer timing(ctx).since("store", time.Now())
	for try := range maxTries {
		r, err := s.cache.get(ctx, name)
		if err != nil {
			return nil, err
		}
		moved, ok, err := s.store.Follow(ctx, r.Study)
		if err != nil {
			return nil, err
		}
		if !ok || r.outdated() {
			s.cache.drop(r)
			continue
		}
		if moved > 0 || try > 0 { // another process has changed it
			s.changes.tell(name, r.Seq(), "elsewhere")
		}
		return r, nil
	}
	return nil, fmt.Errorf("live: study %q: %w", name, prefer.ErrConflict)
}

// Reopen has whoever comes to a study next open it anew.
func (s *Studies) Reopen(name string) {
	if r := s.cache.peek(name); r != nil {
		s.cache.drop(r)
	}
}

// cache holds the open studies and closes the least recently used when they are too many or too large. A closed study still works for its users.
type cache struct {
	size   int
	memory int64 // of the logs together; not positive: no bound
	open   func(ctx context.Context, name string) (*Study, error)
	keep   func(ctx context.Context, r *Study) error // what makes opening it again quick

	mu      sync.Mutex
	studies map[string]*cached
	uses    int   // so far
	logs    int64 // bytes of logs that the budget of the process was told of
}

// cached is a study that is open, or being opened.
type cached struct {
	used  int // the last use of all
	ready chan struct{}
	study *Study
	err   error
}

func newCache(size int, logs int64, open func(context.Context, string) (*Study, error), keep func(context.Context, *Study) error) *cache {
	return &cache{size: size, memory: logs, open: open, keep: keep, studies: map[string]*cached{}}
}

// get returns the study, which is opened once however many ask for it.
func (h *cache) get(ctx context.Context, name string) (*Study, error) {
	h.mu.Lock()
	h.uses++
	if c := h.studies[name]; c != nil {
		c.used = h.uses
		h.mu.Unlock()
		select {
		case <-c.ready:
			return c.study, c.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	c := &cached{used: h.uses, ready: make(chan struct{})}
	h.studies[name] = c
	old := h.excess(h.size)
	h.mu.Unlock()
	_ = h.keepAll(ctx, old)                              // it has said what went wrong, and nothing is lost
	c.err = errors.New("live: the study was not opened") // what others hear if open panics
	defer func() {
		if c.err != nil {
			h.mu.Lock()
			delete(h.studies, name) // while it is being opened nobody else takes it out
			h.mu.Unlock()
		}
		close(c.ready)
	}()
	lasting, stop := lasting(ctx) // others may be waiting for it
	defer stop()
	c.study, c.err = h.open(lasting, name)
	return c.study, c.err
}

// excess takes out the least recently used studies above size or the memory limit, except the latest. The caller holds mu.
func (h *cache) excess(size int) (old []*Study) {
	total := int64(0)
	weights := map[*Study]int64{}
	for _, c := range h.studies {
		if study := c.opened(); study != nil {
			weights[study] = study.weight()
			total += weights[study]
		}
	}
	least := func(a, b string) int { return h.studies[a].used - h.studies[b].used }
	for _, name := range slices.SortedFunc(maps.Keys(h.studies), least) {
		if len(h.studies) <= size && (h.memory <= 0 || total <= h.memory || len(h.studies) == 1) {
			break
		}
		if study := h.studies[name].opened(); study != nil {
			delete(h.studies, name)
			total -= weights[study]
			old = append(old, study)
		}
	}
	memory.Process.Reserve(total - h.logs)
	h.logs = total
	return old
}

// opened returns the study if it is open.
func (c *cached) opened() *Study {
	select {
	case <-c.ready:
		return c.study
	default:
		return nil
	}
}

// shrink closes what is more than size, or has grown to be too much.
func (h *cache) shrink(ctx context.Context, size int) error {
	h.mu.Lock()
	old := h.excess(size)
	h.mu.Unlock()
	return h.keepAll(ctx, old)
}

// keepAll keeps what studies leave behind.
func (h *cache) keepAll(ctx context.Context, old []*Study) error {
	var errs []error
	for _, r := range old {
		err := h.keep(ctx, r)
		errs = append(errs, err)
		if errors.Is(err, store.ErrUnavailable) {
			break // nor will the others be kept, and each would be waited for
		}
	}
	return errors.Join(errs...)
}

// drop takes a study out that is no longer what the store has.
func (h *cache) drop(r *Study) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.studies[r.Name]; c != nil && c.opened() == r {
		delete(h.studies, r.Name)
	}
}

// peek returns the study if it is open.
func (h *cache) peek(name string) *Study {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.studies[name]; c != nil {
		return c.opened()
	}
	return nil
}

// count returns how many studies are open or being opened.
func (h *cache) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.studies)
}
