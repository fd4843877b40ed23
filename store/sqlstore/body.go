package sqlstore

import (
	"cmp"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"modernc.org/sqlite"
)

// row is an event to be kept. All but chain and body repeats parts of body, for queries.
type row struct {
	seq                    int
	time, kind, rater, key string
	chain                  chain.Sum
	body                   string
}

// kept is an event that was read, with the checksum beside it.
type kept struct {
	chain chain.Sum
	body  []byte
}

// readRows reads the events of a study from number from on.
func (s *Store) readRows(c *session, study int64, from int) []kept {
	return collect(c, func(k *kept) []any { return []any{(*checksum)(&k.chain), &k.body} },
		"SELECT chain, "+s.body+" FROM prefer_events WHERE study = $1 AND seq >= $2 ORDER BY seq", study, from)
}

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
func encodeAll(chain chain.Sum, events []prefer.Event) ([]row, error) {
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
// row that is not as it was kept, or is no event with its number, is an error for every reader.
func decode(after ending, rows []kept) ([]prefer.Event, error) {
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
				events[i], errs[w] = before.next(rows[i])
			}
		})
	}
	wait.Wait()
	return events, cmp.Or(errs...)
}

// next returns the event that follows, which must be as it was kept.
func (e ending) next(k kept) (prefer.Event, error) {
	want, broken := e.seq+1, e.chain.Next(k.body) != k.chain
	event, err := prefer.ReadEvent(k.body)
	switch {
	case broken && err == nil && event.Seq > want:
		return event, fmt.Errorf("event %d is missing, or event %d is in its place", want, event.Seq)
	case broken:
		return event, fmt.Errorf("event %d does not fit its checksum: it, or the checksum, is not as it was kept", want)
	case errors.Is(err, prefer.ErrNewer):
		return event, fmt.Errorf("event %d: %w", want, err)
	case err != nil:
		return event, fmt.Errorf("event %d cannot be read: %w", want, err)
	case event.Seq != want:
		return event, fmt.Errorf("event %d says that it is number %d", want, event.Seq)
	}
	return event, nil
}

// checksum reads a column. What is no checksum is read as that of nothing, which no event has: the chain breaks there.
type checksum chain.Sum

func (c *checksum) Scan(column any) error {
	*c = checksum{}
	if b, ok := column.([]byte); ok && len(b) == len(c) {
		copy(c[:], b)
	}
	return nil
}

// ending is an event with all before it. A log with another checksum there is another log: a failover has lost some events and
// others came in their place, somebody was forgotten, or it is damaged.
type ending struct {
	seq   int
	chain chain.Sum
}

// checkEnd refuses events, the first of which has number first, that end before or after where the study does.
func (e ending) checkEnd(first int, rows []kept) error {
	switch last := first + len(rows) - 1; {
	case len(rows) == 0:
		return fmt.Errorf("it has no events, want %d", e.seq)
	case last == e.seq-1:
		return fmt.Errorf("event %d is missing: its end was cut off", e.seq)
	case last < e.seq:
		return fmt.Errorf("events %d to %d are missing: its end was cut off", last+1, e.seq)
	case last > e.seq:
		return fmt.Errorf("event %d comes after the last one, %d", e.seq+1, e.seq)
	}
	if last := rows[len(rows)-1]; last.chain != e.chain {
		return fmt.Errorf("its head is %v, and event %d has %v: one of them is not as it was kept", e.chain, e.seq, last.chain)
	}
	return nil
}

// sealed puts a checksum before what a cache keeps, and unsealed takes it off. What does not fit is not there: it can be made again.
func sealed(body []byte) []byte {
	sum := chain.Sum{}.Next(body)
	return append(sum[:], body...)
}

func unsealed(kept []byte) []byte {
	if len(kept) < len(chain.Sum{}) {
		return nil
	}
	sum, body := chain.Sum(kept), kept[len(chain.Sum{}):]
	if sum != (chain.Sum{}).Next(body) {
		return nil
	}
	return body
}

// prefer_chain is prefer.Chain.Next in SQLite, for the migration that gives old logs their checksums. PostgreSQL has sha256.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("prefer_chain", 2, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		var before checksum
		if err := before.Scan(args[0]); err != nil {
			return nil, err
		}
		var next chain.Sum
		switch body := args[1].(type) {
		case string:
			next = chain.Sum(before).Next([]byte(body))
		case []byte: // a damaged row may say so: the bytes are what is read
			next = chain.Sum(before).Next(body)
		default:
			return []byte{}, nil
		}
		return next[:], nil
	})
}
