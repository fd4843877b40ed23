package external

import (
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/problem"
)

// Problem starts a program that computes a utility. After use call the returned function.
//
//	it says    {"name": "cone", "dim": 2, "lower": [-1, -1], "upper": [1, 1], "optimum": 0}
//	it reads   {"x": [[0.5, 0.25]]}
//	it says    {"f": [-0.559]}
//
// Without bounds they are 0 and 1; without an optimum it is 0, and a gap is −f(x̂). Its F may be called concurrently and panics with
// a problem.Failure if the program fails.
func Problem(c Command) (problem.Problem, func(), error) {
	programs, err := newPool(c)
	if err != nil {
		return problem.Problem{}, nil, err
	}
	h := programs.hello
	p := problem.Problem{Name: h.Name, Dim: h.Dim, Lower: h.Lower, Upper: h.Upper, Optimum: h.Optimum, F: func(x []float64) float64 {
		var f float64
		err := programs.with(func(p *process) error {
			if err := p.send(map[string]any{"x": [][]float64{x}}); err != nil {
				return err
			}
			var reply struct {
				F []float64 `json:"f"`
			}
			if err := p.receive(&reply); err != nil {
				return err
			}
			switch {
			case len(reply.F) != 1:
				return p.fail(fmt.Errorf("%d utilities for 1 point, want one as in {\"f\": [0.5]}", len(reply.F)))
			case math.IsNaN(reply.F[0]) || math.IsInf(reply.F[0], 0):
				return p.fail(fmt.Errorf("the utility is %g, want a finite number", reply.F[0]))
			}
			f = reply.F[0]
			return nil
		})
		if err != nil {
			panic(problem.Failure{Err: err})
		}
		return f
	}}
	if p.Lower == nil && p.Upper == nil && p.Dim > 0 {
		p.Lower, p.Upper = make([]float64, p.Dim), slices.Repeat([]float64{1}, p.Dim)
	}
	if err := p.Validate(); err != nil {
		programs.Close()
		return problem.Problem{}, nil, fmt.Errorf("external: %q, line 1: %w", c.Line, err)
	}
	return p, programs.Close, nil
}
