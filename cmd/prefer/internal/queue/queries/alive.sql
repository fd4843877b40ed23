-- Moves a worker's lease forward, or begins it, and says which jobs it is at.
INSERT INTO prefer_queue.workers (id, host, pid, jobs, build, kinds, running, until)
VALUES ($1, $2, $3, $4, $5, coalesce($6::text[], '{}'), $7, now() + $8)
ON CONFLICT (id) DO UPDATE SET running = excluded.running, until = excluded.until
