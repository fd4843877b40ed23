package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/prefer-bo/prefer"
)

// journal is one study's end of the store. It writes to the edition of the study it was opened with: to
// another one, in which somebody was forgotten since, its events might not fit.
type journal struct {
	store       *Store
	name        string
	id, edition int64

	mu       sync.Mutex
	snapshot []byte // the one kept last, as far as this journal knows

	end atomic.Pointer[ending] // what is known to be in the store
}

// ending is the last event of a log, or was. A log that has another event there is another log: a failover has lost some, and
// others came in their place.
type ending struct {
	seq  int
	time string // as the table has it
}

// reach notes that the store has an event, and with it all before.
func (j *journal) reach(e prefer.Event) {
	next := &ending{e.Seq, stamp(e.Time)}
	for {
		old := j.end.Load()
		if old != nil && old.seq >= next.seq || j.end.CompareAndSwap(old, next) {
			return
		}
	}
}

// Append implements prefer.Journal. When it returns nil the events are on disk, once.
//
// A lost connection leaves it open whether COMMIT arrived. The next attempt settles that: its UPDATE waits
// for the row that the lost transaction holds, and then either moves the study on or finds it moved on by
// the very events it was going to write.
func (j *journal) Append(ctx context.Context, after int, events ...prefer.Event) error {
	last := events[len(events)-1]
	if j.id == 0 { // it is not in the store yet
		var err error
		if j.id, err = j.store.add(ctx, j.name, events); err == nil {
			j.reach(last)
		}
		return err
	}
	rows, err := encodeAll(events)
	if err != nil {
		return err
	}
	err = j.store.write(ctx, func(ctx context.Context, c *sql.Conn, doubt bool) error {
		moved, err := change(ctx, c, "UPDATE prefer_studies SET last = last + $1 WHERE id = $2 AND edition = $3 AND last = $4",
			len(rows), j.id, j.edition, after)
		if err != nil {
			return err
		}
		if moved == 0 {
			return j.conflict(ctx, c, doubt, after, rows)
		}
		return insert(ctx, c, j.id, rows)
	})
	if err != nil {
		return err
	}
	j.reach(last)
	if j.store.notifier != nil {
		j.store.notifier.add(Change{Study: j.name, Seq: last.Seq, Kind: string(last.Kind)})
	}
	return nil
}

// conflict says why the study could not be moved on from after; nil if it was this journal that did.
func (j *journal) conflict(ctx context.Context, c *sql.Conn, doubt bool, after int, rows []row) error {
	if doubt {
		kept, err := texts(ctx, c, "SELECT body FROM prefer_events WHERE study = $1 AND seq > $2 ORDER BY seq LIMIT $3",
			j.id, after, len(rows))
		if err != nil {
			return err
		}
		if sameBodies(kept, rows) {
			// What a restarted primary has may not have reached its standby. COMMIT waits for that, but only if it
			// has something to keep: so it has.
			_, err := c.ExecContext(ctx, "UPDATE prefer_studies SET last = last WHERE id = $1", j.id)
			return err
		}
	}
	var last, edition int64
	err := c.QueryRowContext(ctx, "SELECT last, edition FROM prefer_studies WHERE id = $1", j.id).Scan(&last, &edition)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("store: study %q was deleted: %w", j.name, ErrNoStudy)
	case err != nil:
		return err
	case edition != j.edition:
		return fmt.Errorf("store: in study %q a rater was forgotten since it was opened: %w", j.name, prefer.ErrConflict)
	}
	return fmt.Errorf("store: study %q ends at event %d, not %d: %w", j.name, last, after, prefer.ErrConflict)
}

// insert writes rows of a study whose row the transaction holds, many at a time: a server may be far away.
func insert(ctx context.Context, c *sql.Conn, id int64, rows []row) error {
	for some := range slices.Chunk(rows, 100) {
		var values strings.Builder
		args := []any{id}
		for i, r := range some {
			if i > 0 {
				values.WriteString(", ")
			}
			n := len(args)
			fmt.Fprintf(&values, "($1, $%d, $%d, $%d, $%d, $%d, $%d)", n+1, n+2, n+3, n+4, n+5, n+6)
			args = append(args, r.seq, r.time, r.kind, r.rater, r.key, r.body)
		}
		if _, err := c.ExecContext(ctx, "INSERT INTO prefer_events (study, seq, time, kind, rater, key, body) VALUES "+values.String(), args...); err != nil {
			return err
		}
	}
	return nil
}
