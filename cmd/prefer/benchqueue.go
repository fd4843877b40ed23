package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/bench/report"
	"github.com/prefer-bo/prefer/queue"
)

// enqueueSweep puts cells into a queue, and waits for them if that is wanted.
func enqueueSweep(ctx context.Context, s streams, sweep *bench.Sweep, address string, wait bool) error {
	q, err := queue.Open(ctx, address)
	if err != nil {
		return err
	}
	defer q.Close()
	t, err := q.Enqueue(ctx, sweep)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s: %s, %d new", sweep.Setup.Name(), count(t.Cells, "cell"), t.New)
	if t.Done > 0 {
		text += fmt.Sprintf(", %d done already", t.Done)
	}
	if t.Again > 0 {
		text += fmt.Sprintf(", %d failed and tried again", t.Again)
	}
	fmt.Fprintln(s.err, text)
	out := enqueued{Setup: sweep.Setup.Name(), Cells: t.Cells, New: t.New, Again: t.Again, Done: t.Done}
	if wait {
		if out.Done, err = waitFor(ctx, s, q, t); err != nil {
			return err
		}
	}
	if s.json {
		return writeJSON(s.out, out)
	}
	return nil
}

// enqueued is what became of cells that were put into a queue, as programs get it.
type enqueued struct {
	Setup string `json:"setup"`
	Cells int    `json:"cells"`
	New   int    `json:"new"`
	Again int    `json:"again"` // had failed, and get another attempt
	Done  int    `json:"done"`  // already or, with --wait, by now
}

// waitFor shows how far the cells of a ticket are until they are done, and returns how many are.
func waitFor(ctx context.Context, s streams, q *queue.Queue, t queue.Ticket) (done int, err error) {
	p := newProgress(s.err, "queue", time.Now)
	for {
		at, err := q.Progress(ctx, t)
		if err != nil {
			p.end()
			return 0, err
		}
		p.show(float64(at.Done+at.Failed)/float64(max(1, at.Parts)),
			fmt.Sprintf("%d of %d cells done, %d running, %d waiting, %d failed", at.Done, at.Parts, at.Running, at.Waiting, at.Failed))
		if at.Over() {
			p.end()
			fmt.Fprintf(s.err, "%d of %d cells done\n", at.Done, at.Parts)
			if at.Failed > 0 {
				return at.Done, fmt.Errorf("%s failed; \"prefer bench status\" says why, and the same command tries again", count(at.Failed, "cell"))
			}
			return at.Done, nil
		}
		select {
		case <-ctx.Done():
			p.end()
			return at.Done, errors.New("stopped waiting; the cells go on, and the same command waits again")
		case <-time.After(time.Second):
		}
	}
}

// addQueue reads the rows of a queue into a table, and writes them to a file if one is named.
func addQueue(ctx context.Context, table *report.Table, address, path string) (err error) {
	q, err := queue.Open(ctx, address)
	if err != nil {
		return err
	}
	defer q.Close()
	if path == "" {
		return q.Rows(ctx, table.Add)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // a file that is there stays whole
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	w := bufio.NewWriter(f)
	lines := json.NewEncoder(w)
	err = q.Rows(ctx, func(r bench.Row) error { return errors.Join(lines.Encode(r), table.Add(r)) })
	if err := errors.Join(err, w.Flush(), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
