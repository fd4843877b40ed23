package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
)

// Follow brings a study of this store to where its log ends, with what other processes have appended, and returns how many events that were. ok is false if the
// study must be opened again: somebody was forgotten in it, it was deleted, or a failover has lost events that it has.
func (s *Store) Follow(ctx context.Context, study *prefer.Study) (moved int, ok bool, err error) {
	j, err := s.journalOf(study, "Follow")
	if err != nil {
		return 0, false, err
	}
	before, end := study.Seq(), *j.end.Load() // in this order: the journal is never behind
	var rows []kept
	var now ending // of the log in the store
	err = s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
		ok, rows = false, nil
		var edition int64
		var there chain.Sum // at the event that the store had at the end
		err := c.QueryRowContext(ctx, "SELECT last, head, edition, (SELECT chain FROM prefer_events WHERE study = id AND seq = $2) FROM prefer_studies WHERE id = $1", j.id, end.seq).
			Scan(&now.seq, (*checksum)(&now.chain), &edition, (*checksum)(&there))
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if ok = edition == j.edition && there == end.chain; err != nil || !ok || now.seq <= before {
			return err
		}
		rows, err = s.readRows(ctx, c, j.id, before)
		return err
	})
	if err != nil || !ok || len(rows) == 0 {
		return 0, err == nil && ok, err
	}
	// The first row is the last that the study has; through the links after it, it leads to the one that is known.
	events, err := decode(ending{before, rows[0].chain}, rows[1:])
	if err == nil {
		err = now.checkEnd(before, rows)
	}
	if err == nil {
		j.reach(now)                      // first, since an append needs the checksum of what the study has
		err = study.Host().Follow(events) // passes over what the study itself has appended meanwhile
	}
	if err != nil {
		return 0, false, s.unreadable(j.name, err)
	}
	return len(events), true, nil
}

// journalOf returns a study's end of this store.
func (s *Store) journalOf(study *prefer.Study, call string) (*journal, error) {
	j, ok := study.Config().Journal.(*journal)
	if !ok || j.store != s {
		return nil, fmt.Errorf("store: %s was given a study of another store, or of none", call)
	}
	return j, nil
}
