-- Returns lost jobs to the queue, an attempt spent, as River's rescuer does, and says which. Lost are those of workers whose lease of length $1 is over, and
-- those that the database gave to a worker that never heard of them, the reply having gone with the connection: after two leases a worker that lives has
-- said what it is at. That a job has run for a lease is checked again when its row is locked: another worker may have rescued it, and a third begun it.
WITH lost AS (
    SELECT j.id FROM prefer_queue.river_job j LEFT JOIN prefer_queue.workers w ON w.id = j.attempted_by[array_upper(j.attempted_by, 1)]
    WHERE j.state = 'running' AND j.attempted_at < now() - $1::interval
        AND (w.id IS NULL OR w.until < now() OR j.attempted_at < now() - 2 * $1::interval AND j.id <> ALL (w.running))
    FOR UPDATE OF j SKIP LOCKED
)
UPDATE prefer_queue.river_job j SET scheduled_at = now(), finalized_at = CASE WHEN attempt >= max_attempts THEN now() END,
    state = (CASE WHEN attempt >= max_attempts THEN 'discarded' ELSE 'available' END)::prefer_queue.river_job_state,
    errors = array_append(errors, jsonb_build_object('at', now(), 'attempt', attempt, 'error', 'it lost its worker', 'trace', ''))
FROM lost WHERE j.id = lost.id
RETURNING format('attempt %s of %s lost its worker: %s', attempt, max_attempts, coalesce(args ->> 'key', format('part %s of %s', args ->> 'part', args ->> 'errand')))
