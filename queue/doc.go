// Package queue has work done on many machines: cells of experiments, and jobs in parts. They wait as jobs in a
// PostgreSQL database, workers take them, and what comes of them goes back to the same database.
//
//	q, err := queue.Open(ctx, "postgres://…")
//	_, err = q.Enqueue(ctx, sweep)                             // anywhere
//	err = q.Runner().Submit(ctx, simulation)
//	_, err = (&queue.Worker{Queue: q, Kinds: kinds}).Run(ctx)  // on every machine
//	err = q.Rows(ctx, func(r bench.Row) error { … })           // at any time
//	results, err := q.Runner().Results(ctx, simulation.Key())
//
// The jobs are River's (https://riverqueue.com). What River leaves open is settled here: a cell or part is enqueued
// once however often it is asked for; its rows or result are written in the transaction that completes its job; and
// the job of a worker that was killed goes back to the queue within a lease, seconds rather than River's hour. See
// lease.go for how, and docs/scale.md for what it costs.
package queue
