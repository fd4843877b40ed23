package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store/contract"
)

// Forget replaces everything a rater said or was asked in a study, drops the snapshot, and then has the
// database overwrite what is left of the old rows. It returns how many events were replaced, and notes about her
// removed: links to her among them. A mark that does not tell her name keeps it out (contract.Mark). Studies that are
// open elsewhere get prefer.ErrConflict at their next step.
//
// Running it again is harmless and repeats the overwriting, for when that could not be finished: another
// process was reading at the time. docs/store.md says what it cannot reach.
func (s *Store) Forget(ctx context.Context, name, rater string) (removed int, err error) {
	if err := contract.CheckName(name); err != nil {
		return 0, err
	}
	err = s.write(ctx, func(ctx context.Context, c *sql.Conn, doubt bool) error {
		if !doubt {
			removed = 0
		}
		var id int64
		// An UPDATE that changes nothing yet: from here on the study's row is held.
		err := c.QueryRowContext(ctx, "UPDATE prefer_studies SET last = last WHERE name = $1 RETURNING id", name).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("store: study %q: %w", name, ErrNoStudy)
		}
		if err != nil {
			return err
		}
		if _, err := c.ExecContext(ctx, "DELETE FROM prefer_notes WHERE study = $1 AND substr(name, 1, length($2)) = $2", id, Derived); err != nil {
			return err
		}
		notes, err := change(ctx, c, "DELETE FROM prefer_notes WHERE study = $1 AND rater = $2 AND rater <> ''", id, rater) // those of nobody are the study's
		if err != nil {
			return err
		}
		bodies, err := texts(ctx, c, "SELECT body FROM prefer_events WHERE study = $1 ORDER BY seq", id)
		if err != nil {
			return err
		}
		events, err := decode(0, bodies)
		if err != nil {
			return s.damaged(name, err)
		}
		after, n := forget(events, rater)
		if n += int(notes); n == 0 {
			return nil // nothing to do, or done by the attempt before, which has set removed
		}
		if err := keepOut(ctx, c, id, rater); err != nil {
			return err
		}
		if _, err := prefer.Open(ctx, after, prefer.OpenOptions{}); err != nil {
			return s.damaged(name, err)
		}
		removed = n
		return rewrite(ctx, c, id, events, after)
	})
	if err != nil {
		return 0, err
	}
	if err := s.patiently(ctx, func() error { return s.engine.scrub(ctx, s.db) }); err != nil {
		return removed, fmt.Errorf("store: rater %q is forgotten in study %q, but traces are left in the database; forget again: %w", rater, name, err)
	}
	return removed, nil
}

// rewrite exchanges the events of a study that have changed, and makes it another edition.
func rewrite(ctx context.Context, c *sql.Conn, id int64, before, after []prefer.Event) error {
	for i := range after {
		if after[i].Kind == before[i].Kind {
			continue
		}
		r, err := encode(after[i])
		if err != nil {
			return err
		}
		if _, err := c.ExecContext(ctx, "UPDATE prefer_events SET time = $1, kind = $2, rater = $3, key = $4, body = $5 WHERE study = $6 AND seq = $7",
			r.time, r.kind, r.rater, r.key, r.body, id, r.seq); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		"DELETE FROM prefer_snapshots WHERE study = $1", "DELETE FROM prefer_ahead WHERE study = $1",
		"UPDATE prefer_studies SET edition = edition + 1 WHERE id = $1",
	} {
		if _, err := c.ExecContext(ctx, statement, id); err != nil {
			return err
		}
	}
	return nil
}

// forget returns the log with everything a rater said or was asked replaced by Forgotten, and how many
// events that were. What others were asked and answered stays. The result is a valid log of the same
// length; events are not changed, only exchanged.
func forget(events []prefer.Event, rater string) ([]prefer.Event, int) {
	out := make([]prefer.Event, len(events))
	questions, answers := map[prefer.QuestionID]bool{}, map[prefer.AnswerID]bool{}
	removed := 0
	for i, e := range events {
		gone, was := false, prefer.Forgotten{Was: e.Kind}
		switch {
		case e.Asked != nil && e.Asked.Rater == rater:
			gone, was.Design, was.Blind = true, e.Asked.Method == "design", e.Asked.Blind != nil || e.Asked.Method == "practice"
			questions[e.Asked.ID] = true
		case e.Answered != nil && questions[e.Answered.Question]:
			gone = true
			answers[e.Answered.ID] = true
		case e.Observed != nil && e.Observed.Duel.Rater == rater:
			gone = true
			answers[e.Observed.ID] = true
		case e.Undone != nil && answers[e.Undone.Answer], e.Enqueued != nil && e.Enqueued.Rater == rater, e.Taken != nil && e.Taken.Rater == rater,
			e.Excluded != nil && e.Excluded.Rater == rater:
			gone = true
		}
		out[i] = e
		if gone {
			out[i] = prefer.Event{Seq: e.Seq, Time: events[0].Time, Kind: "forgotten", Forgotten: &was}
			removed++
		}
	}
	return out, removed
}
