package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Plan is what bringing the tables of a store up to date would do.
type Plan struct {
	Store           string // and where it is
	Tables, Known   int64  // version of the tables, 0 for none, and the one this program works with
	Steps           []Step // from the one to the other
	Studies, Events int    // that are in it
}

// Step brings tables to the next version, in a transaction of its own.
type Step struct {
	Version    int64
	Name       string
	Statements string // of SQL, without comments
}

// NewPlan says what Open would do to the tables of a store, and changes nothing. Those of a newer version are ErrNewer.
func NewPlan(ctx context.Context, address string, o Options) (p Plan, err error) {
	o.ReadOnly = true
	s, err := connect(ctx, address, o)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	provider, known, err := s.provider()
	if err != nil {
		return p, err
	}
	p.Store, p.Known = s.engine.String(), known
	if p.Tables, err = s.version(ctx); err != nil {
		return p, err
	}
	if p.Tables > known {
		return p, s.newer(p.Tables, known)
	}
	if p.Tables > 0 {
		err = s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
			return c.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM prefer_studies), (SELECT count(*) FROM prefer_events)").Scan(&p.Studies, &p.Events)
		})
		if err != nil {
			return p, err
		}
	}
	folder, _, _, err := s.engine.migrations()
	if err != nil {
		return p, err
	}
	for _, source := range provider.ListSources() {
		if source.Version <= p.Tables {
			continue
		}
		step := Step{Version: source.Version}
		_, name, _ := strings.Cut(path.Base(source.Path), "_")
		step.Name = strings.TrimSuffix(name, path.Ext(name))
		if strings.HasSuffix(source.Path, ".sql") {
			text, err := fs.ReadFile(s.tables, path.Join("migrations", folder, path.Base(source.Path)))
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
