package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store/contract"
)

// Note is something a program keeps beside the log of a study, which does not depend on it.
type Note = contract.Note

// Derived begins the names of notes that were made from a study's answers: forgetting anybody removes them.
const Derived = contract.Derived

// KeepNote keeps a note, in place of one of the same name if there is one.
func (s *Store) KeepNote(ctx context.Context, n Note) error {
	if err := contract.CheckName(n.Study); err != nil {
		return err
	}
	kept, err := s.keepNote(ctx, n, "name = $4", n.Study)
	if err == nil && !kept {
		err = fmt.Errorf("store: study %q: %w", n.Study, ErrNoStudy)
	}
	return err
}

// KeepNew keeps a note unless there is one of its name, or no study. Of several who try at once one succeeds: FindNote says whose it is.
func (s *Store) KeepNew(ctx context.Context, n Note) error {
	return s.write(ctx, func(ctx context.Context, c *sql.Conn, _ bool) error {
		_, err := c.ExecContext(ctx, `INSERT INTO prefer_notes (study, name, rater, body)
			SELECT id, $1, $2, $3 FROM prefer_studies WHERE name = $4
			ON CONFLICT (study, name) DO NOTHING`, n.Name, n.Rater, n.Body, n.Study)
		return err
	})
}

// keepNote keeps a note beside the study to which the condition applies, and reports whether there is one.
func (s *Store) keepNote(ctx context.Context, n Note, condition string, args ...any) (kept bool, err error) {
	err = s.write(ctx, func(ctx context.Context, c *sql.Conn, _ bool) error {
		rows, err := change(ctx, c, `INSERT INTO prefer_notes (study, name, rater, body)
			SELECT id, $1, $2, $3 FROM prefer_studies WHERE `+condition+`
			ON CONFLICT (study, name) DO UPDATE SET rater = excluded.rater, body = excluded.body`,
			append([]any{n.Name, n.Rater, n.Body}, args...)...)
		kept = rows > 0
		return err
	})
	return kept, err
}

// FindNote returns the note of this name in a study or, if study is empty, in whichever has one; ok is false if there is none.
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

// KeepDerived keeps a note made from the answers of a study as it was opened. If somebody has been forgotten
// since, the note may tell of her and is not kept: the error is prefer.ErrConflict.
func (s *Store) KeepDerived(ctx context.Context, study *prefer.Study, name, body string) error {
	j, err := s.journalOf(study, "KeepDerived")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(name, Derived) {
		return fmt.Errorf("store: the note %q is made from answers, want a name that begins with %q", name, Derived)
	}
	kept, err := s.keepNote(ctx, Note{Name: name, Body: body}, "id = $4 AND edition = $5 "+s.engine.forShare(), j.id, j.edition)
	if err == nil && !kept {
		err = fmt.Errorf("store: the note %q: the study is another one by now: %w", name, prefer.ErrConflict)
	}
	return err
}

// Notes returns the notes of a study whose names begin so, in the order of their names.
func (s *Store) Notes(ctx context.Context, study, begins string) (notes []Note, err error) {
	err = s.read(ctx, func(ctx context.Context, c *sql.Conn) (err error) {
		notes, err = collect(ctx, c, func(n *Note) []any { return []any{&n.Study, &n.Name, &n.Rater, &n.Body} },
			`SELECT s.name, n.name, n.rater, n.body FROM prefer_notes n JOIN prefer_studies s ON s.id = n.study
			WHERE s.name = $1 AND substr(n.name, 1, length($2)) = $2 ORDER BY n.name`, study, begins)
		return err
	})
	return notes, err
}

// DropNote removes a note. One that is not there is no error.
func (s *Store) DropNote(ctx context.Context, study, name string) error {
	return s.write(ctx, func(ctx context.Context, c *sql.Conn, _ bool) error {
		_, err := c.ExecContext(ctx, "DELETE FROM prefer_notes WHERE name = $1 AND study = (SELECT id FROM prefer_studies WHERE name = $2)", name, study)
		return err
	})
}
