package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/queue"
	"github.com/prefer-bo/prefer/say"
)

// enqueueSweep puts cells into a queue, and waits for them if that is wanted.
func enqueueSweep(ctx context.Context, s cli.Streams, sweep *bench.Sweep, address string, wait bool) error {
	q, err := queue.Open(ctx, address)
	if err != nil {
		return err
	}
	defer q.Close()
	t, err := q.Enqueue(ctx, sweep)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s: %s, %d new", sweep.Setup.Name(), say.Count(t.Cells, "cell"), t.New)
	if t.Done > 0 {
		text += fmt.Sprintf(", %d done already", t.Done)
	}
	if t.Again > 0 {
		text += fmt.Sprintf(", %d failed and tried again", t.Again)
	}
	fmt.Fprintln(s.Err, text)
	done := t.Done
	if wait {
		if done, err = waitFor(ctx, s, q, t); err != nil {
			return err
		}
	}
	return s.Notify(struct {
		Setup string `json:"setup"`
		Cells int    `json:"cells"`
		New   int    `json:"new"`
		Again int    `json:"again"` // had failed, and get another attempt
		Done  int    `json:"done"`  // already or, with --wait, by now
	}{sweep.Setup.Name(), t.Cells, t.New, t.Again, done}, "")
}

// waitFor shows how far the cells of a ticket are until they are done, and returns how many are.
func waitFor(ctx context.Context, s cli.Streams, q *queue.Queue, t queue.Ticket) (done int, err error) {
	p := cli.NewProgress(s.Err, "queue", time.Now)
	defer p.End()
	for {
		at, err := q.Progress(ctx, t)
		if err != nil {
			return 0, err
		}
		p.Show(float64(at.Done+at.Failed)/float64(max(1, at.Parts)),
			fmt.Sprintf("%d of %d cells done, %d running, %d waiting, %d failed", at.Done, at.Parts, at.Running, at.Waiting, at.Failed))
		if at.Over() {
			p.End()
			fmt.Fprintf(s.Err, "%d of %d cells done\n", at.Done, at.Parts)
			if at.Failed > 0 {
				return at.Done, fmt.Errorf("%s failed; \"prefer bench status\" says why, and the same command tries again", say.Count(at.Failed, "cell"))
			}
			return at.Done, nil
		}
		select {
		case <-ctx.Done():
			return at.Done, errors.New("stopped waiting; the cells go on, and the same command waits again")
		case <-time.After(time.Second):
		}
	}
}

// addQueue reads the rows of a queue into a table, and writes them to a file if one is named.
func addQueue(ctx context.Context, table *compare.Table, address, path string, f cli.ForceFlag) error {
	q, err := queue.Open(ctx, address)
	if err != nil {
		return err
	}
	defer q.Close()
	if path == "" {
		return q.Rows(ctx, table.Add)
	}
	return f.Write("--rows", path, func(w io.Writer) error {
		lines := json.NewEncoder(w)
		return q.Rows(ctx, func(r bench.Row) error { return errors.Join(lines.Encode(r), table.Add(r)) })
	})
}

type benchStatus struct {
	Queue string `help:"Database in which the work waits: postgres://…" placeholder:"URL" required:""`
}

func (c benchStatus) Run(ctx context.Context, s cli.Streams) error {
	q, err := queue.Open(ctx, c.Queue)
	if err != nil {
		return err
	}
	defer q.Close()
	status, err := q.Status(ctx)
	if err != nil {
		return err
	}
	return s.Result(status, func(w io.Writer) error { return writeStatus(w, status, time.Now()) })
}

// writeStatus writes the counts, the workers that are there, and why cells failed.
func writeStatus(w io.Writer, s queue.Status, now time.Time) error {
	fmt.Fprintf(w, "cells    %d waiting, %d running, %d done, %d failed\n", s.Waiting, s.Running, s.Done, s.Failed)
	if s.Retrying > 0 {
		fmt.Fprintf(w, "         %d of the waiting have failed before, or lost their worker\n", s.Retrying)
	}
	waiting := s.Waiting + s.Running
	title := "jobs"
	for _, e := range s.Jobs {
		waiting += e.Waiting + e.Running
		fmt.Fprintf(w, "%-7s  %d %s: %s waiting, %d running, %d done, %d failed\n", title, e.Jobs, e.Kind, say.Count(e.Waiting, "part"), e.Running, e.Done, e.Failed)
		if e.Waiting > 0 && e.Workers == 0 {
			fmt.Fprintf(w, "         no worker does a %s\n", e.Kind)
		}
		if e.Failure != "" {
			fmt.Fprintf(w, "         the latest failed: %s\n", e.Failure)
		}
		title = ""
	}
	alive, jobs := s.Alive()
	fmt.Fprintf(w, "workers  %d here, %s at a time; %d seen\n", alive, say.Count(jobs, "job"), len(s.Workers))
	switch {
	case s.SecondsLeft != nil && *s.SecondsLeft > 0:
		fmt.Fprintf(w, "left     about %s\n", cli.FormatDuration(time.Duration(*s.SecondsLeft*float64(time.Second))))
	case waiting > 0 && alive == 0:
		fmt.Fprintln(w, "left     nobody is working: start \"prefer worker\"")
	case s.Waiting+s.Running > 0:
		fmt.Fprintln(w, "left     not known before the first cell is done")
	}
	builds := map[string]bool{}
	if alive > 0 {
		fmt.Fprintln(w)
		t := cli.NewTable(w)
		fmt.Fprintln(t, "worker\tjobs\trunning\tdone\tfor\t")
		for _, k := range s.Workers {
			if k.Alive {
				builds[k.Build] = true
				fmt.Fprintf(t, "%s, process %d\t%d\t%d\t%d\t%s\t\n", k.Host, k.PID, k.Jobs, k.Running, k.Done, cli.FormatDuration(now.Sub(k.Started)))
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if len(builds) > 1 {
		fmt.Fprintln(w, "\nThe workers are of different builds or on different processors, whose rows may differ:")
		for _, k := range s.Workers {
			if k.Alive && builds[k.Build] {
				builds[k.Build] = false
				fmt.Fprintf(w, "  %s: %s\n", k.Host, k.Build)
			}
		}
	}
	for i, f := range s.Failures {
		if i == 0 {
			fmt.Fprintln(w, "\nfailed")
		}
		fmt.Fprintf(w, "  %s: %s\n", f.Cell, f.Error)
	}
	return nil
}
