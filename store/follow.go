package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
)

// Follow brings a study of this store to where its log ends, with what other processes have appended, and
// returns how many events that were. ok is false if the study must be opened again: somebody was forgotten
// in it, it was deleted, or a failover has lost events that it has.
func (s *Store) Follow(ctx context.Context, study *prefer.Study) (moved int, ok bool, err error) {
	j, err := s.journalOf(study, "Follow")
	if err != nil {
		return 0, false, err
	}
	before, end := study.Seq(), j.end.Load()
	var bodies []string
	err = s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
		ok, bodies = false, nil
		var last, edition int64
		var there string // when the event happened that the store had at the end; empty if it is not there
		err := c.QueryRowContext(ctx, "SELECT last, edition, coalesce((SELECT time FROM prefer_events WHERE study = id AND seq = $2), '') FROM prefer_studies WHERE id = $1", j.id, end.seq).
			Scan(&last, &edition, &there)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if ok = edition == j.edition && there == end.time; err != nil || !ok || last <= int64(before) {
			return err
		}
		bodies, err = texts(ctx, c, "SELECT body FROM prefer_events WHERE study = $1 AND seq > $2 ORDER BY seq", j.id, before)
		return err
	})
	if err != nil || !ok || len(bodies) == 0 {
		return 0, err == nil && ok, err
	}
	events, err := decode(before, bodies)
	if err == nil {
		err = study.Host().Follow(events) // passes over what the study itself has appended meanwhile
	}
	if err != nil {
		return 0, false, s.damaged(j.name, err)
	}
	j.reach(events[len(events)-1])
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
