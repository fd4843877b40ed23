package store

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
)

// row is an event as the table has it. All but body repeats parts of body, for queries.
type row struct {
	seq                          int
	time, kind, rater, key, body string
}

// stamp writes a time as the table has it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// encode writes an event as a row. An event that would not come back as it is, is refused.
func encode(e prefer.Event) (row, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return row{}, fmt.Errorf("store: event %d: %w", e.Seq, err)
	}
	r := row{seq: e.Seq, time: stamp(e.Time), kind: string(e.Kind), body: string(body)}
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

func encodeAll(events []prefer.Event) ([]row, error) {
	rows := make([]row, len(events))
	for i, e := range events {
		var err error
		if rows[i], err = encode(e); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// replaced reports whether encoding/json put U+FFFD in place of bytes that are no UTF-8: it then writes the
// escape, and the character itself where the text had it. Without escaped backslashes the others begin an escape.
func replaced(body string) bool {
	return strings.Contains(strings.ReplaceAll(body, `\\`, ""), `\ufffd`)
}

// decode reads the bodies that follow event number after, in parallel: nearly all of the time to open a study is
// spent here. The first body that is no event with its number is an error, whoever finds it.
func decode(after int, bodies []string) ([]prefer.Event, error) {
	events := make([]prefer.Event, len(bodies))
	workers := min(runtime.GOMAXPROCS(0), 1+len(bodies)/64)
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		from, to := w*len(bodies)/workers, (w+1)*len(bodies)/workers
		wait.Go(func() {
			for i := from; i < to && errs[w] == nil; i++ {
				if err := json.Unmarshal([]byte(bodies[i]), &events[i]); err != nil {
					errs[w] = fmt.Errorf("event %d cannot be read: %w", after+i+1, err)
				} else if events[i].Seq != after+i+1 {
					errs[w] = fmt.Errorf("event %d says that it is number %d", after+i+1, events[i].Seq)
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
