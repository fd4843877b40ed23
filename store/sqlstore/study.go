package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/store"
)

// Create starts a study and keeps it. The store is its journal, so cfg.Journal must be nil.
func (s *Store) Create(ctx context.Context, name string, cfg prefer.Config) (*prefer.Study, error) {
	if err := store.CheckNewName(name); err != nil {
		return nil, err
	}
	if cfg.Journal != nil {
		return nil, fmt.Errorf("store: study %q has Config.Journal set, want nil: the store keeps its events", name)
	}
	if cfg.Now == nil {
		cfg.Now = s.now
	}
	cfg.Journal = &journal{store: s, name: name}
	return prefer.New(ctx, cfg)
}

// Import makes a study of a whole log, kept elsewhere or exported from another store. The log is checked first, and kept as it is or not at all.
func (s *Store) Import(ctx context.Context, name string, events []prefer.Event) error {
	if err := store.CheckNewName(name); err != nil {
		return err
	}
	study, err := prefer.Open(ctx, events, prefer.OpenOptions{})
	if err != nil {
		return fmt.Errorf("store: study %q was not imported: %w", name, err)
	}
	if err := checkKeys(study.History()); err != nil {
		return fmt.Errorf("store: study %q was not imported: %w: %w", name, err, prefer.ErrEvents)
	}
	_, _, err = s.add(ctx, name, events)
	return err
}

func (s *Store) add(ctx context.Context, name string, events []prefer.Event) (id int64, end ending, err error) {
	rows, err := encodeAll(chain.Sum{}, events)
	if err != nil {
		return 0, end, err
	}
	last := rows[len(rows)-1]
	end = ending{last.seq, last.chain}
	err = s.write(ctx, func(c *session, doubt bool) {
		if c.find([]any{&id}, "INSERT INTO prefer_studies (name, created, edition, last, head) VALUES ($1, $2, 0, $3, $4) ON CONFLICT (name) DO NOTHING RETURNING id",
			name, rows[0].time, end.seq, end.chain[:]) {
			c.insert(id, rows)
			return
		}
		var kept ending
		if doubt && c.find([]any{&id, &kept.seq, (*checksum)(&kept.chain)}, "SELECT id, last, head FROM prefer_studies WHERE name = $1", name) && kept == end {
			return // it is the one that an attempt before this one was about to keep
		}
		c.fail(fmt.Errorf("store: study %q: %w: choose another name, or delete it", name, store.ErrExists))
	})
	return id, end, err
}

type log struct {
	id, edition int64
	created     string
	end         ending // what the row of the study says: how many events, and the head of their chain
	rows        []kept
	snapshot    []byte // nil if there is none of this build
}

// readLog reads the row of a study and those of its events. query returns the columns id, edition, created, last and head.
func (s *Store) readLog(c *session, query, name string) (l log) {
	found := collect(c, func(l *log) []any {
		return []any{&l.id, &l.edition, &l.created, &l.end.seq, (*checksum)(&l.end.chain)}
	}, query, name)
	if len(found) == 0 {
		c.fail(fmt.Errorf("store: study %q: %w", name, store.ErrNoStudy))
		return l
	}
	l = found[0]
	l.rows = s.readRows(c, l.id, math.MinInt)
	return l
}

// events returns the events of a study whose log is as it was kept, from its first to its last.
func (s *Store) events(name string, l log) ([]prefer.Event, error) {
	events, err := decode(ending{}, l.rows)
	if err == nil {
		err = l.end.checkEnd(1, l.rows)
	}
	if err == nil && l.created != stamp(events[0].Time) {
		err = fmt.Errorf("it was created at %q, and its first event happened at %q", l.created, stamp(events[0].Time))
	}
	if err != nil {
		return nil, s.unreadable(name, err)
	}
	return events, nil
}

func (s *Store) load(ctx context.Context, name string) (l log, err error) {
	if err := store.CheckName(name); err != nil {
		return l, err
	}
	err = s.read(ctx, func(c *session) {
		l = s.readLog(c, "SELECT id, edition, created, last, head FROM prefer_studies WHERE name = $1", name)
		c.find([]any{&l.snapshot}, "SELECT body FROM prefer_snapshots WHERE study = $1 AND build = $2 AND seq <= $3", l.id, s.build, l.end.seq)
		l.snapshot = unsealed(l.snapshot)
	})
	if errors.Is(err, store.ErrCorrupt) { // below the level of events
		err = fmt.Errorf("store: study %q: %w", name, err)
	}
	return l, err
}

// unreadable says which study cannot be read: it is damaged, or of a newer version.
func (s *Store) unreadable(name string, err error) error {
	return &store.Unreadable{Store: s.engine.String(), Study: name, Err: err, Newer: errors.Is(err, prefer.ErrNewer), Do: advice[store.ErrCorrupt]}
}

// Events returns the log of a study.
func (s *Store) Events(ctx context.Context, name string) ([]prefer.Event, error) {
	l, err := s.load(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.events(name, l)
}

// Study opens a study from its log and its snapshot. The store is its journal: what it is told is kept.
func (s *Store) Study(ctx context.Context, name string) (*prefer.Study, error) {
	l, err := s.load(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.open(ctx, name, l)
}

func (s *Store) open(ctx context.Context, name string, l log) (*prefer.Study, error) {
	events, err := s.events(name, l)
	if err != nil {
		return nil, err
	}
	j := &journal{store: s, name: name, id: l.id, edition: l.edition, snapshot: l.snapshot}
	o := prefer.OpenOptions{Journal: j, Now: s.now, Snapshot: l.snapshot}
	if first := events[0].Created; first != nil {
		o.Chooser = s.choosers[first.Config.Method]
	}
	study, err := prefer.Open(ctx, events, o)
	if err != nil {
		return nil, s.unreadable(name, err)
	}
	j.reach(l.end)
	return study, nil
}

// Update opens a study and runs do on it. When another process moved the study on meanwhile the study is opened again and do runs again, so do must look at the
// study it is given and nothing else. Afterwards a snapshot is kept if there is a new one.
func (s *Store) Update(ctx context.Context, name string, do func(*prefer.Study) error) error {
	for try := 1; ; try++ {
		study, err := s.Study(ctx, name)
		if err != nil {
			return err
		}
		err = do(study)
		if err == nil {
			// What do has changed is kept. A snapshot only saves time: without it, because the disk is full
			// for one, nothing is lost, and the next Update tries again.
			_ = s.KeepSnapshot(ctx, study)
			return nil
		}
		if !errors.Is(err, prefer.ErrConflict) || try == 100 { // an append is refused only because another one succeeded: so many others came before
			return err
		}
		wait := time.Duration(rand.Int64N(int64(min(time.Millisecond<<min(try, 10), 50*time.Millisecond))))
		if paused := pause(ctx, wait); paused != nil {
			return fmt.Errorf("store: study %q: %w, while waiting because of: %w", name, paused, err)
		}
	}
}

// Delete removes a study and everything about it.
func (s *Store) Delete(ctx context.Context, name string) error {
	if err := store.CheckName(name); err != nil {
		return err
	}
	return s.write(ctx, func(c *session, doubt bool) {
		if c.exec("DELETE FROM prefer_studies WHERE name = $1", name) == 0 && !doubt {
			c.fail(fmt.Errorf("store: study %q: %w", name, store.ErrNoStudy))
		}
	})
}
