package simulate

import (
	"cmp"
	"context"
	"sync"

	"github.com/prefer-bo/prefer"
	"golang.org/x/sync/errgroup"
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
	r := &simulation{Config: c, at: make([]int, c.Parts()), found: make([]*One, c.Parts())}
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(c.Jobs)
	for i := range r.found {
		group.Go(func() error {
			if running.Err() != nil {
				return context.Cause(running)
			}
			one, err := c.part(running, l, i, func() { r.told(i, nil) })
			if err == nil {
				r.told(i, &one)
			}
			return err
		})
	}
	err = cmp.Or(group.Wait(), context.Cause(ctx))
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

// simulation is a run under way, by the numbers of its parts.
type simulation struct {
	Config

	mu    sync.Mutex
	at    []int  // answers of each so far
	found []*One // nil until finished
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
