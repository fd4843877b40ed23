package statements

import (
	"context"
	"fmt"
	"sync"

	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/problem"
)

// Run plays the studies of the plan and returns them in the plan's order. done, if not nil, is called after each with how many
// of how many there are, one call at a time. If ctx ends before all are played Run returns its cause.
func (p Plan) Run(ctx context.Context, done func(played, of int)) ([]Study, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p = p.WithDefaults()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cells := p.cells()
	out := make([]Study, len(cells))
	work := make(chan cell)
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		played  int
	)
	for range p.Jobs {
		workers.Go(func() {
			for c := range work {
				s, err := p.study(ctx, c)
				if err != nil {
					cancel(fmt.Errorf("statements: taste %d of %s, %s, rater %s: %w", c.index, c.space, c.family, c.rater, err))
					continue
				}
				mu.Lock()
				out[c.number] = s
				if played++; done != nil {
					done(played, len(cells))
				}
				mu.Unlock()
			}
		})
	}
	for _, c := range cells {
		if ctx.Err() != nil {
			break
		}
		work <- c
	}
	close(work)
	workers.Wait()
	return out, context.Cause(ctx)
}

// study plays one.
func (p Plan) study(ctx context.Context, c cell) (Study, error) {
	if err := context.Cause(ctx); err != nil {
		return Study{}, err
	}
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
