package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Studies keeps studies of a kind in a file, and knows those of before.
type Studies[K comparable, S Studied[K]] struct {
	lines *Lines // nil: kept in memory only
	mu    sync.Mutex
	all   []S
	at    map[K]int
}

// Studied is a study that was played, a line of a file.
type Studied[K comparable] interface {
	Key() K       // what it is about
	Looks() int   // how often was looked at it: of two under one key that with more counts
	Check() error // what it lacks
}

// OpenStudies opens a file of studies, or creates it. An empty path keeps them in memory.
func OpenStudies[K comparable, S Studied[K]](path string) (*Studies[K, S], error) {
	f := &Studies[K, S]{at: map[K]int{}}
	if path == "" {
		return f, nil
	}
	var err error
	f.lines, err = OpenLines(path, *new(S), func(r io.Reader) error {
		all, err := ReadStudies[K, S](r)
		for _, s := range all {
			f.put(s)
		}
		return err
	})
	return f, err
}

// ReadStudies reads studies, one line of JSON each.
func ReadStudies[K comparable, S Studied[K]](r io.Reader) (out []S, err error) {
	for d := json.NewDecoder(r); ; {
		var s S
		if err := d.Decode(&s); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("bench: study %d: %w", len(out)+1, err)
		}
		if err := s.Check(); err != nil {
			return nil, fmt.Errorf("bench: study %d %w", len(out)+1, err)
		}
		out = append(out, s)
	}
}

func (f *Studies[K, S]) put(s S) {
	i, known := f.at[s.Key()]
	switch {
	case !known:
		f.at[s.Key()] = len(f.all)
		f.all = append(f.all, s)
	case s.Looks() >= f.all[i].Looks():
		f.all[i] = s
	}
}

// All returns what is in the file, in the order in which it came.
func (f *Studies[K, S]) All() []S {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]S(nil), f.all...)
}

// Find returns a study by its key, if it is there.
func (f *Studies[K, S]) Find(k K) (s S, there bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i, there := f.at[k]
	if there {
		s = f.all[i]
	}
	return s, there
}

// Add keeps a study.
func (f *Studies[K, S]) Add(s S) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.put(s)
	if f.lines == nil {
		return nil
	}
	return f.lines.Append(s)
}

// Close closes the file.
func (f *Studies[K, S]) Close() error {
	if f.lines == nil {
		return nil
	}
	return f.lines.Close()
}

// SideBySide does what there is to do, so many at a time, until one fails, and returns the cause of that or of ctx's end. done
// counts what was played beyond that many, one call at a time, beginning with none; nil: nobody is told.
func SideBySide[U any](ctx context.Context, at int, units []U, played, of int, done func(played, of int), do func(ctx context.Context, u U, tell func()) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		work    = make(chan U)
	)
	count := func(more int) {
		mu.Lock()
		defer mu.Unlock()
		if played += more; done != nil {
			done(played, of)
		}
	}
	count(0)
	for range at {
		workers.Go(func() {
			for u := range work {
				err := context.Cause(ctx)
				if err == nil {
					err = do(ctx, u, func() { count(1) })
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, u := range units {
		if ctx.Err() != nil {
			break
		}
		work <- u
	}
	close(work)
	workers.Wait()
	return context.Cause(ctx)
}
