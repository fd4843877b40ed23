package bench

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

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
	return Parallel(ctx, jobs(s.Jobs, len(todo)), todo, func(ctx context.Context, _ int, c Cell) error {
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

func jobs(want, cells int) int { return min(cmp.Or(max(0, want), runtime.GOMAXPROCS(0)), cells) }

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

// Plan is what the rest of a sweep will cost, measured on a few questions of each kind.
type Plan struct {
	Setup     string
	Questions int // of a cell, after the initial pairs
	Jobs      int // cells at the same time

	Cells, CellsDone int

	CPU  time.Duration // processor time of the cells that are not done
	Wall time.Duration // their time on the clock, by as many jobs, on a machine as busy as now

	Costs []Cost // of problem and method, in the order of the cells
}

// Cost is the part of a plan that belongs to one method on one problem.
type Cost struct {
	Problem, Method string
	Cells           int // not done, at all levels of noise

	// First and Last are the processor time of one question right after the initial pairs, and at the end.
	First, Last time.Duration

	CPU, Wall time.Duration // of one cell after the other
}

const pilotQuestions = 3 // timed at the beginning, in the middle and at the end of a cell

// Plan times a few questions of each method on each problem that has cells left. Seconds, as a rule: for a place late in a cell it observes quasi-random
// pairs up to there instead of asking. Between the places costs are taken for linear. A cell that was cut short counts in full, since it is run again.
func (s *Sweep) Plan(ctx context.Context, file *File) (Plan, error) {
	if err := s.Setup.Validate(); err != nil {
		return Plan{}, err
	}
	todo, progress, err := s.todo(file)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{Setup: s.Setup.Name(), Questions: s.Questions, Jobs: jobs(s.Jobs, len(todo)), Cells: progress.Cells, CellsDone: progress.CellsDone}
	var pilots []Cell
	for _, c := range todo {
		i := slices.IndexFunc(plan.Costs, func(k Cost) bool { return k.Problem == c.Problem && k.Method == c.Method })
		if i < 0 {
			i = len(plan.Costs)
			plan.Costs, pilots = append(plan.Costs, Cost{Problem: c.Problem, Method: c.Method}), append(pilots, c)
		}
		plan.Costs[i].Cells++
	}
	var raters Raters // as many pilots at a time as there will be jobs: they slow each other down as the cells will
	err = Parallel(ctx, plan.Jobs, pilots, func(ctx context.Context, i int, c Cell) error {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		rater, err := raters.Of(&s.Runner, c, "")
		if err != nil {
			return err
		}
		return problem.Catch(func() error { return s.measure(ctx, c, rater, &plan.Costs[i]) })
	})
	if err != nil {
		return Plan{}, err
	}
	var longest time.Duration
	for _, k := range plan.Costs {
		plan.CPU += k.CPU
		plan.Wall += k.Wall
		longest = max(longest, k.Wall/time.Duration(k.Cells))
	}
	plan.Wall = max(longest, plan.Wall/time.Duration(max(1, plan.Jobs)))
	return plan, nil
}

// measure fills in the cost of a cell, by the trapezoidal rule.
func (r *Runner) measure(ctx context.Context, c Cell, rater problem.Rater, k *Cost) error {
	timed := min(pilotQuestions, r.Questions)
	last := r.Questions - timed
	places := slices.Compact([]int{0, last / 2, last})
	at := make([]sample, len(places))
	for i, from := range places {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		var err error
		if at[i], err = r.sample(c, rater, from, timed); err != nil {
			return err
		}
	}
	mean := at[0] // of all questions; a short cell is one place
	if last > 0 {
		mean = sample{}
		for i := range places[1:] {
			width := float64(places[i+1]-places[i]) / float64(last)
			mean.cpu += width * (at[i].cpu + at[i+1].cpu) / 2
			mean.wall += width * (at[i].wall + at[i+1].wall) / 2
		}
	}
	questions := float64(r.Questions * k.Cells)
	k.First, k.Last = seconds(at[0].cpu), seconds(at[len(at)-1].cpu)
	k.CPU, k.Wall = seconds(questions*mean.cpu), seconds(questions*mean.wall)
	return nil
}

func seconds(v float64) time.Duration { return time.Duration(math.Round(v * float64(time.Second))) }

// sample is what one question costs at some place of a cell, in seconds.
type sample struct{ cpu, wall float64 }

// sample takes the mean over some questions, the first of which is asked after that many others.
func (r *Runner) sample(c Cell, rater problem.Rater, from, questions int) (sample, error) {
	w, err := r.begin(context.Background(), c, rater)
	if err != nil {
		return sample{}, err
	}
	initial := len(w.design.Pairs)
	more := NewDesign(rater.Dim, initial+from, c.Seed).Pairs[initial:]
	for _, x := range slices.Concat(w.design.Pairs, more) {
		if err := w.observe(x); err != nil {
			return sample{}, err
		}
	}
	if _, err := w.look(from); err != nil { // the first question rests on this fit, which is not its cost
		return sample{}, err
	}
	var sum sample
	for i := range questions {
		if err := w.ask(); err != nil {
			return sample{}, err
		}
		row, err := w.look(from + i + 1)
		if err != nil {
			return sample{}, err
		}
		sum.cpu += row.CPUSeconds
		sum.wall += row.FitSeconds + row.AskSeconds + row.RecommendSeconds
	}
	if sum.cpu == 0 { // not known on this system
		sum.cpu = sum.wall
	}
	n := float64(max(1, questions))
	return sample{sum.cpu / n, sum.wall / n}, nil
}
