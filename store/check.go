package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
)

// Checked is what a study's log was found to be.
type Checked struct {
	Study   string
	Edition int64
	Events  int
	Head    chain.Sum // of the chain of checksums
	Err     error     // what is wrong with it, which wraps ErrCorrupt or prefer.ErrNewer; nil if it is whole and replays
}

// Check reads everything and reports all that is damaged: the file itself, logs with events that are not as they were kept,
// logs that do not replay, columns that say something else than their event, a key that two answers of a rater share.
func (s *Store) Check(ctx context.Context) error {
	all, err := s.CheckEach(ctx)
	for _, one := range all {
		err = errors.Join(err, one.Err)
	}
	return err
}

// CheckEach does the same and tells of every study. The error says why a check could not be made, or what is damaged below the level of studies.
func (s *Store) CheckEach(ctx context.Context) (all []Checked, err error) {
	below := s.patiently(ctx, func() error { return s.engine.check(ctx, s.db) })
	if below != nil && !errors.Is(below, ErrCorrupt) {
		return nil, below
	}
	list, err := s.List(ctx)
	if err != nil {
		return nil, errors.Join(below, err)
	}
	for _, i := range list {
		one, err := s.checkStudy(ctx, i.Name)
		switch {
		case errors.Is(err, ErrNoStudy): // deleted meanwhile
		case err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, prefer.ErrNewer):
			return nil, err
		default:
			one.Err = err
			all = append(all, one)
		}
	}
	return all, below
}

func (s *Store) checkStudy(ctx context.Context, name string) (Checked, error) {
	l, err := s.load(ctx, name)
	one := Checked{name, l.edition, l.end.seq, l.end.chain, nil}
	if err != nil {
		return one, err
	}
	study, err := s.open(ctx, name, l)
	if err != nil {
		return one, err
	}
	events := study.Events(0)
	if err := checkKeys(events); err != nil {
		return one, s.unreadable(name, err)
	}
	return one, s.checkColumns(ctx, name, l, events)
}

// checkColumns compares what is beside the bodies of events for queries. Nothing that a study is depends on it.
func (s *Store) checkColumns(ctx context.Context, name string, l log, events []prefer.Event) error {
	return s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
		rows, err := collect(ctx, c, func(r *row) []any { return []any{&r.seq, &r.time, &r.kind, &r.rater, &r.key, (*checksum)(&r.chain)} },
			"SELECT seq, time, kind, rater, key, chain FROM prefer_events WHERE study = $1 ORDER BY seq LIMIT $2", l.id, len(events))
		if err != nil {
			return err
		}
		for i, have := range rows {
			if have.chain != l.rows[i].chain {
				return nil // rewritten since it was read
			}
			want := index(events[i])
			if want.chain = have.chain; have != want {
				return s.unreadable(name, fmt.Errorf("the columns of event %d say %d, %q, its body %d, %q", i+1, have.seq, have.columns(), want.seq, want.columns()))
			}
		}
		return nil
	})
}

// columns are those that repeat parts of the body.
func (r row) columns() []string { return []string{r.time, r.kind, r.rater, r.key} }

// checkKeys makes sure that no two answers of a rater that stand share a key.
func checkKeys(events []prefer.Event) error {
	type keyed struct{ rater, key string }
	answer, key, asked := map[keyed]prefer.AnswerID{}, map[prefer.AnswerID]keyed{}, map[prefer.QuestionID]string{}
	stand := func(id prefer.AnswerID, k keyed) error {
		if k.key == "" {
			return nil
		}
		if other, ok := answer[k]; ok {
			return fmt.Errorf("answers %q and %q of rater %q share the key %q", other, id, k.rater, k.key)
		}
		answer[k], key[id] = id, k
		return nil
	}
	for _, e := range events {
		var err error
		switch {
		case e.Asked != nil:
			asked[e.Asked.ID] = e.Asked.Rater
		case e.Answered != nil:
			err = stand(e.Answered.ID, keyed{asked[e.Answered.Question], e.Answered.Answer.Key})
		case e.Observed != nil:
			err = stand(e.Observed.ID, keyed{e.Observed.Duel.Rater, e.Observed.Duel.Answer.Key})
		case e.Undone != nil:
			delete(answer, key[e.Undone.Answer])
			delete(key, e.Undone.Answer)
		}
		if err != nil {
			return fmt.Errorf("event %d: %w", e.Seq, err)
		}
	}
	return nil
}
