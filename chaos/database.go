package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// database is a PostgreSQL of its own, in a folder of its own.
type database struct{ dir, address string }

// startDatabase starts one that forces answers to disk, as a real one does.
func startDatabase(ctx context.Context, parent string) (*database, error) {
	d := &database{dir: filepath.Join(parent, "pg")}
	out, err := d.script(ctx, "start")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL was not started: %w", err)
	}
	d.address = out
	return d, nil
}

func (d *database) script(ctx context.Context, verb string) (string, error) {
	c := exec.CommandContext(ctx, "scripts/postgres", verb)
	c.Env = append(os.Environ(), "PREFER_POSTGRES_DIR="+d.dir, "PREFER_POSTGRES_FSYNC=on")
	c.Stderr = os.Stderr
	out, err := c.Output()
	return strings.TrimSpace(string(out)), err
}

func (d *database) restart(ctx context.Context) error {
	_, err := d.script(ctx, "restart")
	return err
}

func (d *database) stop() {
	if _, err := d.script(context.Background(), "stop"); err != nil {
		fmt.Fprintln(os.Stderr, "chaos: PostgreSQL was not stopped:", err)
	}
}

// size is what the tables of the store take up.
type size struct{ events, eventBytes, snapshotBytes, aheadRows, aheadBytes int64 }

func (d *database) size(ctx context.Context) (s size, err error) {
	db, err := sql.Open("pgx", d.address)
	if err != nil {
		return s, err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM prefer_events), pg_total_relation_size('prefer_events'),
		pg_total_relation_size('prefer_snapshots'), (SELECT count(*) FROM prefer_ahead), pg_total_relation_size('prefer_ahead')`).
		Scan(&s.events, &s.eventBytes, &s.snapshotBytes, &s.aheadRows, &s.aheadBytes)
	return s, err
}
