// Package queue has work done on many machines: cells of experiments, and jobs in parts. They wait in a
// PostgreSQL database, workers take them, and what comes of them goes back to the same database.
//
//	q, err := queue.Open(ctx, "postgres://…")
//	_, err = q.Enqueue(ctx, sweep)                             // anywhere
//	err = q.Runner().Submit(ctx, simulation)
//	_, err = (&queue.Worker{Queue: q, Kinds: kinds}).Run(ctx)  // on every machine
//	err = q.Rows(ctx, func(r bench.Row) error { return nil })  // at any time
//	results, err := q.Runner().Results(ctx, simulation.Key())
//
// The jobs are River's (https://riverqueue.com), which hands them out and tries them again. What River leaves
// open is settled here: a cell or part is enqueued once however often it is asked for; its rows or result are written in the transaction that completes
// its job; and a heartbeat returns the jobs of a worker that was killed to the queue within seconds, rather than an hour. docs/dev/scale.md says what that costs.
//
// # Contents
//
//	queue    a database with a queue, and what can go wrong   migrate  its tables, ours and River's
//	enqueue  the cells of a sweep go in, their rows come out  status   how the queue stands
//	runner   the queue as a job.Runner                        worker   takes jobs until it is told to stop; heartbeats
//	job      a cell, or a part of a job, to its result
package queue
