package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Note is something a program keeps beside the log of a study: how a service runs it, who was invited. The
// study does not depend on it, and it is deleted with the study.
type Note struct {
	Study string
	Name  string // of the note within its study
	Rater string // whom it is about, empty for nobody; forgetting her removes it
	Body  string
}

// KeepNote keeps a note, in place of one of the same name if there is one.
func (s *Store) KeepNote(ctx context.Context, n Note) error {
	if err := checkName(n.Study); err != nil {
		return err
	}
	return s.write(ctx, func(ctx context.Context, c *sql.Conn, _ bool) error {
		result, err := c.ExecContext(ctx, `INSERT INTO prefer_notes (study, name, rater, body)
			SELECT id, $1, $2, $3 FROM prefer_studies WHERE name = $4
			ON CONFLICT (study, name) DO UPDATE SET rater = excluded.rater, body = excluded.body`, n.Name, n.Rater, n.Body, n.Study)
		if err != nil {
			return err
		}
		if kept, err := result.RowsAffected(); err != nil || kept > 0 {
			return err
		}
		return fmt.Errorf("store: study %q: %w", n.Study, ErrNoStudy)
	})
}

// FindNote returns the note of this name in a study or, if study is empty, in whichever has one; ok is false
// if there is none.
func (s *Store) FindNote(ctx context.Context, study, name string) (n Note, ok bool, err error) {
	err = s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
		n, ok = Note{Name: name}, false
		err := c.QueryRowContext(ctx, `SELECT s.name, n.rater, n.body FROM prefer_notes n JOIN prefer_studies s ON s.id = n.study
			WHERE n.name = $1 AND ($2 = '' OR s.name = $2) ORDER BY s.id LIMIT 1`, name, study).Scan(&n.Study, &n.Rater, &n.Body)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		ok = err == nil
		return err
	})
	return n, ok, err
}
