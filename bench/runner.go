package bench

import (
	"context"
	"time"

	"github.com/prefer-bo/prefer/problem"
)

// Runner runs cells under one setup.
type Runner struct {
	Setup     Setup
	Questions int      // after the initial pairs
	Early     bool     // also rows before the last initial pair
	Designs   *Designs // nil: prefer's own

	// Now tells the time of the seconds columns.
	Now func() time.Time
}

// Answers returns the number of answers at which a cell is finished.
func (r *Runner) Answers(c Cell) (int, error) {
	p, err := problem.ByName(c.Problem)
	if err != nil {
		return 0, err
	}
	n, err := r.Setup.pairs(p.Dim)
	return n + r.Questions, err
}

// rater returns who answers in a cell.
func (r *Runner) rater(c Cell) (problem.Rater, error) {
	p, err := problem.ByName(c.Problem)
	if err != nil {
		return problem.Rater{}, err
	}
	rater, err := r.Setup.rater(p, c.Noise, r.Designs)
	if err != nil {
		return rater, err
	}
	return rater, rater.Validate()
}

// Rows runs one cell and returns its rows, for those who keep them elsewhere than in a file. When ctx ends
// it stops after the question at hand and returns the cause.
func (r *Runner) Rows(ctx context.Context, c Cell) ([]Row, error) {
	var rows []Row
	err := r.run(ctx, c, func(row Row) error {
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}
