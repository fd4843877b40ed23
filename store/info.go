package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/store/contract"
)

// Info is what a list says about a study.
type Info = contract.Info

// List returns what is in the store, sorted by name. A study that is damaged is in the list, and says so: it keeps nobody
// from the others.
func (s *Store) List(ctx context.Context) (list []Info, err error) {
	list, err = s.list(ctx, "")
	if errors.Is(err, ErrCorrupt) { // a page that rows of some study are in: find out which
		var names []string
		err = s.read(ctx, func(ctx context.Context, c *sql.Conn) (err error) {
			names, err = texts(ctx, c, "SELECT name FROM prefer_studies")
			return err
		})
		list = nil
		for _, name := range names {
			one, err := s.list(ctx, " WHERE name = $1", name)
			if errors.Is(err, ErrCorrupt) {
				one = []Info{{Name: name, Damage: fmt.Errorf("store: study %q: %w", name, err)}}
			} else if err != nil {
				return nil, err
			}
			list = append(list, one...)
		}
	}
	slices.SortFunc(list, func(a, b Info) int { return strings.Compare(a.Name, b.Name) }) // by bytes, in any locale
	return list, err
}

// list reads what a list says about the studies of prefer_studies that are wanted.
func (s *Store) list(ctx context.Context, where string, args ...any) (list []Info, err error) {
	type listed struct {
		Info
		created, changed string
		head, end        checksum
		count            int
	}
	err = s.read(ctx, func(ctx context.Context, c *sql.Conn) error {
		list = nil
		rows, err := collect(ctx, c, func(i *listed) []any {
			return []any{&i.Name, &i.created, &i.Events, &i.head, &i.changed, &i.end, &i.count, &i.Answers, &i.Bytes}
		}, `SELECT name, created, last, head, coalesce((SELECT time FROM prefer_events WHERE study = id AND seq = last), ''),
				(SELECT chain FROM prefer_events WHERE study = id AND seq = last),
				(SELECT count(*) FROM prefer_events WHERE study = id),
				(SELECT coalesce(sum(CASE WHEN kind IN ('answered', 'observed') THEN 1 WHEN kind = 'undone' THEN -1 ELSE 0 END), 0)
					FROM prefer_events WHERE study = id),
				(SELECT coalesce(sum(octet_length(body)), 0) FROM prefer_events WHERE study = id) +
				(SELECT coalesce(sum(octet_length(body)), 0) FROM prefer_snapshots WHERE study = id)
			FROM prefer_studies`+where, args...)
		for _, i := range rows {
			var wrong error
			if i.Created, wrong = time.Parse(time.RFC3339Nano, i.created); wrong == nil {
				i.Changed, wrong = time.Parse(time.RFC3339Nano, i.changed)
			}
			switch {
			case i.count != i.Events:
				wrong = fmt.Errorf("%d of its %d events are there", i.count, i.Events)
			case i.head != i.end:
				wrong = errors.New("its head is not the checksum of its last event")
			case wrong != nil:
				wrong = fmt.Errorf("a time cannot be read: %w", wrong)
			}
			if wrong != nil {
				i.Damage = s.unreadable(i.Name, wrong)
			}
			list = append(list, i.Info)
		}
		return err
	})
	return list, err
}
