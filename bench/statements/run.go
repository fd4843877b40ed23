package statements

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/problem"
)

// Run plays the studies of the plan and returns them in the plan's order. done, if not nil, is called before the first and after each with how
// many of how many there are, one call at a time. If ctx ends before all are played Run returns its cause.
func (p Plan) Run(ctx context.Context, done func(played, of int)) ([]Study, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p = p.WithDefaults()
	cells := p.cells()
	out := make([]Study, len(cells))
	err := bench.SideBySide(ctx, p.Jobs, cells, 0, len(cells), done, func(ctx context.Context, c cell, tell func()) (err error) {
		if out[c.number], err = p.study(ctx, c); err != nil {
			return fmt.Errorf("statements: taste %d of %s, %s, rater %s: %w", c.index, c.space, c.family, c.rater, err)
		}
		tell()
		return nil
	})
	return out, err
}

// study plays one.
func (p Plan) study(ctx context.Context, c cell) (Study, error) {
	o, err := options(c.space, c.family)
	if err != nil {
		return Study{}, err
	}
	taste, err := problem.NewTaste(c.seed(p.Seed, seedTaste), c.index, o)
	if err != nil {
		return Study{}, err
	}
	rater, err := taste.Rater(c.rater)
	if err != nil {
		return Study{}, err
	}
	return p.play(ctx, c, person{Room: bench.Room{Taste: taste}, rater: rater})
}
