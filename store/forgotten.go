package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"

	"github.com/prefer-bo/prefer/store/contract"
)

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
