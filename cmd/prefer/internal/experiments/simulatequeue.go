package experiments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/job"
	"github.com/prefer-bo/prefer/queue"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/simulate"
)

// runOnQueue lets the workers of a queue simulate, and waits. If ctx ends first it returns what is finished, and the work goes on.
func (c Simulate) runOnQueue(ctx context.Context, s cli.Streams, config simulate.Config) (simulate.Result, error) {
	e, err := job.NewSimulation(config)
	if err != nil {
		return simulate.Result{}, err
	}
	q, err := queue.Open(ctx, c.Queue)
	if err == nil {
		defer q.Close()
		err = q.Runner().Submit(ctx, e)
	}
	if err != nil && ctx.Err() != nil {
		err = errors.New("stopped before the simulation was in the queue; the same command sends it again")
	}
	if err != nil {
		return simulate.Result{}, err
	}
	fmt.Fprintf(s.Err, "%s for the workers of %v\n", say.Count(e.Parts, "person"), q)
	results, err := waitForJob(ctx, s, q.Runner(), e)
	if err != nil && ctx.Err() == nil {
		return simulate.Result{}, err
	}
	result, bad := job.Simulated(e, results)
	return result, errors.Join(bad, err)
}

// lookEvery is how often the progress is looked at, which takes the database milliseconds.
const lookEvery = 300 * time.Millisecond

// waitForJob waits until the parts of a job are done or ctx ends, and returns the results. It waits for no parts that another command added.
func waitForJob(ctx context.Context, s cli.Streams, runner job.Runner, e job.Job) ([][]byte, error) {
	p := cli.NewProgress(s.Err, "simulate", time.Now)
	defer p.End()
	told := false
	for {
		at, err := runner.Progress(ctx, e.Key())
		done := at.Done
		var results [][]byte
		if err == nil && (at.Parts > e.Parts || at.Done == at.Parts) {
			results, done, err = firstResults(ctx, runner, e)
		}
		switch {
		case ctx.Err() != nil:
			calm, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer stop()
			results, _, err := firstResults(calm, runner, e)
			return results, errors.Join(context.Canceled, err)
		case errors.Is(err, job.ErrUnknown):
			return nil, errors.New("somebody has taken the simulation off the queue; the same command sends it again")
		case err != nil:
			return nil, err
		case done == e.Parts:
			return results, nil
		case at.Failed > 0 && (at.Parts == e.Parts || at.Over()):
			return nil, fmt.Errorf("%s of %d could not be simulated: %s; the same command tries again, with --drop it is taken off the queue", say.Count(at.Failed, "person"), e.Parts, at.Failure)
		}
		if at.Workers == 0 && !told {
			p.End()
			fmt.Fprintln(s.Err, `no worker is running, and nothing happens before one is: start "prefer worker" with the same --queue, here or elsewhere`)
		}
		told = at.Workers == 0
		p.Show(float64(done)/float64(e.Parts), fmt.Sprintf("%d of %s, %s", done, say.Count(e.Parts, "person"), say.Count(at.Workers, "worker")))
		select {
		case <-ctx.Done():
		case <-time.After(lookEvery):
		}
	}
}

// firstResults returns the results of a job's own parts, and how many there are.
func firstResults(ctx context.Context, runner job.Runner, e job.Job) (results [][]byte, done int, err error) {
	if results, err = runner.Results(ctx, e.Key()); err != nil {
		return nil, 0, err
	}
	results = results[:min(e.Parts, len(results))]
	for _, r := range results {
		if r != nil {
			done++
		}
	}
	return results, done, nil
}

func (c Simulate) drop(ctx context.Context, s cli.Streams, config simulate.Config) error {
	e, err := job.NewSimulation(config)
	if err != nil {
		return err
	}
	q, err := queue.Open(ctx, c.Queue)
	if err != nil {
		return err
	}
	defer q.Close()
	at, err := q.Runner().Progress(ctx, e.Key())
	said := fmt.Sprintf("%s taken off the queue, of whom %d had finished\n", say.Count(at.Parts, "person"), at.Done)
	if errors.Is(err, job.ErrUnknown) {
		said, err = fmt.Sprintf("this simulation is not in %v\n", q), nil
	} else if err == nil {
		err = q.Runner().Drop(ctx, e.Key())
	}
	if err == nil {
		fmt.Fprint(s.Err, said)
	}
	return err
}
