package queue

import (
	"context"
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
)

// BenchmarkEnqueue enqueues 1000 cells: new ones, and ones that are there already.
func BenchmarkEnqueue(b *testing.B) {
	for _, name := range []string{"new", "again"} {
		b.Run(name, func(b *testing.B) {
			q, s := open(b, storetest.Database(b)), sweep(b, 250, 100)
			if name == "again" {
				enqueue(b, q, s)
			}
			n := 0
			for b.Loop() {
				if name == "new" {
					n++
					s.Questions = n
				}
				enqueue(b, q, s)
			}
			b.ReportMetric(float64(len(s.Cells)*b.N)/b.Elapsed().Seconds(), "cells/s")
		})
	}
}

// BenchmarkCells has one worker run 500 cells of one row each: what the queue costs, since the cell costs little
// (BenchmarkLocal).
func BenchmarkCells(b *testing.B) {
	q := open(b, storetest.Database(b))
	n := 0
	for b.Loop() {
		s := sweep(b, 125, 0)
		n++
		s.Setup.Starts = n // other cells each time
		enqueue(b, q, s)
		if tally := work(b, &Worker{Queue: q, Jobs: 8}); tally.Done != len(s.Cells) {
			b.Fatalf("%+v", tally)
		}
	}
	b.ReportMetric(float64(500*b.N)/b.Elapsed().Seconds(), "cells/s")
}

// BenchmarkLocal runs the cells of BenchmarkCells without a queue.
func BenchmarkLocal(b *testing.B) {
	s := sweep(b, 125, 0)
	for b.Loop() {
		for _, c := range s.Cells {
			r, err := s.Rater(c)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Rows(context.Background(), c, r); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(500*b.N)/b.Elapsed().Seconds(), "cells/s")
}

// BenchmarkStatus looks at a queue of 10,000 cells.
func BenchmarkStatus(b *testing.B) {
	q := open(b, storetest.Database(b))
	enqueue(b, q, sweep(b, 2500, 100))
	for b.Loop() {
		status(b, q)
	}
}

// BenchmarkParts has one worker do a job of 500 parts that cost nothing.
func BenchmarkParts(b *testing.B) {
	q := open(b, storetest.Database(b))
	n := 0
	for b.Loop() {
		n++
		submit(b, q, job.Job{Kind: "echo", Body: fmt.Append(nil, n), Parts: 500})
		if tally := work(b, &Worker{Queue: q, Jobs: 8, Kinds: job.Kinds{"echo": echo}}); tally.Done != 500 {
			b.Fatalf("%+v", tally)
		}
	}
	b.ReportMetric(float64(500*b.N)/b.Elapsed().Seconds(), "parts/s")
}

// BenchmarkRunner submits a job of 10,000 parts, submits it again, looks at its progress, beside 10,000 cells, and drops it.
func BenchmarkRunner(b *testing.B) {
	q := open(b, storetest.Database(b))
	enqueue(b, q, sweep(b, 2500, 100))
	e := job.Job{Kind: "echo", Body: []byte("0"), Parts: 10_000}
	drop := func() {
		if err := q.Runner().Drop(ctx, e.Key()); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("submit", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			drop()
			b.StartTimer()
			submit(b, q, e)
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			submit(b, q, e)
		}
	})
	b.Run("progress", func(b *testing.B) {
		for b.Loop() {
			progress(b, q, e)
		}
	})
	b.Run("drop", func(b *testing.B) {
		for b.Loop() {
			drop()
			b.StopTimer()
			submit(b, q, e)
			b.StartTimer()
		}
	})
}
