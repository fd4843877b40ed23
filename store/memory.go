package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Memory is a Store that lasts as long as the process: for a demonstration, a test, or a page without a server.
type Memory struct {
	// Keep, if not nil, gets events before they count, one call at a time; an error refuses them. A page without a server keeps its log so.
	Keep func(ctx context.Context, study string, events []prefer.Event) error

	mu      sync.Mutex
	studies map[string]*memoryLog
}

// memoryLog is one study: its journal, and what is kept beside it.
type memoryLog struct {
	store  *Memory
	name   string
	wiring prefer.OpenOptions // the clock and the method it was created with
	lease  chan struct{}      // held during a search
	events []prefer.Event
	notes  map[string]Note
	ahead  sync.Map // what was chosen for a rater, by name
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{studies: map[string]*memoryLog{}} }

// newLog returns a log that is the journal of its study.
func (m *Memory) newLog(name string, wiring prefer.OpenOptions, events []prefer.Event) *memoryLog {
	l := &memoryLog{store: m, name: name, lease: make(chan struct{}, 1), wiring: wiring, events: events, notes: map[string]Note{}}
	l.wiring.Journal = l
	return l
}

func (m *Memory) add(l *memoryLog) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.studies[l.name] != nil {
		return fmt.Errorf("store: study %q: %w", l.name, ErrExists)
	}
	m.studies[l.name] = l
	return nil
}

// Append implements prefer.Journal.
func (l *memoryLog) Append(ctx context.Context, after int, events ...prefer.Event) error {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(l.events) != after || after > 0 && l.store.studies[l.name] != l: // or it was deleted
		return fmt.Errorf("store: study %q has %d events, not %d: %w", l.name, len(l.events), after, prefer.ErrConflict)
	}
	if l.store.Keep != nil {
		if err := l.store.Keep(ctx, l.name, events); err != nil {
			return err
		}
	}
	l.events = append(l.events, events...)
	return nil
}

// Load puts a study there whose log was kept elsewhere. Whether its events make sense together is for Study to say.
func (m *Memory) Load(name string, events []prefer.Event) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return m.add(m.newLog(name, prefer.OpenOptions{}, slices.Clone(events)))
}

func (m *Memory) Create(ctx context.Context, name string, cfg prefer.Config) (*prefer.Study, error) {
	if err := CheckNewName(name); err != nil {
		return nil, err
	}
	l := m.newLog(name, prefer.OpenOptions{Now: cfg.Now, Chooser: cfg.Chooser}, nil)
	cfg.Journal = l
	study, err := prefer.New(ctx, cfg)
	if err == nil {
		err = m.add(l)
	}
	if err != nil {
		return nil, err
	}
	return study, nil
}

// on runs do, alone, on a study that is there.
func (m *Memory) on(name string, do func(*memoryLog)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.studies[name]
	if l == nil {
		return fmt.Errorf("store: study %q: %w", name, ErrNoStudy)
	}
	do(l)
	return nil
}

// logOf returns what is behind a study that is open.
func (m *Memory) logOf(study *prefer.Study) (*memoryLog, error) {
	if l, ok := study.Config().Journal.(*memoryLog); ok && l.store == m {
		return l, nil
	}
	return nil, errors.New("store: a study of another store, or of none")
}

func (m *Memory) Study(ctx context.Context, name string) (*prefer.Study, error) {
	var events []prefer.Event
	var wiring prefer.OpenOptions
	if err := m.on(name, func(l *memoryLog) { events, wiring = slices.Clip(l.events), l.wiring }); err != nil {
		return nil, err
	}
	return prefer.Open(ctx, events, wiring)
}

func (m *Memory) Delete(_ context.Context, name string) error {
	return m.on(name, func(*memoryLog) { delete(m.studies, name) })
}

func (m *Memory) Forget(_ context.Context, name string, raters ...string) (removed int, err error) {
	err = m.on(name, func(l *memoryLog) {
		next := m.newLog(name, l.wiring, nil)
		next.events, removed = prefer.Forget(l.events, raters...)
		for at, n := range l.notes {
			switch {
			case n.Rater != "" && slices.Contains(raters, n.Rater):
				removed++
			case !strings.HasPrefix(at, Derived):
				next.notes[at] = n
			}
		}
		if removed == 0 {
			return
		}
		for _, rater := range raters {
			if rater != "" {
				next.keepOut(rater)
			}
		}
		m.studies[name] = next
	})
	return removed, err
}

