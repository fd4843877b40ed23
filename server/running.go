package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
)

// running is a study that is open, with what the server knows about it beside its log.
type running struct {
	name     string
	study    *prefer.Study
	cfg      prefer.Config
	settings Settings
	created  time.Time

	searching chan struct{} // held by the one request that is searching for a question; a channel, so that waiting honours a context

	mu       sync.Mutex // guards what follows
	book     book
	statuses map[string]Status // the last verdicts, by rater; "" where all share one utility
	kept     int               // answers at the last snapshot
	renewal  *renewal          // of the stock, or nil
}

// load opens a study from the store.
func (s *Server) load(ctx context.Context, name string) (*running, error) {
	study, err := s.cfg.Store.Study(ctx, name)
	if err != nil {
		return nil, err
	}
	settings, err := s.readSettings(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.newRunning(name, study, settings), nil
}

func (s *Server) newRunning(name string, study *prefer.Study, settings Settings) *running {
	r := &running{name: name, study: study, cfg: study.Config(), settings: settings, statuses: map[string]Status{}, searching: make(chan struct{}, 1)}
	r.book.seed = r.cfg.Seed
	r.created = study.Events()[0].Time
	r.read()
	r.kept = r.book.standing
	return r
}

// read takes what has happened since into the book. The caller does not hold mu.
func (r *running) read() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.readLocked()
}

func (r *running) readLocked() {
	for _, e := range r.study.Events()[r.book.seq:] {
		r.book.add(e)
	}
}

// look reads the log to its end and runs do with the book.
func (r *running) look(do func(b *book)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.readLocked()
	do(&r.book)
}

// maxTries is how often a change lets other processes go first.
const maxTries = 20

// with runs do on a study as the store has it. When another process moves it on meanwhile the study catches
// up and do runs again.
func (s *Server) with(ctx context.Context, name string, do func(*running) error) error {
	for try := 1; ; try++ {
		r, err := s.current(ctx, name)
		if err != nil {
			return err
		}
		err = do(r)
		if !errors.Is(err, prefer.ErrConflict) {
			return err
		}
		s.metrics.conflicts.add(1)
		if try == maxTries {
			return err
		}
		select {
		case <-time.After(time.Duration(rand.Int64N(int64(time.Millisecond << min(try, 5))))):
		case <-ctx.Done():
			return fmt.Errorf("server: study %q: %w, while waiting because of: %w", name, context.Cause(ctx), err)
		}
	}
}

// current returns a study that ends where its log does.
func (s *Server) current(ctx context.Context, name string) (*running, error) {
	ctx, stop := context.WithTimeout(ctx, maxWait)
	defer stop()
	start := time.Now()
	defer func() { timing(ctx).add("store", time.Since(start)) }()
	for try := 0; try < maxTries; try++ {
		r, err := s.studies.get(ctx, name)
		if err != nil {
			return nil, err
		}
		moved, ok, err := s.cfg.Store.Follow(ctx, r.study)
		if err != nil {
			return nil, err
		}
		if ok {
			if moved > 0 || try > 0 { // another process has changed it
				s.bell.ring(name, r.end(), "elsewhere")
			}
			return r, nil
		}
		s.studies.drop(r)
	}
	return nil, fmt.Errorf("server: study %q: %w", name, prefer.ErrConflict)
}

// snapshotEvery is the number of answers after which a snapshot is kept.
const snapshotEvery = 10

// putAway keeps what makes opening the study again quick.
func (s *Server) putAway(ctx context.Context, r *running) error {
	lasting, stop := lasting(ctx)
	defer stop()
	err := s.cfg.Store.KeepSnapshot(lasting, r.study)
	if err != nil {
		s.log.Warn("no snapshot was kept", "study", r.name, "error", err)
	}
	return err
}
