package queue

import (
	"bytes"
	"context"
	"errors"

	"github.com/prefer-bo/prefer/bench"
)

// Rows calls yield for every row there is, by seed, problem, noise, method, setup and answers, while workers may be
// writing more. Cells of the same coordinates and different numbers of questions share rows; each comes once.
func (q *Queue) Rows(ctx context.Context, yield func(bench.Row) error) error {
	rows, err := q.pool.Query(ctx, `
SELECT DISTINCT ON (c.seed, c.problem, c.noise, c.method, c.setup, r.answers) r.body::text
FROM prefer_queue.cells c JOIN prefer_queue.rows r ON r.cell = c.id
ORDER BY c.seed, c.problem, c.noise, c.method, c.setup, r.answers, c.id`)
	if err != nil {
		return q.explain(err)
	}
	defer rows.Close()
	stop := errors.New("stop")
	var own error
	for rows.Next() {
		var body []byte
		if err := rows.Scan(&body); err != nil {
			return q.explain(err)
		}
		err := bench.ReadRows(bytes.NewReader(body), "queue", func(r bench.Row) error {
			if own = yield(r); own != nil {
				return stop
			}
			return nil
		})
		if err != nil && own != nil {
			return own
		}
		if err != nil {
			return q.explain(err)
		}
	}
	return q.explain(rows.Err())
}
