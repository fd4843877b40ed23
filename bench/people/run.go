package people

import (
	"context"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/bench"
)

// Run plays the studies of the plan that are not in the file and returns all about the plan's populations that are in it then,
// whatever the arm. done, if not nil, is called with how many of the plan's studies there are, of how many: before the first one
// and after each, one call at a time. When ctx ends Run returns its cause; every study that was played stays in the file.
func (p Plan) Run(ctx context.Context, file *File, done func(played, of int)) ([]Study, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p = p.WithDefaults()
	cells := p.cells()
	var todo []cell
	of, there := len(cells)*len(p.Arms), len(cells)*len(p.Arms)
	for _, c := range cells {
		if n := len(p.todo(file, c)); n > 0 {
			todo, there = append(todo, c), there-n
		}
	}
	err := bench.SideBySide(ctx, p.Jobs, todo, there, of, done, func(ctx context.Context, c cell, tell func()) error {
		if err := p.playAll(ctx, file, c, tell); err != nil {
			return fmt.Errorf("people: %s, %d people in %s, number %d: %w", c.Population, c.People, c.Space, c.Number, err)
		}
		return nil
	})
	return p.Select(file.All()), err
}

// todo lists the arms in which a population was not played.
func (p Plan) todo(file *File, c cell) []Arm {
	var out []Arm
	for _, a := range p.Arms {
		if _, there := file.Find(looked{key{c, p.Method, a.Name}, fmt.Sprint(p.Marks)}); !there {
			out = append(out, a)
		}
	}
	return out
}

// playAll plays them.
func (p Plan) playAll(ctx context.Context, file *File, c cell, done func()) error {
	of, err := c.draw()
	if err != nil {
		return err
	}
	for _, a := range p.todo(file, c) {
		s, err := p.play(ctx, c, of, a)
		if err != nil {
			return err
		}
		if err := file.Add(s); err != nil {
			return err
		}
		done()
	}
	return nil
}

// Select returns the studies about the plan's populations, whatever the arm, in the order of the plan.
func (p Plan) Select(studies []Study) (out []Study) {
	p = p.WithDefaults()
	for _, c := range p.cells() {
		for _, s := range studies {
			if s.cell == c && s.Method == p.Method && slices.Equal(s.marks(), p.Marks) {
				out = append(out, s)
			}
		}
	}
	return out
}
