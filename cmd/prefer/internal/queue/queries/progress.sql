SELECT e.parts, j.waiting, j.running, j.done, j.failed,
       coalesce((SELECT {error} FROM prefer_queue.river_job
                 WHERE args ->> 'errand' = e.key AND state IN ('discarded', 'cancelled') ORDER BY finalized_at, id LIMIT 1), ''),
       (SELECT count(*) FROM prefer_queue.workers w WHERE w.until >= now() AND e.kind = ANY (w.kinds))
FROM prefer_queue.errands e CROSS JOIN LATERAL (SELECT {counted} FROM prefer_queue.river_job WHERE args ->> 'errand' = e.key) j
WHERE e.key = $1
