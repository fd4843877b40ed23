package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/store"
)

// List returns what is in the store, sorted by name. A study that is damaged is in the list, and says so: it keeps nobody from the others.
func (s *Store) List(ctx context.Context) (list []store.Info, err error) {
	list, err = s.list(ctx, "")
	if errors.Is(err, store.ErrCorrupt) { // a page that rows of some study are in: find out which
		var names []string
		err = s.read(ctx, func(c *session) {
			names = c.texts("SELECT name FROM prefer_studies")
		})
		list = nil
		for _, name := range names {
			one, err := s.list(ctx, " WHERE name = $1", name)
			if errors.Is(err, store.ErrCorrupt) {
				one = []store.Info{{Name: name, Damage: fmt.Errorf("store: study %q: %w", name, err)}}
			} else if err != nil {
				return nil, err
			}
			list = append(list, one...)
		}
	}
	slices.SortFunc(list, func(a, b store.Info) int { return strings.Compare(a.Name, b.Name) }) // by bytes, in any locale
	return list, err
}

// list reads what a list says about the studies of prefer_studies that are wanted.
func (s *Store) list(ctx context.Context, where string, args ...any) (list []store.Info, err error) {
	type listed struct {
		store.Info
		created, changed string
		head, end        checksum
		id               int64
		count            int
	}
	err = s.read(ctx, func(c *session) {
		list = nil
		rows := collect(c, func(i *listed) []any {
			return []any{&i.id, &i.Name, &i.created, &i.Events, &i.head, &i.changed, &i.end, &i.count, &i.Bytes}
		}, `SELECT id, name, created, last, head, coalesce((SELECT time FROM prefer_events WHERE study = id AND seq = last), ''),
				(SELECT chain FROM prefer_events WHERE study = id AND seq = last),
				(SELECT count(*) FROM prefer_events WHERE study = id),
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
			default:
				i.Answers, wrong = s.countAnswers(c, i.id, i.head)
			}
			if wrong != nil {
				i.Damage = s.unreadable(i.Name, wrong)
			}
			list = append(list, i.Info)
		}
	})
	return list, err
}

// counted is how many answers of a study count, as long as its log has this checksum: a list of studies reads the answers of those that have changed.
type counted struct {
	head    checksum
	answers int
}

// countAnswers returns the number of answers of a study that count; wrong is not nil if they cannot be read.
func (s *Store) countAnswers(c *session, study int64, head checksum) (answers int, wrong error) {
	if last, ok := s.counts.Load(study); ok && last.(counted).head == head {
		return last.(counted).answers, nil
	}
	// Whose an answer is matters where somebody is left out, and its question has it.
	rows := collect(c, func(body *[]byte) []any { return []any{body} }, "SELECT "+s.body+` FROM prefer_events WHERE study = $1 AND (kind IN ('answered', 'observed', 'undone', 'excluded')
		OR kind = 'asked' AND EXISTS (SELECT 1 FROM prefer_events WHERE study = $1 AND kind = 'excluded')) ORDER BY seq`, study)
	events := make([]prefer.Event, len(rows))
	for i, body := range rows {
		if events[i], wrong = prefer.ReadEvent(body); wrong != nil {
			return 0, wrong
		}
	}
	if answers = len(timeline.Moments(events, nil, len(events))); c.err == nil {
		s.counts.Store(study, counted{head, answers})
	}
	return answers, nil
}

// KeepNote keeps a note, in place of one of the same name if there is one.
func (s *Store) KeepNote(ctx context.Context, n store.Note) error {
	if err := store.CheckName(n.Study); err != nil {
		return err
	}
	kept, err := s.exec(ctx, keepNote+"name = $4"+replaceNote, n.Name, n.Rater, n.Body, n.Study)
	if err == nil && kept == 0 {
		err = fmt.Errorf("store: study %q: %w", n.Study, store.ErrNoStudy)
	}
	return err
}

// KeepNew keeps a note unless there is one of its name, or no study. Of several who try at once one succeeds: FindNote says whose it is.
func (s *Store) KeepNew(ctx context.Context, n store.Note) error {
	_, err := s.exec(ctx, keepNote+"name = $4 ON CONFLICT (study, name) DO NOTHING", n.Name, n.Rater, n.Body, n.Study)
	return err
}

// keepNote and replaceNote are the two ends of a statement that keeps a note beside the study to which a condition between them applies.
const (
	keepNote    = "INSERT INTO prefer_notes (study, name, rater, body) SELECT id, $1, $2, $3 FROM prefer_studies WHERE "
	replaceNote = " ON CONFLICT (study, name) DO UPDATE SET rater = excluded.rater, body = excluded.body"
)

// FindNote returns the note of this name in a study or, if study is empty, in whichever has one; ok is false if there is none.
func (s *Store) FindNote(ctx context.Context, study, name string) (n store.Note, ok bool, err error) {
	err = s.read(ctx, func(c *session) {
		n = store.Note{Name: name}
		ok = c.find([]any{&n.Study, &n.Rater, &n.Body}, `SELECT s.name, n.rater, n.body FROM prefer_notes n JOIN prefer_studies s ON s.id = n.study
			WHERE n.name = $1 AND ($2 = '' OR s.name = $2) ORDER BY s.id LIMIT 1`, name, study)
	})
	return n, ok, err
}

// KeepDerived keeps a note made from the answers of a study as it was opened. If somebody has been forgotten
// since, the note may tell of them and is not kept: the error is prefer.ErrConflict.
func (s *Store) KeepDerived(ctx context.Context, study *prefer.Study, name, body string) error {
	j, err := s.journalOf(study, "KeepDerived")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(name, store.Derived) {
		return fmt.Errorf("store: the note %q is made from answers, want a name that begins with %q", name, store.Derived)
	}
	kept, err := s.exec(ctx, keepNote+"id = $4 AND edition = $5 "+s.forShare+replaceNote, name, "", body, j.id, j.edition)
	if err == nil && kept == 0 {
		err = fmt.Errorf("store: the note %q: the study is another one by now: %w", name, prefer.ErrConflict)
	}
	return err
}

// Notes returns the notes of a study whose names begin so, in the order of their names.
func (s *Store) Notes(ctx context.Context, study, begins string) (notes []store.Note, err error) {
	err = s.read(ctx, func(c *session) {
		notes = collect(c, func(n *store.Note) []any { return []any{&n.Study, &n.Name, &n.Rater, &n.Body} },
			`SELECT s.name, n.name, n.rater, n.body FROM prefer_notes n JOIN prefer_studies s ON s.id = n.study
			WHERE s.name = $1 AND substr(n.name, 1, length($2)) = $2 ORDER BY n.name`, study, begins)
	})
	return notes, err
}

// DropNote removes a note. One that is not there is no error.
func (s *Store) DropNote(ctx context.Context, study, name string) error {
	_, err := s.exec(ctx, "DELETE FROM prefer_notes WHERE name = $1 AND study = (SELECT id FROM prefer_studies WHERE name = $2)", name, study)
	return err
}
