package sqlstore

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/store"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrations embed.FS

// versions is the table in which goose counts the migrations that have run.
const versions = "prefer_versions"

// migrate brings the tables up to date. A store of a newer version is refused untouched.
func (s *Store) migrate(ctx context.Context) error {
	provider, known, err := s.provider()
	if err != nil {
		return err
	}
	for start := time.Now(); ; {
		have, err := s.version(ctx)
		switch {
		case err != nil:
			return err
		case have > known:
			return s.newer(have, known)
		case have == known:
			return nil
		case s.readOnly:
			return fmt.Errorf("store: %s: %w: its tables have version %d and must be brought to %d; open it once where it may be written",
				s.engine, store.ErrReadOnly, have, known)
		}
		// Two processes may find the same empty file: one of them fails, and then finds the work done.
		if _, err = provider.Up(patient(ctx)); err == nil {
			continue
		}
		err = s.explain(ctx, err)
		if errors.Is(err, store.ErrReadOnly) || errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrCorrupt) || time.Since(start) > s.patience {
			return fmt.Errorf("store: %s: tables were not brought to version %d: %w", s.engine, known, err)
		}
		if err := pause(ctx, 25*time.Millisecond); err != nil {
			return err
		}
	}
}

func (s *Store) newer(have, known int64) error {
	return fmt.Errorf("store: %s: %w: its tables have version %d, this program knows %d; use a newer prefer", s.engine, ErrNewer, have, known)
}

// provider returns what runs the migrations, and the number of the last one this program knows.
func (s *Store) provider() (*goose.Provider, int64, error) {
	files, err := fs.Sub(s.files, s.folder)
	if err != nil {
		return nil, 0, err
	}
	options := []goose.ProviderOption{goose.WithTableName(versions), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger())}
	if s.file == nil { // one process at a time
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(applicationID), lock.WithLockTimeout(1, 60))
		if err != nil {
			return nil, 0, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(s.goose, s.db, files, options...)
	if err != nil {
		return nil, 0, err
	}
	sources := provider.ListSources()
	return provider, sources[len(sources)-1].Version, nil
}

func (s *Store) version(ctx context.Context) (have int64, err error) {
	err = s.read(ctx, func(c *session) {
		var there bool
		if c.find([]any{&there}, s.hasTable, versions); there {
			c.find([]any{&have}, "SELECT coalesce(max(version_id), 0) FROM "+versions)
		}
	})
	return have, err
}

// versions returns what runs the migrations, the version that the tables have, and the one that this program works with.
func (s *Store) versions(ctx context.Context) (provider *goose.Provider, have, known int64, err error) {
	if provider, known, err = s.provider(); err == nil {
		have, err = s.version(ctx)
	}
	return provider, have, known, err
}

func (s *Store) count(ctx context.Context) (studies, events int, err error) {
	err = s.read(ctx, func(c *session) {
		c.find([]any{&studies, &events}, "SELECT (SELECT count(*) FROM prefer_studies), (SELECT count(*) FROM prefer_events)")
	})
	return studies, events, err
}

// Plan is what bringing the tables of a store up to date would do.
type Plan struct {
	Tables  int64  `json:"tables"` // version of the tables, 0 for none
	Known   int64  `json:"known"`  // the one this program works with
	Steps   []Step `json:"steps"`  // from the one to the other
	Studies int    `json:"studies"`
	Events  int    `json:"events"`
}

// Step brings tables to the next version, in a transaction of its own.
type Step struct {
	Version    int64  `json:"version"`
	Name       string `json:"name"`
	Statements string `json:"statements,omitempty"` // of SQL, without comments
}

// NewPlan says what Open would do to the tables of a store, and changes nothing. Those of a newer version are ErrNewer.
func NewPlan(ctx context.Context, address string, o Options) (p Plan, err error) {
	o.ReadOnly = true
	s, err := connect(ctx, address, o)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	provider, have, known, err := s.versions(ctx)
	p.Tables, p.Known, p.Steps = have, known, []Step{}
	switch {
	case err != nil:
		return p, err
	case have > known:
		return p, s.newer(have, known)
	case have > 0:
		if p.Studies, p.Events, err = s.count(ctx); err != nil {
			return p, err
		}
	}
	for _, source := range provider.ListSources() {
		if source.Version <= p.Tables {
			continue
		}
		step := Step{Version: source.Version}
		_, name, _ := strings.Cut(path.Base(source.Path), "_")
		step.Name = strings.TrimSuffix(name, path.Ext(name))
		if strings.HasSuffix(source.Path, ".sql") {
			text, err := fs.ReadFile(s.files, path.Join(s.folder, path.Base(source.Path)))
			if err != nil {
				return p, fmt.Errorf("store: %w", err)
			}
			step.Statements = withoutComments(string(text))
		}
		p.Steps = append(p.Steps, step)
	}
	return p, nil
}

// withoutComments returns statements of SQL without comments and empty lines. None of ours has "--" in a text.
func withoutComments(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "--")
		if line = strings.TrimRight(line, " \n"); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
