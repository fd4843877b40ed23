package server

import "sync"

// change is what a client that listens hears: where the log ends, and what kind of thing happened.
type change struct {
	Seq  int    `json:"seq"`
	Kind string `json:"kind"`
}

// bell tells listeners that a study has changed. One that does not keep up misses changes in between, never
// the last one.
type bell struct {
	mu        sync.Mutex
	listeners map[string]map[*listener]bool // by study
	closed    bool
}

type listener struct {
	changes chan change
}

func newBell() *bell { return &bell{listeners: map[string]map[*listener]bool{}} }

// listen returns a listener, and false if the bell is closed.
func (b *bell) listen(study string) (*listener, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &listener{changes: make(chan change, 1)}
	if b.closed {
		return nil, false
	}
	if b.listeners[study] == nil {
		b.listeners[study] = map[*listener]bool{}
	}
	b.listeners[study][l] = true
	return l, true
}

func (b *bell) leave(study string, l *listener) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.listeners[study], l)
	if len(b.listeners[study]) == 0 {
		delete(b.listeners, study)
	}
}

// ring tells everybody who listens to the study.
func (b *bell) ring(study string, seq int, kind string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for l := range b.listeners[study] {
		select { // a change that was not heard yet gives way to this one
		case <-l.changes:
		default:
		}
		l.changes <- change{seq, kind}
	}
}

// close ends all streams.
func (b *bell) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, of := range b.listeners {
		for l := range of {
			close(l.changes)
		}
	}
	clear(b.listeners)
}

func (b *bell) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, of := range b.listeners {
		n += len(of)
	}
	return n
}

// studies returns the studies somebody listens to.
func (b *bell) studies() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var names []string
	for name := range b.listeners {
		names = append(names, name)
	}
	return names
}
