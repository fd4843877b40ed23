package server

import (
	"container/list"
	"context"
	"errors"
	"sync"

	"github.com/prefer-bo/prefer/store"
)

// shelf holds the studies that are open, the least recently used of them last, and puts one away when there
// are too many. Whoever still works with a study that was put away can go on: all it says is in the store.
type shelf struct {
	size    int
	memory  int64 // of the studies together; not positive: no bound
	load    func(ctx context.Context, name string) (*running, error)
	putAway func(ctx context.Context, r *running) error

	mu     sync.Mutex
	byName map[string]*list.Element // of *place
	order  *list.List               // the most recently used first
}

// place is a study that is open, or being opened.
type place struct {
	name  string
	ready chan struct{}
	study *running
	err   error
}

func newShelf(size int, load func(context.Context, string) (*running, error), putAway func(context.Context, *running) error) *shelf {
	return &shelf{size: size, load: load, putAway: putAway, byName: map[string]*list.Element{}, order: list.New()}
}

// get returns the study, which is opened once however many ask for it.
func (h *shelf) get(ctx context.Context, name string) (*running, error) {
	h.mu.Lock()
	if e := h.byName[name]; e != nil {
		h.order.MoveToFront(e)
		h.mu.Unlock()
		p := e.Value.(*place)
		select {
		case <-p.ready:
			return p.study, p.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	p := &place{name: name, ready: make(chan struct{})}
	e := h.order.PushFront(p)
	h.byName[name] = e
	old := h.excess()
	h.mu.Unlock()
	for _, r := range old {
		_ = h.putAway(ctx, r) // it has said what went wrong, and nothing is lost
	}
	p.err = errors.New("server: the study was not opened") // what others hear if load panics
	defer func() {
		if p.err != nil {
			h.remove(e)
		}
		close(p.ready)
	}()
	lasting, stop := lasting(ctx) // others may be waiting for it
	defer stop()
	p.study, p.err = h.load(lasting, name)
	return p.study, p.err
}

// excess takes off what is too many or too much, as far as it is open. The study used last stays, whatever it
// weighs.
func (h *shelf) excess() (old []*running) {
	total := int64(0)
	weights := map[*place]int64{}
	for e := h.order.Front(); e != nil; e = e.Next() {
		if p := e.Value.(*place); p.open() != nil {
			weights[p] = p.study.weight()
			total += weights[p]
		}
	}
	for e := h.order.Back(); e != nil && (h.order.Len() > h.size || h.memory > 0 && total > h.memory && h.order.Len() > 1); {
		p, before := e.Value.(*place), e.Prev()
		select {
		case <-p.ready:
			h.order.Remove(e)
			delete(h.byName, p.name)
			if p.study != nil {
				total -= weights[p]
				old = append(old, p.study)
			}
		default: // being opened
		}
		e = before
	}
	return old
}

// open returns the study if it is open.
func (p *place) open() *running {
	select {
	case <-p.ready:
		return p.study
	default:
		return nil
	}
}

// trim puts away what has grown to be too much.
func (h *shelf) trim(ctx context.Context) {
	h.mu.Lock()
	old := h.excess()
	h.mu.Unlock()
	for _, r := range old {
		_ = h.putAway(ctx, r) // it has said what went wrong, and nothing is lost
	}
}

func (h *shelf) remove(e *list.Element) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := e.Value.(*place); h.byName[p.name] == e {
		delete(h.byName, p.name)
		h.order.Remove(e)
	}
}

// drop takes a study off that is no longer what the store has.
func (h *shelf) drop(r *running) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.byName[r.name]
	if e == nil {
		return
	}
	p := e.Value.(*place)
	select {
	case <-p.ready:
		if p.study == r {
			delete(h.byName, r.name)
			h.order.Remove(e)
		}
	default:
	}
}

// peek returns the study if it is open.
func (h *shelf) peek(name string) *running {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e := h.byName[name]; e != nil {
		return e.Value.(*place).open()
	}
	return nil
}

// count returns how many studies are open or being opened.
func (h *shelf) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.order.Len()
}

// empty puts everything away.
func (h *shelf) empty(ctx context.Context) error {
	h.mu.Lock()
	size := h.size
	h.size = 0
	old := h.excess()
	h.size = size
	h.mu.Unlock()
	var errs []error
	for _, r := range old {
		err := h.putAway(ctx, r)
		errs = append(errs, err)
		if errors.Is(err, store.ErrUnavailable) {
			break // nor will the others be kept, and each would be waited for
		}
	}
	return errors.Join(errs...)
}
