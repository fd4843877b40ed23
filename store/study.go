package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store/contract"
)

// Create starts a study and keeps it. The store is its journal, so cfg.Journal must be nil.
func (s *Store) Create(ctx context.Context, name string, cfg prefer.Config) (*prefer.Study, error) {
	if err := contract.CheckName(name); err != nil {
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

// Import makes a study of a whole log, kept elsewhere or exported from another store. The log is checked
// first, and kept as it is or not at all.
func (s *Store) Import(ctx context.Context, name string, events []prefer.Event) error {
	if err := contract.CheckName(name); err != nil {
		return err
	}
	if _, err := prefer.Open(ctx, events, prefer.OpenOptions{}); err != nil {
		return fmt.Errorf("store: study %q was not imported: %w", name, err)
	}
	if err := checkKeys(events); err != nil {
		return fmt.Errorf("store: study %q was not imported: %w: %w", name, err, prefer.ErrEvents)
	}
	_, err := s.add(ctx, name, events)
	return err
}

// add keeps a new study.
func (s *Store) add(ctx context.Context, name string, events []prefer.Event) (id int64, err error) {
	rows, err := encodeAll(events)
	if err != nil {
		return 0, err
	}
	err = s.write(ctx, func(ctx context.Context, c *sql.Conn, doubt bool) error {
		err := c.QueryRowContext(ctx, "INSERT INTO prefer_studies (name, created, edition, last) VALUES ($1, $2, 0, $3) ON CONFLICT (name) DO NOTHING RETURNING id",
			name, rows[0].time, len(rows)).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			if doubt { // it may be the one that an attempt before this one was about to keep
				kept, err := texts(ctx, c, "SELECT body FROM prefer_events JOIN prefer_studies ON id = study WHERE name = $1 ORDER BY seq", name)
				if err != nil {
					return err
				}
				if sameBodies(kept, rows) {
					return c.QueryRowContext(ctx, "SELECT id FROM prefer_studies WHERE name = $1", name).Scan(&id)
				}
			}
			return fmt.Errorf("store: study %q: %w: choose another name, or delete it", name, ErrExists)
		}
		if err != nil {
			return err
		}
		return insert(ctx, c, id, rows)
	})
	return id, err
}

func sameBodies(bodies []string, rows []row) bool {
	return slices.EqualFunc(bodies, rows, func(body string, r row) bool { return body == r.body })
}

// log is a study as the store has it.
type log struct {
	id, edition int64
	bodies      []string
	snapshot    []byte // nil if there is none of this build
}

// load reads a study at one moment.
func (s *Store) load(ctx context.Context, name string) (l log, err error) {
	if err := contract.CheckName(name); err != nil {
		return l, err
	}
	err = s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
		l = log{}
		var last int
		err := c.QueryRowContext(ctx, "SELECT id, edition, last FROM prefer_studies WHERE name = $1", name).Scan(&l.id, &l.edition, &last)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("store: study %q: %w", name, ErrNoStudy)
		}
		if err != nil {
			return err
		}
		if l.bodies, err = texts(ctx, c, "SELECT body FROM prefer_events WHERE study = $1 ORDER BY seq", l.id); err != nil {
			return err
		}
		if len(l.bodies) != last {
			return s.damaged(name, fmt.Errorf("it has %d events, want %d", len(l.bodies), last))
		}
		err = c.QueryRowContext(ctx, "SELECT body FROM prefer_snapshots WHERE study = $1 AND build = $2 AND seq <= $3", l.id, s.build, last).Scan(&l.snapshot)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return l, err
}

// damaged says which study cannot be read.
func (s *Store) damaged(name string, err error) error {
	return fmt.Errorf("store: %s: study %q: %w: %w: %s", s.engine, name, ErrCorrupt, err, advice[ErrCorrupt])
}

// Events returns the log of a study.
func (s *Store) Events(ctx context.Context, name string) ([]prefer.Event, error) {
	l, err := s.load(ctx, name)
	if err != nil {
		return nil, err
	}
	events, err := decode(0, l.bodies)
	if err != nil {
		return nil, s.damaged(name, err)
	}
	return events, nil
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
	events, err := decode(0, l.bodies)
	if err != nil {
		return nil, s.damaged(name, err)
	}
	j := &journal{store: s, name: name, id: l.id, edition: l.edition, snapshot: l.snapshot}
	o := prefer.OpenOptions{Journal: j, Now: s.now, Snapshot: l.snapshot}
	if first := events[0].Created; first != nil {
		o.Chooser = s.choosers[first.Config.Method]
	}
	study, err := prefer.Open(ctx, events, o)
	if err != nil {
		return nil, s.damaged(name, err)
	}
	j.reach(events[len(events)-1])
	return study, nil
}

// maxTries is how often Update lets others go first. Whoever is refused is refused because somebody else
// got on, so this many others must have come before.
const maxTries = 100

// Update opens a study and runs do on it. When another process moved the study on meanwhile the study is
// opened again and do runs again, so do must look at the study it is given and nothing else. Afterwards a
// snapshot is kept if there is a new one.
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
		if !errors.Is(err, prefer.ErrConflict) || try == maxTries {
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
	if err := contract.CheckName(name); err != nil {
		return err
	}
	return s.write(ctx, func(ctx context.Context, c *sql.Conn, doubt bool) error {
		if n, err := change(ctx, c, "DELETE FROM prefer_studies WHERE name = $1", name); err != nil || n == 1 || doubt {
			return err
		}
		return fmt.Errorf("store: study %q: %w", name, ErrNoStudy)
	})
}
