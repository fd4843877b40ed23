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
	Own       Own      // problems and methods that are not in the catalogue

	// Now tells the time of the seconds columns.
	Now func() time.Time
}

// Answers returns the number of answers at which a cell is finished.
func (r *Runner) Answers(c Cell) (int, error) {
	p, err := r.Own.problem(c.Problem)
	if err != nil {
		return 0, err
	}
	n, err := r.Setup.pairs(p.Dim)
	return n + r.Questions, err
}

// Rater returns who answers in a cell. It may have to be calibrated, which takes half a second: cells that
// differ in method and seed alone have the same.
func (r *Runner) Rater(c Cell) (problem.Rater, error) {
	p, err := r.Own.problem(c.Problem)
	if err != nil {
		return problem.Rater{}, err
	}
	points := 0
	if _, own := r.Own.Problems[c.Problem]; own {
		points = ownPoints
	}
	var rater problem.Rater
	err = problem.Catch(func() (err error) {
		rater, err = r.Setup.rater(p, c.Noise, r.Designs, points)
		return err
	})
	if err != nil {
		return rater, err
	}
	return rater, rater.Validate()
}

// Rows runs one cell and returns its rows, for those who keep them elsewhere than in a file. When ctx ends
// it stops after the question at hand and returns the cause.
func (r *Runner) Rows(ctx context.Context, c Cell, rater problem.Rater) ([]Row, error) {
	var rows []Row
	err := r.run(ctx, c, rater, func(row Row) error {
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}
