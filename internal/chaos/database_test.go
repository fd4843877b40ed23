package chaos

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// database is a PostgreSQL of its own, in a folder of its own, with or without a standby in another one.
type database struct {
	dir, standby string // standby is empty if there is none, any more
	address      string // of whichever takes changes
	dirs         []string
}

// startDatabase starts one that forces answers to disk, as a real one does, and acknowledges none that a standby has not if
// it has one.
func startDatabase(ctx context.Context, parent string, standby bool) (*database, error) {
	d := &database{dir: filepath.Join(parent, "pg")}
	d.dirs = []string{d.dir}
	var err error
	if d.address, err = d.script(ctx, d.dir, "start"); err != nil {
		return nil, fmt.Errorf("PostgreSQL was not started: %w", err)
	}
	if !standby {
		return d, nil
	}
	d.standby = filepath.Join(parent, "pg2")
	d.dirs = append(d.dirs, d.standby)
	if _, err := d.script(ctx, d.standby, "standby", d.dir); err != nil {
		d.stop()
		return nil, fmt.Errorf("the standby was not started: %w", err)
	}
	d.address += "," + d.standby + "&target_session_attrs=read-write"
	return d, nil
}

func (d *database) script(ctx context.Context, dir string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "scripts/postgres", args...)
	c.Env = append(os.Environ(), "PREFER_POSTGRES_DIR="+dir, "PREFER_POSTGRES_FSYNC=on")
	c.Stderr = os.Stderr
	out, err := c.Output()
	return strings.TrimSpace(string(out)), err
}

func (d *database) restart(ctx context.Context) error {
	_, err := d.script(ctx, d.dir, "restart")
	return err
}

// freeze stops every process of the server where it is, for a while.
func (d *database) freeze(ctx context.Context, length time.Duration) error {
	if _, err := d.script(ctx, d.dir, "freeze"); err != nil {
		return err
	}
	_ = sleep(ctx, length)
	_, err := d.script(ctx, d.dir, "thaw")
	return err
}

// failover kills the server, and has the standby take its place.
func (d *database) failover(ctx context.Context) error {
	if _, err := d.script(ctx, d.dir, "kill"); err != nil {
		return err
	}
	d.dir, d.standby = d.standby, ""
	_, err := d.script(ctx, d.dir, "promote")
	return err
}

func (d *database) stop() {
	for _, dir := range d.dirs {
		if _, err := d.script(context.Background(), dir, "stop"); err != nil {
			fmt.Fprintln(os.Stderr, "chaos: PostgreSQL was not stopped:", err)
		}
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
