package bench

import (
	"cmp"
	"context"
	"runtime"
	"sync"

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
	var mu sync.Mutex
	name := s.Setup.Name()
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(1, jobs(s.Jobs, len(todo))))
	for _, c := range todo {
		group.Go(func() error {
			if running.Err() != nil {
				return context.Cause(running)
			}
			have := file.Last(c, name)
			return s.run(running, c, func(row Row) error {
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
	return cmp.Or(group.Wait(), context.Cause(ctx))
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
