package rehearse

import (
	"context"
	"fmt"
	"sync"

	"github.com/prefer-bo/prefer"
)

// Result is what came of a rehearsal.
type Result struct {
	Raters       int     `json:"raters"` // invited at each level
	MaxQuestions int     `json:"max_questions"`
	Confidence   float64 `json:"confidence"` // of the study's verdicts
	Seed         uint64  `json:"seed"`
	Levels       []Level `json:"levels"`
}

// Run rehearses a study. If ctx ends before it is done, Run returns the people who had finished until then and the
// cause.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	c = c.withDefaults()
	study, err := prefer.New(c.Study) // for its defaults
	if err != nil {
		return Result{}, err
	}
	c.Study = study.Config()
	l, err := newLandscape(c.Study.Space)
	if err != nil {
		return Result{}, err
	}
	r := &rehearsal{Config: c, landscape: l, at: make([]int, c.Raters*len(c.Noise)), found: make([]*One, c.Raters*len(c.Noise))}
	err = r.play(ctx)
	out := Result{Raters: c.Raters, MaxQuestions: c.MaxQuestions, Confidence: c.Study.Confidence, Seed: c.Seed}
	for k, n := range c.Noise {
		level := Level{Noise: n, MaxQuestions: c.MaxQuestions, Confidence: c.Study.Confidence, Tolerance: c.Study.Tolerance}
		for _, one := range r.found[k*c.Raters : (k+1)*c.Raters] {
			if one != nil {
				level.People = append(level.People, *one)
			}
		}
		level.summarise()
		out.Levels = append(out.Levels, level)
	}
	return out, err
}

// rehearsal is a run under way. Person i at level k is number k·Raters + i.
type rehearsal struct {
	Config
	*landscape

	mu    sync.Mutex
	at    []int  // answers of each so far
	found []*One // nil until finished
}

// play runs all people, Jobs at a time, and returns the first error.
func (r *rehearsal) play(ctx context.Context) error {
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

func (r *rehearsal) one(ctx context.Context, i int) error {
	rater, noise := i%r.Raters, r.Noise[i/r.Raters]
	p, err := invite(r.Config, r.landscape, rater, noise)
	if err != nil {
		return err
	}
	one, err := p.run(ctx, r.Study, r.MaxQuestions, func() { r.told(i, nil) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("rehearse: simulated person %d at noise %v: %w", rater, noise, err)
	}
	one.Rater = rater
	r.told(i, &one)
	return nil
}

// told counts one more answer, or that a person has finished.
func (r *rehearsal) told(i int, finished *One) {
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
