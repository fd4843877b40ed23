package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/job"
)

// scripted is a runner in which a job goes from one progress to the next with every look.
type scripted struct {
	progress []job.Progress
	results  [][]byte
	looked   func(int)
	looks    int
}

func (d *scripted) Progress(ctx context.Context, _ string) (job.Progress, error) {
	if ctx.Err() != nil {
		return job.Progress{}, ctx.Err()
	}
	if d.looks == len(d.progress) {
		return job.Progress{}, job.ErrUnknown
	}
	d.looks++
	if d.looked != nil {
		d.looked(d.looks)
	}
	return d.progress[d.looks-1], nil
}

func (d *scripted) Results(ctx context.Context, _ string) ([][]byte, error) {
	return d.results, ctx.Err()
}
func (d *scripted) Submit(context.Context, job.Job) error { return nil }
func (d *scripted) Drop(context.Context, string) error    { return nil }

// TestAwait: what is said while a simulation waits, and what it ends with.
func TestAwait(t *testing.T) {
	a, b, c := []byte("a"), []byte("b"), []byte("c")
	e := job.Job{Kind: "simulation", Body: json.RawMessage("1"), Parts: 2}
	for name, test := range map[string]struct {
		runner scripted
		stop   int // the context ends at this look
		want   [][]byte
		err    string
		alone  int // times it was said that no worker is running
	}{
		"done": {runner: scripted{progress: []job.Progress{
			{Parts: 2, Waiting: 2}, {Parts: 2, Waiting: 2}, {Parts: 2, Running: 2, Workers: 1}, {Parts: 2, Done: 1, Waiting: 1}, {Parts: 2, Done: 2}},
			results: [][]byte{a, b}}, want: [][]byte{a, b}, alone: 2},
		"part of a larger one": {runner: scripted{progress: []job.Progress{{Parts: 9, Waiting: 6, Done: 3, Workers: 1}}, results: [][]byte{a, b, c, nil, nil, nil, nil, nil, nil}},
			want: [][]byte{a, b}},
		"failures of a larger one": {runner: scripted{progress: []job.Progress{{Parts: 3, Done: 2, Failed: 1}}, results: [][]byte{a, b, nil}}, want: [][]byte{a, b}},
		"failed":                   {runner: scripted{progress: []job.Progress{{Parts: 2, Done: 1, Failed: 1, Failure: "no water"}}}, err: "1 person of 2 could not be simulated: no water; "},
		"dropped":                  {runner: scripted{progress: []job.Progress{{Parts: 2, Running: 2, Workers: 1}}}, err: "somebody has taken the simulation off the queue"},
		"stopped": {runner: scripted{progress: []job.Progress{{Parts: 2, Running: 1, Done: 1, Workers: 1}, {}}, results: [][]byte{nil, b}}, stop: 1,
			want: [][]byte{nil, b}, err: "context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			test.runner.looked = func(n int) {
				if n == test.stop {
					stop()
				}
			}
			var talk strings.Builder
			got, err := waitForJob(ctx, cli.Streams{Err: &talk}, &test.runner, e)
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("it ends with %v, want %q", err, test.err)
			}
			if (test.stop > 0) != errors.Is(err, context.Canceled) {
				t.Errorf("%v: stopped or not?", err)
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("other results:\n%s", d)
			}
			if n := strings.Count(talk.String(), `no worker is running, and nothing happens before one is: start "prefer worker"`); n != test.alone {
				t.Errorf("said %d times that nobody works, want %d: %s", n, test.alone, talk.String())
			}
		})
	}
}
