package queue

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/internal/bench"
)

// Rows calls yield for every row there is, by seed, problem, noise, method, setup and answers, while workers may be
// writing more. Cells of the same coordinates and different numbers of questions share rows; each comes once.
func (q *Queue) Rows(ctx context.Context, yield func(bench.Row) error) error {
	rows, _ := q.pool.Query(ctx, `
SELECT DISTINCT ON (c.seed, c.problem, c.noise, c.method, c.setup, r.answers) r.body::text
FROM prefer_queue.cells c JOIN prefer_queue.rows r ON r.cell = c.id
ORDER BY c.seed, c.problem, c.noise, c.method, c.setup, r.answers, c.id`) // an error is ForEachRow's too
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
