package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
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

// Rater returns the simulated rater of a cell. It may have to be calibrated, which takes half a second: cells that differ in method and seed alone have the
// same.
func (r *Runner) Rater(c Cell) (rater problem.Rater, err error) {
	p, err := r.Own.problem(c.Problem)
	if err != nil {
		return problem.Rater{}, err
	}
	points := 0
	if _, own := r.Own.Problems[c.Problem]; own {
		points = ownPoints
	}
	err = problem.Catch(func() (err error) {
		if rater, err = r.Setup.rater(p, c.Noise, r.Designs, points); err != nil {
			return err
		}
		return rater.Validate()
	})
	return rater, err
}

// Rows runs one cell and returns its rows, for callers that do not keep them in a file. When ctx ends
// it stops after the question at hand and returns the cause.
func (r *Runner) Rows(ctx context.Context, c Cell, rater problem.Rater) (rows []Row, err error) {
	err = r.run(ctx, c, rater, func(row Row) error {
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// run is a cell in progress.
type run struct {
	cell    Cell
	name    string
	rater   problem.Rater
	study   *prefer.Study
	design  Design // with the initial pairs of the setup
	now     func() time.Time
	atOnce  int
	open    []prefer.Question // oldest first
	answers int
	asking  time.Duration // choosing the last question
	cpu     time.Duration // of the last question, so far
}

// begin sets a cell up, before its first answer.
func (r *Runner) begin(ctx context.Context, c Cell, rater problem.Rater) (*run, error) {
	initial, err := r.Setup.pairs(rater.Dim)
	if err != nil {
		return nil, err
	}
	design := NewDesign(rater.Dim, initial, c.Seed)
	if r.Designs != nil {
		if design, err = r.Designs.For(rater.Dim, initial, c.Seed); err != nil {
			return nil, err
		}
	}
	cfg, err := r.Setup.Config(rater.Problem, c.Method, design)
	if err != nil {
		return nil, err
	}
	cfg.Chooser = r.Own.Methods[c.Method]
	study, err := prefer.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &run{cell: c, name: r.Setup.Name(), rater: rater, study: study, design: design, now: r.Now, atOnce: max(1, r.Setup.AtOnce)}, nil
}

// run runs a cell and emits its rows in order. rater comes from Setup.rater. Everything but the seconds is a function of the cell and the setup.
func (r *Runner) run(ctx context.Context, c Cell, rater problem.Rater, emit func(Row) error) error {
	return problem.Catch(func() error {
		runtime.LockOSThread() // processor time is read off the thread
		defer runtime.UnlockOSThread()
		w, err := r.begin(ctx, c, rater)
		if err != nil {
			return err
		}
		initial := len(w.design.Pairs)
		for w.answers < initial+r.Questions {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			w.asking, w.cpu = 0, 0
			if w.answers < initial {
				err = w.observe(w.design.Pairs[w.answers])
			} else {
				err = w.ask()
			}
			if err != nil {
				return fmt.Errorf("bench: %v, answer %d: %w", c, w.answers+1, err)
			}
			if w.answers < initial && !r.Early {
				continue
			}
			row, err := w.look(w.answers - initial)
			if err != nil {
				return fmt.Errorf("bench: %v, answer %d: %w", c, w.answers, err)
			}
			if err := emit(row); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *run) observe(x []float64) error {
	d := w.rater.Dim
	a, err := w.answer(x[:d], x[d:])
	if err != nil {
		return err
	}
	_, err = w.study.Observe(context.Background(), prefer.Duel{First: unitOption(x[:d]), Second: unitOption(x[d:]), Answer: a})
	return err
}

// ask answers the study's oldest open question, once there are as many as are to be open.
func (w *run) ask() error {
	for len(w.open) < w.atOnce {
		start, cpu := w.now(), ThreadTime()
		q, err := w.study.Ask(context.Background(), prefer.Request{Another: true})
		w.asking, w.cpu = w.now().Sub(start), ThreadTime()-cpu
		if err != nil {
			return err
		}
		w.open = append(w.open, q)
	}
	q := w.open[0]
	w.open = w.open[1:]
	a, err := w.answer(w.unit(q.First), w.unit(q.Second))
	if err != nil {
		return err
	}
	_, err = w.study.Tell(context.Background(), q.ID, a)
	return err
}

// answer is the simulated rater's, with the noise of this answer's number.
func (w *run) answer(a, b []float64) (prefer.Answer, error) {
	draw, err := w.design.Draw(w.answers)
	if err != nil {
		return prefer.Answer{}, err
	}
	w.answers++
	reply, strength := w.rater.Reply(a, b, draw)
	return prefer.Answer{Choice: prefer.Choice(reply), Strength: strength}, nil
}

// look learns from the answers and measures the gap at the best option.
func (w *run) look(iter int) (Row, error) {
	start, cpu := w.now(), ThreadTime()
	belief, err := w.study.Belief(context.Background(), prefer.Look{})
	if err != nil {
		return Row{}, err
	}
	fitted := w.now()
	best := belief.Best()
	done := w.now()
	return Row{
		Problem: w.cell.Problem, Noise: w.cell.Noise, Method: w.cell.Method, Setup: w.name, Seed: w.cell.Seed,
		Iter: iter, Answers: w.answers, Gap: w.rater.Gap(w.unit(best)),
		FitSeconds: fitted.Sub(start).Seconds(), AskSeconds: w.asking.Seconds(), RecommendSeconds: done.Sub(fitted).Seconds(),
		CPUSeconds: (w.cpu + ThreadTime() - cpu).Seconds(), Sigma: w.rater.Sigma,
	}, nil
}

func (w *run) unit(o space.Option) []float64 {
	return xslices.Times(w.rater.Dim, func(j int) float64 { return o.Float(unitName(j)) })
}

func unitOption(u []float64) space.Option {
	o := space.Option{}
	for j, v := range u {
		o[unitName(j)] = space.ValueOf(v)
	}
	return o
}
