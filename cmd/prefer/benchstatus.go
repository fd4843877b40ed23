package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/prefer-bo/prefer/queue"
)

type benchStatus struct {
	Queue string `help:"Database in which the work waits: postgres://…" placeholder:"URL" required:""`
}

func (c benchStatus) Run(ctx context.Context, s streams) error {
	q, err := queue.Open(ctx, c.Queue)
	if err != nil {
		return err
	}
	defer q.Close()
	status, err := q.Status(ctx)
	if err != nil {
		return err
	}
	return s.result(status, func(w io.Writer) error { return writeStatus(w, status, time.Now()) })
}

// writeStatus writes the counts, the workers that are there, and why cells failed.
func writeStatus(w io.Writer, s queue.Status, now time.Time) error {
	fmt.Fprintf(w, "cells    %d waiting, %d running, %d done, %d failed\n", s.Waiting, s.Running, s.Done, s.Failed)
	if s.Retrying > 0 {
		fmt.Fprintf(w, "         %d of the waiting have failed before, or lost their worker\n", s.Retrying)
	}
	waiting := s.Waiting + s.Running
	for i, e := range s.Jobs {
		title := "jobs"
		if i > 0 {
			title = ""
		}
		waiting += e.Waiting + e.Running
		fmt.Fprintf(w, "%-7s  %d %s: %s waiting, %d running, %d done, %d failed\n", title, e.Jobs, e.Kind, count(e.Waiting, "part"), e.Running, e.Done, e.Failed)
		if e.Waiting > 0 && e.Workers == 0 {
			fmt.Fprintf(w, "         no worker does a %s\n", e.Kind)
		}
		if e.Failure != "" {
			fmt.Fprintf(w, "         the latest failed: %s\n", e.Failure)
		}
	}
	alive, jobs := s.Alive()
	fmt.Fprintf(w, "workers  %d here, %s at a time; %d seen\n", alive, count(jobs, "job"), len(s.Workers))
	switch {
	case s.SecondsLeft != nil && *s.SecondsLeft > 0:
		fmt.Fprintf(w, "left     about %s\n", formatDuration(time.Duration(*s.SecondsLeft*float64(time.Second))))
	case waiting > 0 && alive == 0:
		fmt.Fprintln(w, "left     nobody is working: start \"prefer worker\"")
	case s.Waiting+s.Running > 0:
		fmt.Fprintln(w, "left     not known before the first cell is done")
	}
	builds := map[string]bool{}
	if alive > 0 {
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "worker\tjobs\trunning\tdone\tfor\t")
		for _, k := range s.Workers {
			if k.Alive {
				builds[k.Build] = true
				fmt.Fprintf(t, "%s, process %d\t%d\t%d\t%d\t%s\t\n", k.Host, k.PID, k.Jobs, k.Running, k.Done, formatDuration(now.Sub(k.Started)))
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
