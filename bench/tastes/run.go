package tastes

import (
	"context"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/bench"
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
	units := p.units()
	var todo []unit
	of := len(units) * len(p.Raters) * len(p.Methods)
	there := of
	for _, u := range units {
		if n := len(p.todo(file, u)); n > 0 {
			todo, there = append(todo, u), there-n
		}
	}
	err := bench.SideBySide(ctx, p.Jobs, todo, there, of, done, func(ctx context.Context, u unit, tell func()) error {
		return p.playAll(ctx, file, u, tell)
	})
	return p.Select(file.All()), err
}

// todo lists the studies about a taste that are not in the file.
func (p Plan) todo(file *File, u unit) []key {
	var out []key
	for _, rater := range p.Raters {
		for _, method := range p.Methods {
			k := key{u.taste, rater, p.Label, method}
			s, _ := file.Find(k)
			if slices.ContainsFunc(p.Marks, func(m int) bool {
				_, looked := s.gap(m)
				return !looked
			}) {
				out = append(out, k)
			}
		}
	}
	return out
}

// playAll plays them.
func (p Plan) playAll(ctx context.Context, file *File, u unit, done func()) error {
	of, err := problem.NewTaste(u.Seed, u.Number, u.options)
	if err != nil {
		return err
	}
	for _, k := range p.todo(file, u) {
		s, err := p.play(ctx, of, u, k.rater, k.method)
		if err != nil {
			return fmt.Errorf("tastes: taste %d of %s, rater %s, %s/%s: %w", u.Number, u.Of, k.rater, k.setup, k.method, err)
		}
		if err := file.Add(s); err != nil {
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
