package queue

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/job"
)

var ctx = context.Background()

// lease is short, so that tests need not wait for it.
const lease = 3 * time.Second

func TestMain(m *testing.M) {
	if address := os.Getenv("PREFER_QUEUE_CHILD"); address != "" { // a test has started itself as another process
		if err := child(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run()
}

// child is a worker in a process of its own, until it is told to stop.
func child(address string) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	q, err := Open(ctx, address)
	if err != nil {
		return err
	}
	defer q.Close()
	_, err = (&Worker{Queue: q, Kinds: job.Studies{}.Kinds(), Jobs: 1, Lease: lease, Say: func(text string) { fmt.Println(text) }}).Run(ctx)
	return err
}

func open(t testing.TB, address string) *Queue {
	t.Helper()
	q, err := Open(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// sweep returns small cells: two problems, two methods, so many seeds.
func sweep(t testing.TB, seeds, questions int) *bench.Sweep {
	t.Helper()
	sigma := 0.1
	s := &bench.Sweep{Runner: bench.Runner{Setup: bench.Setup{Sigma: &sigma}, Questions: questions, Now: time.Now}}
	g := bench.Grid{Problems: []string{"quadratic2", "branin2"}, Noise: []float64{0.1}, Methods: []string{"eubo", "random"}}
	for seed := range seeds {
		g.Seeds = append(g.Seeds, uint64(seed))
	}
	var err error
	if s.Cells, err = g.Cells(); err != nil {
		t.Fatal(err)
	}
	return s
}

func enqueue(t testing.TB, q *Queue, s *bench.Sweep) Ticket {
	t.Helper()
	ticket, err := q.Enqueue(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// local runs a sweep in this process and returns its rows, without seconds, by cell and answer.
func local(t *testing.T, s *bench.Sweep) map[string]bench.Row {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results.jsonl")
	f, err := bench.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(ctx, f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bench.Row{}
	if err := bench.ReadRows(bytes.NewReader(data), "local", into(out)); err != nil {
		t.Fatal(err)
	}
	return out
}

// into collects rows, and fails on one that is there already.
func into(out map[string]bench.Row) func(bench.Row) error {
	return func(r bench.Row) error {
		r.FitSeconds, r.AskSeconds, r.RecommendSeconds, r.CPUSeconds = 0, 0, 0, 0
		key := fmt.Sprintf("%s %g %s %s %d: %d", r.Problem, r.Noise, r.Method, r.Setup, r.Seed, r.Answers)
		if _, twice := out[key]; twice {
			return fmt.Errorf("%s is there twice", key)
		}
		out[key] = r
		return nil
	}
}

func kept(t *testing.T, q *Queue) map[string]bench.Row {
	t.Helper()
	out := map[string]bench.Row{}
	if err := q.Rows(ctx, into(out)); err != nil {
		t.Fatal(err)
	}
	return out
}

// sameRows fails unless the queue has the rows of a local run, each once, also in its tables.
func sameRows(t *testing.T, q *Queue, want map[string]bench.Row) {
	t.Helper()
	if diff := cmp.Diff(want, kept(t, q)); diff != "" || len(want) == 0 {
		t.Errorf("%d rows of a local run differ from those of the queue:\n%s", len(want), diff)
	}
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.rows"); n != len(want) {
		t.Errorf("the table has %d rows, want %d", n, len(want))
	}
}

func number(t testing.TB, q *Queue, query string, args ...any) (n int) {
	t.Helper()
	if err := q.pool.QueryRow(ctx, query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func status(t testing.TB, q *Queue) Status {
	t.Helper()
	s, err := q.Status(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eventually waits for a condition; the limit is for machines that are very busy.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after five minutes still not: %s", what)
		}
	}
}

// work runs a worker until nothing is waiting or running.
func work(t testing.TB, w *Worker) Tally {
	t.Helper()
	w.Drain, w.Lease = true, lease
	tally, err := w.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return tally
}
