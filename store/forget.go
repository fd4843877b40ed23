package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/store/contract"
)

// Forget replaces everything that raters said or were asked in a study, drops the snapshot, and then has the database overwrite what is left of the old rows.
// It returns how many events were replaced, and notes about them removed: their links among them. Marks that do not tell a name keep it out (contract.Marks).
// Studies that are open elsewhere get prefer.ErrConflict at their next step.
//
// Running it again is harmless and repeats the overwriting, for when that could not be finished: another
// process was reading at the time. docs/store.md says what it cannot reach.
func (s *Store) Forget(ctx context.Context, name string, raters ...string) (removed int, err error) {
	if err := contract.CheckName(name); err != nil {
		return 0, err
	}
	err = s.write(ctx, func(ctx context.Context, c *sql.Conn, doubt bool) error {
		if !doubt {
			removed = 0
		}
		// An UPDATE that changes nothing yet: from here on the study's row is held.
		l, err := s.readLog(ctx, c, "UPDATE prefer_studies SET last = last WHERE name = $1 RETURNING id, edition, created, last, head", name)
		if err != nil {
			return err
		}
		if _, err := c.ExecContext(ctx, "DELETE FROM prefer_notes WHERE study = $1 AND substr(name, 1, length($2)) = $2", l.id, Derived); err != nil {
			return err
		}
		n := 0
		for _, rater := range raters {
			notes, err := change(ctx, c, "DELETE FROM prefer_notes WHERE study = $1 AND rater = $2 AND rater <> ''", l.id, rater) // those of nobody are the study's
			if err != nil {
				return err
			}
			n += int(notes)
		}
		events, err := l.events() // what is damaged must not be given a chain that fits
		if err != nil {
			return s.unreadable(name, err)
		}
		after, replaced := prefer.Forget(events, raters...)
		if n += replaced; n == 0 {
			return nil // nothing to do, or done by the attempt before, which has set removed
		}
		for _, rater := range raters {
			if err := keepOut(ctx, c, l.id, rater); err != nil {
				return err
			}
		}
		if _, err := prefer.Open(ctx, after, prefer.OpenOptions{}); err != nil {
			return s.unreadable(name, err)
		}
		removed = n
		return l.rewrite(ctx, c, events, after)
	})
	if err != nil {
		return 0, err
	}
	if err := s.patiently(ctx, func() error { return s.engine.scrub(ctx, s.db) }); err != nil {
		return removed, fmt.Errorf("store: %s is forgotten in study %q, but traces are left in the database; forget again: %w", listed(raters), name, err)
	}
	return removed, nil
}

func listed(raters []string) string {
	if len(raters) == 1 {
		return fmt.Sprintf("rater %q", raters[0])
	}
	return fmt.Sprintf("each of %d raters", len(raters))
}

// rewrite makes a study another edition: from the first event that has changed, events and their checksums are written anew.
// No checksum is left that was made of what is gone.
func (l log) rewrite(ctx context.Context, c *sql.Conn, before, after []prefer.Event) error {
	first := slices.IndexFunc(after, func(e prefer.Event) bool { return e.Kind != before[e.Seq-1].Kind })
	if first < 0 { // there were but notes about her
		first = len(after)
	}
	var chain chain.Sum
	if first > 0 {
		chain = l.rows[first-1].chain
	}
	var rows []row
	for i := first; i < len(after); i++ {
		r := index(after[i])
		if r.body = string(l.rows[i].body); after[i].Kind != before[i].Kind {
			var err error
			if r, err = encode(after[i]); err != nil {
				return err
			}
		}
		chain = chain.Next([]byte(r.body))
		r.chain = chain
		rows = append(rows, r)
	}
	for _, statement := range []string{
		"DELETE FROM prefer_snapshots WHERE study = $1", "DELETE FROM prefer_ahead WHERE study = $1",
		fmt.Sprintf("DELETE FROM prefer_events WHERE study = $1 AND seq > %d", first),
	} {
		if _, err := c.ExecContext(ctx, statement, l.id); err != nil {
			return err
		}
	}
	if err := insert(ctx, c, l.id, rows); err != nil {
		return err
	}
	_, err := c.ExecContext(ctx, "UPDATE prefer_studies SET edition = edition + 1, head = $1 WHERE id = $2", chain[:], l.id)
	return err
}

// keepOut leaves marks that somebody of this name was forgotten. The study's salt is made with its first mark.
func keepOut(ctx context.Context, c *sql.Conn, study int64, rater string) error {
	if rater == "" { // nobody
		return nil
	}
	var salt string
	err := c.QueryRowContext(ctx, "SELECT body FROM prefer_notes WHERE study = $1 AND name = $2", study, contract.Forgotten).Scan(&salt)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	const keep = "INSERT INTO prefer_notes (study, name, rater, body) VALUES ($1, $2, '', $3) ON CONFLICT (study, name) DO NOTHING"
	if salt == "" {
		salt = rand.Text()
		if _, err := c.ExecContext(ctx, keep, study, contract.Forgotten, salt); err != nil {
			return err
		}
	}
	for _, mark := range contract.Marks(salt, rater) {
		if _, err := c.ExecContext(ctx, keep, study, mark, ""); err != nil {
			return err
		}
	}
	return nil
}
