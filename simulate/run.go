package simulate

import (
	"context"
	"sync"

	"github.com/prefer-bo/prefer"
)

// Result is what came of a simulation.
type Result struct {
	Raters       int     `json:"raters"` // invited at each level
	MaxQuestions int     `json:"max_questions"`
	Confidence   float64 `json:"confidence"` // of the study's verdicts
	Seed         uint64  `json:"seed"`
	Levels       []Level `json:"levels"`
}

// Run simulates a study. If ctx ends before it is done, Run returns the people who had finished until then and the
// cause.
func Run(ctx context.Context, c Config) (Result, error) {
	c, err := c.Complete()
	if err != nil {
		return Result{}, err
	}
	l, err := newLandscape(c.Study.Space)
	if err != nil {
		return Result{}, err
	}
	r := &simulation{Config: c, landscape: l, at: make([]int, c.Raters*len(c.Noise)), found: make([]*One, c.Raters*len(c.Noise))}
	err = r.play(ctx)
	return c.result(r.found), err
}

// Complete checks the description and fills in its defaults and those of the study.
func (c Config) Complete() (Config, error) {
	if err := c.Validate(); err != nil {
		return c, err
	}
	c = c.withDefaults()
	study, err := prefer.New(context.Background(), c.Study) // it is kept nowhere
	if err != nil {
		return c, err
	}
	c.Study = study.Config()
	return c, nil
}

// simulation is a run under way. Person i at level k is number k·Raters + i.
type simulation struct {
	Config
	*landscape

	mu    sync.Mutex
	at    []int  // answers of each so far
	found []*One // nil until finished
}

// play runs all people, Jobs at a time, and returns the first error.
func (r *simulation) play(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(r.Jobs, len(r.found)) {
		wg.Go(func() {
			for i := range next {
				if err := r.one(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := range r.found {
		next <- i
		if ctx.Err() != nil {
			break
		}
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (r *simulation) one(ctx context.Context, i int) error {
	one, err := r.person(ctx, r.landscape, i%r.Raters, r.Noise[i/r.Raters], func() { r.told(i, nil) })
	if err != nil {
		return err
	}
	r.told(i, &one)
	return nil
}

// told counts one more answer, or that a person has finished.
func (r *simulation) told(i int, finished *One) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if finished != nil {
		r.found[i] = finished
	} else {
		r.at[i]++
	}
	if r.Progress == nil {
		return
	}
	p := Progress{Runs: len(r.found)}
	var work float64
	for k, n := range r.at {
		p.Questions += n
		if r.found[k] != nil {
			p.Done++
			n = r.MaxQuestions
		}
		work += float64(n) / float64(r.MaxQuestions)
	}
	p.Share = work / float64(p.Runs)
	r.Progress(p)
}
