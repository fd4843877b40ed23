package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
)

// Check reads everything and reports all that is damaged: the file itself, logs with gaps, logs that do not
// replay, columns that say something else than their event, a key that two answers of a rater share.
func (s *Store) Check(ctx context.Context) error {
	if err := s.patiently(ctx, func() error { return s.engine.check(ctx, s.db) }); err != nil {
		return err
	}
	list, err := s.List(ctx)
	if err != nil {
		return err
	}
	var problems []error
	for _, i := range list {
		err := s.checkStudy(ctx, i.Name)
		if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrNoStudy) { // deleted meanwhile is fine
			return err
		}
		if errors.Is(err, ErrCorrupt) {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

func (s *Store) checkStudy(ctx context.Context, name string) error {
	l, err := s.load(ctx, name)
	if err != nil {
		return err
	}
	study, err := s.open(ctx, name, l)
	if err != nil {
		return err
	}
	events := study.Events()
	if err := checkKeys(events); err != nil {
		return s.damaged(name, err)
	}
	return s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
		rows, err := collect(ctx, c, func(r *row) []any { return []any{&r.seq, &r.time, &r.kind, &r.rater, &r.key, &r.body} },
			"SELECT seq, time, kind, rater, key, body FROM prefer_events WHERE study = $1 AND seq <= $2 ORDER BY seq", l.id, len(events))
		if err != nil {
			return err
		}
		for i, have := range rows {
			if have.body != l.bodies[i] {
				return nil // rewritten since it was read
			}
			want, err := encode(events[i])
			if err != nil {
				return s.damaged(name, err)
			}
			if want.body = have.body; have != want {
				return s.damaged(name, fmt.Errorf("the columns of event %d say %v, its body %v", i+1, have, want))
			}
		}
		return nil
	})
}

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
