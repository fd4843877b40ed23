package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/store"
)

// journal is one study's end of the store. It writes to the edition of the study it was opened with: to
// another one, in which somebody was forgotten since, its events might not fit.
type journal struct {
	store       *Store
	name        string
	id, edition int64

	mu       sync.Mutex
	snapshot []byte // the one kept last, as far as this journal knows

	end atomic.Pointer[ending] // what is known to be in the store
}

// reach notes that the store has an event, and with it all before.
func (j *journal) reach(next ending) {
	for {
		old := j.end.Load()
		if old != nil && old.seq >= next.seq || j.end.CompareAndSwap(old, &next) {
			return
		}
	}
}

var _ prefer.Journal = (*journal)(nil)

// Append keeps events. When it returns nil the events are on disk, once.
//
// A lost connection leaves it open whether COMMIT arrived. The next attempt settles that: its UPDATE waits for the row that the lost transaction holds, and
// then either moves the study on or finds it moved on by the very events it was going to write.
func (j *journal) Append(ctx context.Context, after int, events ...prefer.Event) error {
	if j.id == 0 { // it is not in the store yet
		var err error
		var end ending
		if j.id, end, err = j.store.add(ctx, j.name, events); err == nil {
			j.reach(end)
		}
		return err
	}
	known := *j.end.Load()
	if known.seq != after { // the study is behind, or its journal is: Follow has read on, and the study is about to
		return fmt.Errorf("store: study %q ends at event %d, not %d: %w", j.name, known.seq, after, prefer.ErrConflict)
	}
	rows, err := encodeAll(known.chain, events)
	if err != nil {
		return err
	}
	last := rows[len(rows)-1]
	err = j.store.write(ctx, func(c *session, doubt bool) {
		if c.exec("UPDATE prefer_studies SET last = $1, head = $2 WHERE id = $3 AND edition = $4 AND last = $5 AND head = $6",
			last.seq, last.chain[:], j.id, j.edition, known.seq, known.chain[:]) == 0 {
			c.fail(j.conflict(c, doubt, after, rows))
			return
		}
		c.insert(j.id, rows)
	})
	if err != nil {
		return err
	}
	j.reach(ending{last.seq, last.chain})
	if j.store.notifier != nil {
		j.store.notifier.add(store.Change{Study: j.name, Seq: last.seq, Kind: last.kind})
	}
	return nil
}

// conflict says why the study could not be moved on from after; nil if it was this journal that did.
func (j *journal) conflict(c *session, doubt bool, after int, rows []row) error {
	if doubt {
		// The same checksum is the same log up to there.
		last, kept := rows[len(rows)-1], chain.Sum{}
		if c.find([]any{(*checksum)(&kept)}, "SELECT chain FROM prefer_events WHERE study = $1 AND seq = $2", j.id, last.seq); kept == last.chain {
			// What a restarted primary has may not have reached its standby. COMMIT waits for that, but only if it has something to keep: so it has.
			c.exec("UPDATE prefer_studies SET last = last WHERE id = $1", j.id)
			return nil
		}
	}
	var last, edition int64
	switch found := c.find([]any{&last, &edition}, "SELECT last, edition FROM prefer_studies WHERE id = $1", j.id); {
	case !found:
		return fmt.Errorf("store: study %q was deleted: %w", j.name, store.ErrNoStudy)
	case edition != j.edition:
		return fmt.Errorf("store: in study %q a rater was forgotten since it was opened: %w", j.name, prefer.ErrConflict)
	case last == int64(after):
		return fmt.Errorf("store: event %d of study %q is another one by now: %w", last, j.name, prefer.ErrConflict)
	}
	return fmt.Errorf("store: study %q ends at event %d, not %d: %w", j.name, last, after, prefer.ErrConflict)
}

// insert writes rows of a study whose row the transaction holds, many at a time: a server may be far away.
func (c *session) insert(id int64, rows []row) {
	for some := range slices.Chunk(rows, 100) {
		var values strings.Builder
		args := []any{id}
		for i, r := range some {
			if i > 0 {
				values.WriteString(", ")
			}
			n := len(args)
			fmt.Fprintf(&values, "($1, $%d, $%d, $%d, $%d, $%d, $%d, $%d)", n+1, n+2, n+3, n+4, n+5, n+6, n+7)
			args = append(args, r.seq, r.time, r.kind, r.rater, r.key, r.chain[:], r.body)
		}
		c.exec("INSERT INTO prefer_events (study, seq, time, kind, rater, key, chain, body) VALUES "+values.String(), args...)
	}
}

// Follow brings a study of this store to where its log ends, with what other processes have appended, and returns how many events that were. ok is false if the
// study must be opened again: somebody was forgotten in it, it was deleted, or a failover has lost events that it has.
func (s *Store) Follow(ctx context.Context, study *prefer.Study) (moved int, ok bool, err error) {
	j, err := s.journalOf(study, "Follow")
	if err != nil {
		return 0, false, err
	}
	before, end := study.Seq(), *j.end.Load() // in this order: the journal is never behind
	var rows []kept
	var now ending // of the log in the store
	err = s.read(ctx, func(c *session) {
		rows = nil
		var edition int64
		var there chain.Sum // at the event that the store had at the end
		found := c.find([]any{&now.seq, (*checksum)(&now.chain), &edition, (*checksum)(&there)},
			"SELECT last, head, edition, (SELECT chain FROM prefer_events WHERE study = id AND seq = $2) FROM prefer_studies WHERE id = $1", j.id, end.seq)
		if ok = found && edition == j.edition && there == end.chain; ok && now.seq > before {
			rows = s.readRows(c, j.id, before)
		}
	})
	if err != nil || !ok || len(rows) == 0 {
		return 0, err == nil && ok, err
	}
	// The first row is the last that the study has; through the links after it, it leads to the one that is known.
	events, err := decode(ending{before, rows[0].chain}, rows[1:])
	if err == nil {
		err = now.checkEnd(before, rows)
	}
	if err == nil {
		j.reach(now)                      // first, since an append needs the checksum of what the study has
		err = study.Host().Follow(events) // passes over what the study itself has appended meanwhile
	}
	if err != nil {
		return 0, false, s.unreadable(j.name, err)
	}
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
