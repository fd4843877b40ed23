package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
)

// row is an event as the table has it. All but chain and body repeats parts of body, for queries.
type row struct {
	seq                    int
	time, kind, rater, key string
	chain                  prefer.Chain
	body                   string
}

// readRows reads the rows of a study from event number from on.
func readRows(ctx context.Context, c *sql.Conn, study int64, from int) ([]row, error) {
	return collect(ctx, c, func(r *row) []any {
		return []any{&r.seq, &r.time, &r.kind, &r.rater, &r.key, (*checksum)(&r.chain), &r.body}
	}, "SELECT seq, time, kind, rater, key, chain, body FROM prefer_events WHERE study = $1 AND seq >= $2 ORDER BY seq", study, from)
}

// stamp writes a time as the table has it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// encode writes an event as a row, without its checksum. An event that would not come back as it is, is refused.
func encode(e prefer.Event) (row, error) {
	body, err := e.Line()
	if err != nil {
		return row{}, fmt.Errorf("store: event %d: %w", e.Seq, err)
	}
	r := index(e)
	r.body = string(body)
	if replaced(r.body) {
		return row{}, fmt.Errorf("store: event %d, %q, has text that is not valid UTF-8: a name, a key or a word", e.Seq, e.Kind)
	}
	for field, text := range map[string]string{"rater": r.rater, "key": r.key} {
		if strings.ContainsRune(text, 0) {
			return row{}, fmt.Errorf("store: event %d, %q, has a NUL character in its %s %q: PostgreSQL has no such text", e.Seq, e.Kind, field, text)
		}
	}
	return r, nil
}

// index returns what the columns beside its body say of an event.
func index(e prefer.Event) row {
	r := row{seq: e.Seq, time: stamp(e.Time), kind: string(e.Kind)}
	switch {
	case e.Asked != nil:
		r.rater = e.Asked.Rater
	case e.Answered != nil:
		r.rater, r.key = e.Answered.Answer.Rater, e.Answered.Answer.Key
	case e.Observed != nil:
		r.rater, r.key = e.Observed.Duel.Rater, e.Observed.Duel.Answer.Key
	case e.Taken != nil:
		r.rater = e.Taken.Rater
	case e.Excluded != nil:
		r.rater = e.Excluded.Rater
	}
	return r
}

// encodeAll writes events as rows that follow a log with this checksum.
func encodeAll(chain prefer.Chain, events []prefer.Event) ([]row, error) {
	rows := make([]row, len(events))
	for i, e := range events {
		var err error
		if rows[i], err = encode(e); err != nil {
			return nil, err
		}
		chain = chain.Next([]byte(rows[i].body))
		rows[i].chain = chain
	}
	return rows, nil
}

// replaced reports whether encoding/json put U+FFFD in place of bytes that are no UTF-8: it then writes the
// escape, and the character itself where the text had it. Without escaped backslashes the others begin an escape.
func replaced(body string) bool {
	return strings.Contains(strings.ReplaceAll(body, `\\`, ""), `\ufffd`)
}

// decode reads the rows that follow a log, in parallel: nearly all of the time to open a study is spent here. The first
// row that is not as it was kept, or is no event with its number, is an error, whoever finds it.
func decode(after ending, rows []row) ([]prefer.Event, error) {
	events := make([]prefer.Event, len(rows))
	workers := min(runtime.GOMAXPROCS(0), 1+len(rows)/64)
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		from, to := w*len(rows)/workers, (w+1)*len(rows)/workers
		wait.Go(func() {
			for i := from; i < to && errs[w] == nil; i++ {
				before := after
				if i > 0 {
					before = ending{after.seq + i, rows[i-1].chain}
				}
				if errs[w] = before.check(rows[i]); errs[w] == nil {
					events[i], errs[w] = read(rows[i])
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return events, nil
}

// read makes an event of a row.
func read(r row) (prefer.Event, error) {
	e, err := prefer.ReadEvent([]byte(r.body))
	switch {
	case errors.Is(err, prefer.ErrNewer):
		return e, fmt.Errorf("event %d: %w", r.seq, err)
	case err != nil:
		return e, fmt.Errorf("event %d cannot be read: %w", r.seq, err)
	case e.Seq != r.seq:
		return e, fmt.Errorf("event %d says that it is number %d", r.seq, e.Seq)
	}
	want := index(e)
	if want.chain, want.body = r.chain, r.body; r != want {
		return e, fmt.Errorf("the columns of event %d say %q, its body %q", r.seq, r.columns(), want.columns())
	}
	return e, nil
}

// columns are those that repeat parts of the body.
func (r row) columns() []string { return []string{r.time, r.kind, r.rater, r.key} }
