package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Method starts a program that chooses questions, and returns the name it gives itself. After use call the returned function.
//
//	it says    {"name": "mine"}
//	it reads   {"dim": 2, "seed": 7, "count": 12, "noise": 1, "duels": [{"a": [0.1, 0.2], "b": [0.3, 0.4], "outcome": 1}],
//	            "shown": [[0.1, 0.2], [0.3, 0.4]], "lower": [0, 0], "upper": [1, 1]}
//	it may say {"at": [[0.5, 0.5], [0.6, 0.5]]}, as often as it likes,
//	and reads  {"mean": [0.2, 0.1], "cov": [[0.9, 0.8], [0.8, 0.9]]}
//	it says    {"a": [0.5, 0.5], "b": [0.6, 0.5], "value": 0.02}
//
// Everything is in the unit cube; domains that are anything else are refused.
func Method(c Command) (name string, m acquisition.Method, end func(), err error) {
	programs, err := newPool(c)
	if err != nil {
		return "", nil, nil, err
	}
	m = func(ctx context.Context, t acquisition.Task) (choice acquisition.Choice, err error) {
		if t.Domain != nil || t.Allowed != nil {
			return choice, fmt.Errorf("external: %q chooses from real numbers alone: this study has whole numbers, choices, constraints, a list or conditions", c.Line)
		}
		err = programs.with(func(p *process) (err error) {
			choice, err = choose(ctx, p, t)
			return err
		})
		return choice, err
	}
	return programs.hello.Name, m, programs.Close, nil
}

// question is what a method is told.
type question struct {
	Dim   int         `json:"dim"`
	Seed  uint64      `json:"seed"`  // of everything random in this question
	Count int         `json:"count"` // questions before it
	Noise float64     `json:"noise"` // σ of an answer to come
	Duels []duel      `json:"duels"`
	Shown [][]float64 `json:"shown"` // options of earlier questions
	Lower []float64   `json:"lower"` // bounds of the two options
	Upper []float64   `json:"upper"`
	Hold  []float64   `json:"hold,omitempty"` // one of the two, if it is given
}

// duel is an answered pair: outcome 1 if a won, −1 if b did, 0 for a tie; ±2 and more are stronger.
type duel struct {
	A       []float64  `json:"a"`
	B       []float64  `json:"b"`
	Outcome gp.Outcome `json:"outcome"`
}

func newQuestion(t acquisition.Task) question {
	d := t.Posterior.Dim()
	q := question{Dim: d, Seed: t.Seed, Count: t.Count, Noise: cmp.Or(t.Noise, t.Posterior.Noise()) * cmp.Or(t.Rater, 1), Duels: []duel{},
		Shown: rows(t.Shown, d), Lower: xslices.Or(t.Lower, make([]float64, d)...), Upper: xslices.Or(t.Upper, slices.Repeat([]float64{1}, d)...), Hold: t.Hold}
	if t.Duels != nil {
		a, b := rows(t.Duels.A, d), rows(t.Duels.B, d)
		for i, o := range t.Duels.Outcome {
			q.Duels = append(q.Duels, duel{a[i], b[i], o})
		}
	}
	return q
}

// rows cuts points into rows, an empty list if there are none.
func rows(x []float64, d int) [][]float64 { return slices.AppendSeq([][]float64{}, slices.Chunk(x, d)) }

// choose puts a question to the program, and answers those it has about the posterior.
func choose(ctx context.Context, p *process, t acquisition.Task) (acquisition.Choice, error) {
	if err := p.send(newQuestion(t)); err != nil {
		return acquisition.Choice{}, err
	}
	for {
		var reply struct {
			At    [][]float64 `json:"at"`
			A     []float64   `json:"a"`
			B     []float64   `json:"b"`
			Value *float64    `json:"value"`
		}
		if err := p.receive(&reply); err != nil {
			return acquisition.Choice{}, err
		}
		switch {
		case ctx.Err() != nil:
			return acquisition.Choice{}, context.Cause(ctx)
		case reply.At != nil:
			m, err := moments(t.Posterior, reply.At)
			if err != nil {
				return acquisition.Choice{}, p.fail(err)
			}
			if err := p.send(m); err != nil {
				return acquisition.Choice{}, err
			}
			continue
		case reply.A == nil && reply.B == nil:
			return acquisition.Choice{}, p.fail(errors.New(`want {"a": […], "b": […]}, or {"at": [[…]]}`))
		}
		d := t.Posterior.Dim()
		if err := errors.Join(checkPoint("a", reply.A, d), checkPoint("b", reply.B, d)); err != nil {
			return acquisition.Choice{}, p.fail(err)
		}
		choice := acquisition.Choice{A: reply.A, B: reply.B, Value: math.NaN()}
		if reply.Value != nil {
			choice.Value = *reply.Value
		}
		return choice, nil
	}
}

// maxPoints bounds the points of one line; their covariance has so many numbers squared.
const maxPoints = 2000

// moments is the posterior at some points, as it is sent.
func moments(post *gp.Posterior, at [][]float64) (map[string]any, error) {
	n, d := len(at), post.Dim()
	if n == 0 || n > maxPoints {
		return nil, fmt.Errorf("\"at\" has %d points, want 1 to %d", n, maxPoints)
	}
	x := make([]float64, 0, n*d)
	for i, row := range at {
		if err := checkPoint(fmt.Sprintf("at[%d]", i), row, d); err != nil {
			return nil, err
		}
		x = append(x, row...)
	}
	mean, cov := make([]float64, n), make([]float64, n*n)
	post.Means(mean, x, 1)
	post.CrossCovariance(cov, x, x, 1)
	return map[string]any{"mean": mean, "cov": rows(cov, n)}, nil
}

// checkPoint reports what is no point of the unit cube.
func checkPoint(name string, x []float64, d int) error {
	if len(x) != d {
		return fmt.Errorf("%s has %d coordinates, want %d", name, len(x), d)
	}
	for j, v := range x {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("%s[%d] = %g, want 0 to 1", name, j, v)
		}
	}
	return nil
}

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
