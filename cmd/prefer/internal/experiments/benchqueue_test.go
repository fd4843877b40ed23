package experiments

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
)

func TestWriteStatus(t *testing.T) {
	now, left := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), 150.0
	worker := func(host, build string, alive bool) queue.WorkerStatus {
		return queue.WorkerStatus{Host: host, PID: 7, Jobs: 4, Running: 3, Done: 20, Build: build, Alive: alive, Started: now.Add(-time.Hour)}
	}
	for _, c := range []struct {
		status queue.Status
		want   string
	}{
		{queue.Status{}, "cells    0 waiting, 0 running, 0 done, 0 failed\nworkers  0 here, 0 jobs at a time; 0 seen\n"},
		{queue.Status{Waiting: 2}, "cells    2 waiting, 0 running, 0 done, 0 failed\nworkers  0 here, 0 jobs at a time; 0 seen\n" +
			"left     nobody is working: start \"prefer worker\"\n"},
		{queue.Status{Jobs: []queue.JobStatus{{Kind: "report", Jobs: 1, Failed: 1, Failure: "no ink"}, {Kind: "simulation", Jobs: 2, Waiting: 30, Running: 2, Done: 16}}},
			`cells    0 waiting, 0 running, 0 done, 0 failed
jobs     1 report: 0 parts waiting, 0 running, 0 done, 1 failed
         the latest failed: no ink
         2 simulation: 30 parts waiting, 2 running, 16 done, 0 failed
         no worker does a simulation
workers  0 here, 0 jobs at a time; 0 seen
left     nobody is working: start "prefer worker"
`},
		{queue.Status{Waiting: 5, Retrying: 1, Running: 3, Done: 20, Failed: 1, SecondsLeft: &left,
			Workers:  []queue.WorkerStatus{worker("a", "x", true), worker("b", "x", false)},
			Failures: []queue.Failure{{Cell: "levy6", Error: "why"}}},
			`cells    5 waiting, 3 running, 20 done, 1 failed
         1 of the waiting have failed before, or lost their worker
workers  1 here, 4 jobs at a time; 2 seen
left     about 2.5 min

worker        jobs  running  done  for
a, process 7  4     3        20    60 min

failed
  levy6: why
`},
		{queue.Status{Running: 6, Workers: []queue.WorkerStatus{worker("a", "x", true), worker("b", "x", true), worker("c", "y", true)}},
			`cells    0 waiting, 6 running, 0 done, 0 failed
workers  3 here, 12 jobs at a time; 3 seen
left     not known before the first cell is done

worker        jobs  running  done  for
a, process 7  4     3        20    60 min
b, process 7  4     3        20    60 min
c, process 7  4     3        20    60 min

The workers are of different builds or on different processors, whose rows may differ:
  a: x
  c: y
`},
	} {
		var b strings.Builder
		if err := writeStatus(&b, c.status, now); err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile(` +\n`).ReplaceAllString(b.String(), "\n"); got != c.want {
			t.Errorf("got\n%swant\n%s", b.String(), c.want)
		}
	}
}
