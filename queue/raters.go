package queue

import (
	"sync"

	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/problem"
)

// raters calibrates each rater once in the life of a worker.
type raters struct {
	mu  sync.Mutex
	all map[raterKey]func() (problem.Rater, error)
}

type raterKey struct {
	problem, setup, design string
	noise                  float64
}

func (r *raters) get(runner *bench.Runner, job cell) (problem.Rater, error) {
	key := raterKey{job.Problem, job.Setup.Name(), job.Design, job.Noise}
	r.mu.Lock()
	if r.all == nil {
		r.all = map[raterKey]func() (problem.Rater, error){}
	}
	if r.all[key] == nil {
		r.all[key] = sync.OnceValues(func() (problem.Rater, error) { return runner.Rater(job.cell()) })
	}
	find := r.all[key]
	r.mu.Unlock()
	return find() // others need not wait
}
