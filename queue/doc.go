// Package queue runs cells on many machines: they wait as jobs in a PostgreSQL database, workers take them, and
// their rows come back to the same database.
//
//	q, err := queue.Open(ctx, "postgres://…")
//	_, err = q.Enqueue(ctx, sweep)                    // anywhere
//	_, err = (&queue.Worker{Queue: q}).Run(ctx)       // on every machine
//	err = q.Rows(ctx, func(r bench.Row) error { … })  // at any time
//
// The jobs are River's (https://riverqueue.com). What River leaves open is settled here: a cell is enqueued once
// however often it is asked for; its rows are written in the transaction that completes its job; and the cell of
// a worker that was killed goes back to the queue within a lease, seconds rather than River's hour. See lease.go
// for how, and docs/scale.md for what it costs.
package queue
