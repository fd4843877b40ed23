package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer/queue"
)

type workerCommand struct {
	Queue string `help:"Database in which the cells wait: postgres://…" placeholder:"URL" required:""`
	Jobs  int    `help:"Cells at the same time. Defaults to the number of processors." placeholder:"N"`
	Drain bool   `help:"End when nothing is waiting or running."`
}

// Help is printed by --help.
func (workerCommand) Help() string {
	return `Start as many as you like, on any machines that reach the database, and stop them at any time: on SIGTERM or Ctrl-C a worker returns its cells to the queue after the question at hand, and the cells of one that was killed are taken over within seconds. Ctrl-C twice ends it at once.

Example:

  prefer bench run --queue postgres://host/bench --seeds 0-99
  prefer worker --queue postgres://host/bench        # here and elsewhere
  prefer bench status --queue postgres://host/bench
  prefer bench report --queue postgres://host/bench --out report`
}

func (c workerCommand) Run(ctx context.Context, s streams) error {
	if c.Jobs < 0 {
		return usageError{fmt.Errorf("--jobs %d, want at least 1", c.Jobs)}
	}
	q, err := queue.Open(ctx, c.Queue)
	if err != nil {
		return err
	}
	defer q.Close()
	say := func(text string) { fmt.Fprintln(s.err, text) }
	say("working for " + q.String())
	b := thisBuild()
	b.Processors = 0 // how many does not change a bit
	w := &queue.Worker{Queue: q, Jobs: c.Jobs, Drain: c.Drain, Build: strings.TrimSuffix(b.String(), ", 0 processors"), Say: say}
	done, err := w.Run(ctx)
	say(fmt.Sprintf("%s done, %d failed, %d returned to the queue", count(done.Done, "cell"), done.Failed, done.Returned))
	return err
}
