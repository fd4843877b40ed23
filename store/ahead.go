package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/prefer-bo/prefer"
)

// KeepAhead keeps what Study.Prefetch has chosen for a rater, so that whichever process she comes to next has it. There is one per rater: a newer one takes its
// place. It is a cache like a snapshot: losing it costs a search.
func (s *Store) KeepAhead(ctx context.Context, study *prefer.Study, rater string) error {
	j, err := s.journalOf(study, "KeepAhead")
	if err != nil {
		return err
	}
	seq, body := study.Host().Export(rater)
	if body == nil || s.readOnly {
		return nil
	}
	return s.write(ctx, func(ctx context.Context, c *sql.Conn, _ bool) error {
		if lazy := s.engine.lazy(); lazy != "" {
			if _, err := c.ExecContext(ctx, lazy); err != nil {
				return err
			}
		}
		// Another edition takes none, and a study that has been deleted: somebody may have been forgotten.
		_, err := c.ExecContext(ctx, `INSERT INTO prefer_ahead (study, rater, seq, build, body)
			SELECT id, $1, $2, $3, $4 FROM prefer_studies WHERE id = $5 AND edition = $6 `+s.engine.forShare()+`
			ON CONFLICT (study, rater) DO UPDATE SET seq = excluded.seq, build = excluded.build, body = excluded.body
			WHERE prefer_ahead.seq <= excluded.seq OR prefer_ahead.build <> excluded.build`, rater, seq, s.build, sealed(body), j.id, j.edition)
		return err
	})
}

// UseAhead hands a study what another process has kept for a rater, and reports whether the study could use it.
func (s *Store) UseAhead(ctx context.Context, study *prefer.Study, rater string) (bool, error) {
	j, err := s.journalOf(study, "UseAhead")
	if err != nil {
		return false, err
	}
	var body []byte
	err = s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
		body = nil
		err := c.QueryRowContext(ctx, "SELECT body FROM prefer_ahead WHERE study = $1 AND rater = $2 AND build = $3", j.id, rater, s.build).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	body = unsealed(body)
	return err == nil && body != nil && study.Host().Import(body), err
}
