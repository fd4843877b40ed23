package queue

import (
	"context"
	"testing"
)

// BenchmarkEnqueue enqueues 1000 cells: new ones, and ones that are there already.
func BenchmarkEnqueue(b *testing.B) {
	for _, name := range []string{"new", "again"} {
		b.Run(name, func(b *testing.B) {
			q, s := open(b, database(b)), sweep(b, 250, 100)
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
	q := open(b, database(b))
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
	q := open(b, database(b))
	enqueue(b, q, sweep(b, 2500, 100))
	for b.Loop() {
		status(b, q)
	}
}
