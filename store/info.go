package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/store/contract"
)

// Info is what a list says about a study.
type Info = contract.Info

// List returns what is in the store, sorted by name.
func (s *Store) List(ctx context.Context) ([]Info, error) {
	type listed struct {
		Info
		created, changed string
	}
	var list []Info
	err := s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
		list = nil
		rows, err := collect(ctx, c, func(i *listed) []any {
			return []any{&i.Name, &i.created, &i.Events, &i.changed, &i.Answers, &i.Bytes}
		}, `SELECT name, created, last, coalesce((SELECT time FROM prefer_events WHERE study = id AND seq = last), ''),
				(SELECT coalesce(sum(CASE WHEN kind IN ('answered', 'observed') THEN 1 WHEN kind = 'undone' THEN -1 ELSE 0 END), 0)
					FROM prefer_events WHERE study = id),
				(SELECT coalesce(sum(octet_length(body)), 0) FROM prefer_events WHERE study = id) +
				(SELECT coalesce(sum(octet_length(body)), 0) FROM prefer_snapshots WHERE study = id)
			FROM prefer_studies`)
		for _, i := range rows {
			if i.Created, err = time.Parse(time.RFC3339Nano, i.created); err == nil {
				i.Changed, err = time.Parse(time.RFC3339Nano, i.changed)
			}
			if err != nil {
				return s.damaged(i.Name, fmt.Errorf("a time cannot be read: %w", err))
			}
			list = append(list, i.Info)
		}
		return err
	})
	slices.SortFunc(list, func(a, b Info) int { return strings.Compare(a.Name, b.Name) }) // by bytes, in any locale
	return list, err
}