// keepOut leaves marks that somebody of this name was forgotten. The study's salt is made with its first mark.
func (l *memoryLog) keepOut(rater string) {
	salt, ok := l.notes[Forgotten]
	if !ok {
		salt = Note{Study: l.name, Name: Forgotten, Body: rand.Text()}
		l.notes[salt.Name] = salt
	}
	for _, mark := range Marks(salt.Body, rater) {
		l.notes[mark] = Note{Study: l.name, Name: mark}
	}
}

func (m *Memory) List(ctx context.Context) (out []Info, err error) {
	m.mu.Lock()
	names := slices.Sorted(maps.Keys(m.studies))
	m.mu.Unlock()
	for _, name := range names {
		study, err := m.Study(ctx, name)
		if errors.Is(err, ErrNoStudy) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		events := study.Events(0)
		answers := xslices.Count(study.History(), func(e prefer.Entry) bool { return e.Counts() && !e.Out })
		out = append(out, Info{Name: name, Created: events[0].Time, Changed: events[len(events)-1].Time, Events: len(events), Answers: answers})
	}
	return out, nil
}

func (m *Memory) Follow(_ context.Context, study *prefer.Study) (moved int, ok bool, err error) {
	l, err := m.logOf(study)
	if err != nil {
		return 0, false, err
	}
	m.mu.Lock()
	deleted, fresh := m.studies[l.name] != l, slices.Clip(l.events[min(study.Seq(), len(l.events)):])
	m.mu.Unlock()
	if deleted {
		return 0, false, nil
	}
	return len(fresh), true, study.Host().Follow(fresh)
}

// Listen returns at once: there is no other process.
func (m *Memory) Listen(context.Context, func(Change)) bool { return false }

func (m *Memory) Lease(ctx context.Context, study *prefer.Study) (release func(), err error) {
	l, err := m.logOf(study)
	if err != nil {
		return nil, err
	}
	select {
	case l.lease <- struct{}{}:
		return func() { <-l.lease }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// KeepSnapshot keeps none: what is in memory opens quickly enough.
func (m *Memory) KeepSnapshot(_ context.Context, study *prefer.Study) error {
	_, err := m.logOf(study)
	return err
}

func (m *Memory) KeepAhead(_ context.Context, study *prefer.Study, rater string) error {
	l, err := m.logOf(study)
	if err == nil {
		_, text := study.Host().Export(rater)
		l.ahead.Store(rater, text)
	}
	return err
}

func (m *Memory) UseAhead(_ context.Context, study *prefer.Study, rater string) (bool, error) {
	l, err := m.logOf(study)
	if err != nil {
		return false, err
	}
	text, _ := l.ahead.Load(rater)
	bytes, ok := text.([]byte)
	return ok && study.Host().Import(bytes), nil
}

func (m *Memory) KeepNote(_ context.Context, n Note) error {
	return m.on(n.Study, func(l *memoryLog) { l.notes[n.Name] = n })
}

func (m *Memory) KeepNew(_ context.Context, n Note) error {
	_ = m.on(n.Study, func(l *memoryLog) { // no study, no notes
		if _, has := l.notes[n.Name]; !has {
			l.notes[n.Name] = n
		}
	})
	return nil
}

func (m *Memory) KeepDerived(_ context.Context, study *prefer.Study, name, body string) error {
	l, err := m.logOf(study)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.studies[l.name] != l {
		return fmt.Errorf("store: study %q was deleted, or somebody forgotten in it: %w", l.name, prefer.ErrConflict)
	}
	l.notes[name] = Note{Study: l.name, Name: name, Body: body}
	return nil
}

func (m *Memory) FindNote(_ context.Context, study, name string) (n Note, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for in, l := range m.studies {
		if n, ok = l.notes[name]; ok && (study == "" || study == in) {
			return n, true, nil
		}
	}
	return Note{}, false, nil
}

func (m *Memory) Notes(_ context.Context, study, begins string) (notes []Note, err error) {
	_ = m.on(study, func(l *memoryLog) {
		names := xslices.Filter(slices.Sorted(maps.Keys(l.notes)), func(name string) bool { return strings.HasPrefix(name, begins) })
		notes = xslices.Map(names, func(name string) Note { return l.notes[name] })
	})
	return notes, nil
}

func (m *Memory) DropNote(_ context.Context, study, name string) error {
	_ = m.on(study, func(l *memoryLog) { delete(l.notes, name) })
	return nil
}
