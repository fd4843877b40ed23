package queue

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Ticket is what became of a sweep that was enqueued. The cells that were there already are not run again, but for those that had failed.
type Ticket struct {
	Cells int `json:"cells"`
	New   int `json:"new"`
	Again int `json:"again"` // had failed, and get another attempt
	Done  int `json:"done"`

	keys []string
}

const batch = 1000

// Enqueue puts the cells of a sweep into the queue, all or none.
func (q *Queue) Enqueue(ctx context.Context, s *bench.Sweep) (Ticket, error) {
	if err := s.Setup.Validate(); err != nil {
		return Ticket{}, err
	}
	var design string
	var body []byte
	if s.Designs != nil {
		var err error
		if body, err = json.Marshal(s.Designs); err != nil {
			return Ticket{}, err
		}
		design = fmt.Sprintf("%x", sha256.Sum256(body))
	}
	var params []river.InsertManyParams
	var keys []string
	seen := map[string]bool{}
	for _, c := range s.Cells {
		args := newCell(&s.Runner, c, design)
		if seen[args.Key] {
			continue
		}
		seen[args.Key] = true
		params, keys = append(params, river.InsertManyParams{Args: args}), append(keys, args.Key)
	}
	var t Ticket
	err := q.transaction(ctx, func(tx pgx.Tx) error {
		t = Ticket{Cells: len(keys), keys: keys}
		if design != "" {
			if _, err := tx.Exec(ctx, "INSERT INTO prefer_queue.designs (sha256, body) VALUES ($1, $2) ON CONFLICT DO NOTHING", design, body); err != nil {
				return err
			}
		}
		for some := range slices.Chunk(params, batch) {
			if err := q.insert(ctx, tx, some, &t); err != nil {
				return err
			}
		}
		return nil
	})
	return t, err
}

func (q *Queue) insert(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams, t *Ticket) error {
	results, err := q.client.InsertManyTx(ctx, tx, params)
	if err != nil {
		return err
	}
	for _, r := range results {
		switch {
		case !r.UniqueSkippedAsDuplicate:
			t.New++
		case r.Job.State == rivertype.JobStateCompleted:
			t.Done++
		case r.Job.State == rivertype.JobStateDiscarded || r.Job.State == rivertype.JobStateCancelled:
			if _, err := q.client.JobRetryTx(ctx, tx, r.Job.ID); err != nil {
				return err
			}
			t.Again++
		}
	}
	return nil
}

// Progress tells how far the cells of a ticket are, its parts.
func (q *Queue) Progress(ctx context.Context, t Ticket) (job.Progress, error) {
	p := job.Progress{Parts: t.Cells}
	err := q.patiently(ctx, patience, func(ctx context.Context) error {
		return q.pool.QueryRow(ctx, query("cells"), t.keys).Scan(&p.Waiting, &p.Running, &p.Done, &p.Failed)
	})
	return p, err
}

// Rows calls yield for every row there is, by seed, problem, noise, method, setup and answers, while workers may be
// writing more. Cells of the same coordinates and different numbers of questions share rows; each comes once.
func (q *Queue) Rows(ctx context.Context, yield func(bench.Row) error) error {
	rows, _ := q.pool.Query(ctx, query("rows")) // an error is ForEachRow's too
	var body []byte
	var own error
	_, err := pgx.ForEachRow(rows, []any{&body}, func() error {
		var r bench.Row
		if err := json.Unmarshal(body, &r); err != nil {
			return err
		}
		own = yield(r)
		return own
	})
	if own != nil {
		return own
	}
	return q.explain(err)
}
