package bench

import (
	"cmp"
	"context"
	"runtime"
	"sync"

	"github.com/prefer-bo/prefer/problem"
	"golang.org/x/sync/errgroup"
)

// Sweep runs cells and keeps their rows.
type Sweep struct {
	Runner
	Cells    []Cell
	Jobs     int            // cells at the same time; defaults to the number of processors
	Progress func(Progress) // if not nil, is told where a run begins and then about every row that is kept. Calls do not overlap
}

// Progress is how far a sweep has come.
type Progress struct {
	Cells, CellsDone int // done: finished before or in this run
	Rows, RowsDone   int // answers after the initial pairs, of all cells
}

// Run runs what is not in the file yet. When ctx ends it stops after the question at hand and returns the cause; every row that was kept stays, and running
// again goes on from there. A cell that was cut short is run again from its first answer, since a study is not kept; only its missing rows are appended.
func (s *Sweep) Run(ctx context.Context, file *File) error {
	if err := s.Setup.Validate(); err != nil {
		return err
	}
	todo, progress, err := s.todo(file)
	if err != nil {
		return err
	}
	if s.Progress != nil {
		s.Progress(progress)
	}
	var raters Raters
	var mu sync.Mutex
	name := s.Setup.Name()
	jobs := min(cmp.Or(max(0, s.Jobs), runtime.GOMAXPROCS(0)), len(todo))
	return Parallel(ctx, jobs, todo, func(ctx context.Context, _ int, c Cell) error {
		have := last(file, c, name)
		rater, err := raters.Of(&s.Runner, c, "")
		if err != nil {
			return err
		}
		return s.run(ctx, c, rater, func(row Row) error {
			if row.Answers <= have {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			if err := file.Add(row); err != nil {
				return err
			}
			if row.Iter > 0 {
				progress.RowsDone++
			}
			if row.Iter == s.Questions {
				progress.CellsDone++
			}
			if s.Progress != nil {
				s.Progress(progress)
			}
			return nil
		})
	})
}

// Parallel calls do for every unit, so many at a time, until one fails, and returns the cause of that or of ctx's end.
func Parallel[U any](ctx context.Context, jobs int, units []U, do func(ctx context.Context, i int, u U) error) error {
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i, u := range units {
		if inner.Err() != nil {
			break
		}
		g.Go(func() error { return do(inner, i, u) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

func (s *Sweep) todo(file *File) ([]Cell, Progress, error) {
	var todo []Cell
	p := Progress{Cells: len(s.Cells), Rows: len(s.Cells) * s.Questions}
	name := s.Setup.Name()
	for _, c := range s.Cells {
		of, err := s.Own.problem(c.Problem)
		if err != nil {
			return nil, p, err
		}
		initial, err := s.Setup.pairs(of.Dim)
		if err != nil {
			return nil, p, err
		}
		asked := last(file, c, name) - initial
		p.RowsDone += min(s.Questions, max(0, asked))
		if asked >= s.Questions {
			p.CellsDone++
			continue
		}
		todo = append(todo, c)
	}
	return todo, p, nil
}

// Raters calibrates each rater once, when its first cell comes up: that takes half a second, and cells of other raters need not wait for it.
type Raters struct{ known sync.Map }

// Of returns the rater of a cell; design names the designs of the runner, if they differ between runners.
func (k *Raters) Of(r *Runner, c Cell, design string) (problem.Rater, error) {
	key := Cell{Problem: c.Problem, Noise: c.Noise}.String() + r.Setup.Name() + design
	once, _ := k.known.LoadOrStore(key, sync.OnceValues(func() (problem.Rater, error) { return r.Rater(c) }))
	return once.(func() (problem.Rater, error))()
}
