package tastes

import (
	"context"
	"fmt"
	"sync"

	"github.com/prefer-bo/prefer/problem"
)

// Run plays the studies of the plan that are not in the file and returns all of the plan's tastes and raters that are in it then,
// whatever asked. done, if not nil, is called with how many of the plan's studies there are, of how many: before the first one
// and after each, one call at a time. When ctx ends Run returns its cause; every study that was played stays in the file.
func (p Plan) Run(ctx context.Context, file *File, done func(played, of int)) ([]Study, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p = p.WithDefaults()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	units := p.units()
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		work    = make(chan unit)
		of      = len(units) * len(p.Raters) * len(p.Methods)
		played  int
	)
	for _, u := range units {
		played += len(p.Raters)*len(p.Methods) - len(p.todo(file, u))
	}
	tell := func(more int) {
		mu.Lock()
		defer mu.Unlock()
		if played += more; done != nil {
			done(played, of)
		}
	}
	tell(0)
	for range p.Jobs {
		workers.Go(func() {
			for u := range work {
				if err := p.playAll(ctx, file, u, func() { tell(1) }); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, u := range units {
		if ctx.Err() != nil {
			break
		}
		if len(p.todo(file, u)) > 0 {
			work <- u
		}
	}
	close(work)
	workers.Wait()
	return p.Select(file.Studies()), context.Cause(ctx)
}

// todo lists the studies about a taste that are not in the file.
func (p Plan) todo(file *File, u unit) []key {
	var out []key
	for _, rater := range p.Raters {
		for _, method := range p.Methods {
			if k := (key{u.taste, rater, p.Label, method}); !file.has(k, p.Marks) {
				out = append(out, k)
			}
		}
	}
	return out
}

// playAll plays them.
func (p Plan) playAll(ctx context.Context, file *File, u unit, done func()) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	of, err := problem.NewTaste(u.Seed, u.Number, u.options)
	if err != nil {
		return err
	}
	for _, k := range p.todo(file, u) {
		s, err := p.play(ctx, of, u, k.rater, k.method)
		if err != nil {
			return fmt.Errorf("tastes: taste %d of %s, rater %s, %s/%s: %w", u.Number, u.Of, k.rater, k.setup, k.method, err)
		}
		if err := file.add(s); err != nil {
			return err
		}
		done()
	}
	return nil
}

// Select returns the studies about the plan's tastes with its raters, whatever asked.
func (p Plan) Select(studies []Study) []Study {
	p = p.WithDefaults()
	type who struct {
		taste
		rater string
	}
	wanted := map[who]bool{}
	for _, u := range p.units() {
		for _, r := range p.Raters {
			wanted[who{u.taste, r}] = true
		}
	}
	var out []Study
	for _, s := range studies {
		if wanted[who{s.taste, s.Rater}] {
			out = append(out, s)
		}
	}
	return out
}
