package queue

import (
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/prefer-bo/prefer/problem"
)

// TestTwice: cells that are enqueued again, by several at once, while they run and when they are done, run once.
func TestTwice(t *testing.T) {
	s := sweep(t, 2, 2)
	q := open(t, storetest.Database(t))
	tickets := make([]Ticket, 4)
	var wg sync.WaitGroup
	for i := range tickets {
		wg.Go(func() {
			var err error
			if tickets[i], err = q.Enqueue(ctx, s); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	fresh := 0
	for _, ticket := range tickets {
		fresh += ticket.New
	}
	if fresh != len(s.Cells) {
		t.Errorf("%d new cells in %+v, want %d in all", fresh, tickets, len(s.Cells))
	}
	half := *s
	half.Cells = append(s.Cells[:3:3], s.Cells[0]) // one of them twice
	if ticket := enqueue(t, q, &half); ticket.Cells != 3 || ticket.New+ticket.Again+ticket.Done != 0 {
		t.Errorf("waiting cells enqueued again: %+v", ticket)
	}
	if tally := work(t, &Worker{Queue: q, Jobs: 2}); tally != (Tally{Done: 8}) {
		t.Errorf("%+v, want 8 done", tally)
	}
	ticket := enqueue(t, q, s)
	if ticket.New != 0 || ticket.Done != 8 {
		t.Errorf("done cells enqueued again: %+v", ticket)
	}
	p, err := q.Progress(ctx, ticket)
	if want := (job.Progress{Parts: 8, Done: 8}); err != nil || p != want || !p.Over() {
		t.Errorf("progress %+v, %v, want %+v", p, err, want)
	}
	sameRows(t, q, local(t, s))
}

// TestMore: the same cells with more questions are other cells, and share their rows with the first in what is read.
func TestMore(t *testing.T) {
	short, long := sweep(t, 1, 1), sweep(t, 1, 3)
	q := open(t, storetest.Database(t))
	enqueue(t, q, short)
	ticket := enqueue(t, q, long)
	if ticket.New != 4 {
		t.Errorf("%+v, want 4 new cells", ticket)
	}
	if tally := work(t, &Worker{Queue: q, Jobs: 1}); tally != (Tally{Done: 8}) {
		t.Errorf("%+v, want 8 done", tally)
	}
	got, want := kept(t, q), local(t, long)
	if len(got) != len(want) {
		t.Errorf("%d rows, want the %d of the longer run", len(got), len(want))
	}
	for key, row := range want {
		if got[key] != row {
			t.Errorf("%s: %+v, want %+v", key, got[key], row)
		}
	}
}

// TestDesign: a design file travels with the cells.
func TestDesign(t *testing.T) {
	p, err := problem.ByName("quadratic2")
	if err != nil {
		t.Fatal(err)
	}
	s := sweep(t, 1, 2)
	s.Cells = []bench.Cell{{Problem: "quadratic2", Noise: 0, Method: "random", Seed: 5}}
	s.Setup = bench.Setup{Modelling: bench.Modelling{Initial: "4d"}, Design: "theirs"}
	if s.Designs, err = bench.NewDesigns([]problem.Problem{p}, []float64{0}, []uint64{5}, 4); err != nil {
		t.Fatal(err)
	}
	q := open(t, storetest.Database(t))
	enqueue(t, q, s)
	if ticket := enqueue(t, q, s); ticket.New != 0 {
		t.Errorf("the same design again: %+v", ticket)
	}
	if tally := work(t, &Worker{Queue: q}); tally != (Tally{Done: 1}) {
		t.Errorf("%+v, want the cell done", tally)
	}
	sameRows(t, q, local(t, s))
	if s.Designs, err = bench.NewDesigns([]problem.Problem{p}, []float64{0}, []uint64{5, 6}, 4); err != nil {
		t.Fatal(err)
	}
	if ticket := enqueue(t, q, s); ticket.New != 1 {
		t.Errorf("another design of the same name: %+v, want a new cell", ticket)
	}
}

// TestRefused: a sweep that makes no sense is not enqueued.
func TestRefused(t *testing.T) {
	q := open(t, storetest.Database(t))
	s := sweep(t, 1, 1)
	s.Setup.Model = "crystal ball"
	if _, err := q.Enqueue(ctx, s); err == nil {
		t.Error("a model that does not exist was enqueued")
	}
	if now := status(t, q); now.Waiting != 0 || now.SecondsLeft == nil || *now.SecondsLeft != 0 {
		t.Errorf("%+v, want nothing waiting", now)
	}
	for _, w := range []*Worker{{Queue: q, Jobs: -1}, {Queue: q, Lease: time.Millisecond}} {
		if _, err := w.Run(ctx); err == nil {
			t.Errorf("a worker with %d jobs and a lease of %v runs", w.Jobs, w.Lease)
		}
	}
}
