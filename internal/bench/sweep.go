package bench

import (
	"context"
	"runtime"
	"sync"

	"github.com/prefer-bo/prefer/problem"
	"golang.org/x/sync/errgroup"
)

// Sweep runs cells and keeps their rows.
type Sweep struct {
	Runner
	Cells []Cell
	Jobs  int // cells at the same time; defaults to the number of processors

	// Progress, if not nil, is told where a run begins and then about every row that is kept. Calls do
	// not overlap.
	Progress func(Progress)
}

// Progress is how far a sweep has come.
type Progress struct {
	Cells, CellsDone int // done: finished before or in this run
	Rows, RowsDone   int // answers after the initial pairs, of all cells
	Last             Row
}

// Run runs what is not in the file yet. When ctx ends it stops after the question at hand and returns the
// cause; every row that was kept stays, and running again goes on from there. A cell that was cut short
// is run again from its first answer, since a study is not kept; only its missing rows are appended.
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
	raters := s.raters(todo)
	var mu sync.Mutex
	name := s.Setup.Name()
	return Parallel(ctx, jobs(s.Jobs, len(todo)), todo, func(ctx context.Context, c Cell) error {
		have := file.Last(c, name)
		rater, err := raters[raterKey{c.Problem, c.Noise}]()
		if err != nil {
			return err
		}
		return s.run(ctx, c, rater, func(row Row) error {
			if row.Answers <= have {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			if err := file.Append(row); err != nil {
				return err
			}
			if row.Iter > 0 {
				progress.RowsDone++
			}
			if row.Iter == s.Questions {
				progress.CellsDone++
			}
			progress.Last = row
			if s.Progress != nil {
				s.Progress(progress)
			}
			return nil
		})
	})
}

// Parallel calls do for every unit, so many at a time, until one fails, and returns the cause of that or of ctx's end.
func Parallel[U any](ctx context.Context, jobs int, units []U, do func(ctx context.Context, u U) error) error {
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for _, u := range units {
		if inner.Err() != nil {
			break
		}
		g.Go(func() error { return do(inner, u) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

func jobs(want, cells int) int {
	if want <= 0 {
		want = runtime.GOMAXPROCS(0)
	}
	return min(want, cells)
}

// todo returns the cells that are not finished.
func (s *Sweep) todo(file *File) ([]Cell, Progress, error) {
	var todo []Cell
	p := Progress{Cells: len(s.Cells), Rows: len(s.Cells) * s.Questions}
	name := s.Setup.Name()
	for _, c := range s.Cells {
		end, err := s.Answers(c)
		if err != nil {
			return nil, p, err
		}
		have := file.Last(c, name)
		p.RowsDone += min(s.Questions, max(0, have-(end-s.Questions)))
		if have >= end {
			p.CellsDone++
			continue
		}
		todo = append(todo, c)
	}
	return todo, p, nil
}

type raterKey struct {
	problem string
	noise   float64
}

// raters calibrates each rater once, when its first cell comes up: that takes half a second, and cells of
// other raters need not wait for it.
func (s *Sweep) raters(cells []Cell) map[raterKey]func() (problem.Rater, error) {
	out := map[raterKey]func() (problem.Rater, error){}
	for _, c := range cells {
		key := raterKey{c.Problem, c.Noise}
		if out[key] != nil {
			continue
		}
		out[key] = sync.OnceValues(func() (problem.Rater, error) { return s.Rater(c) })
	}
	return out
}
