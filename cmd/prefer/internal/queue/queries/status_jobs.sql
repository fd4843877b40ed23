SELECT e.kind, count(*), coalesce(sum(j.waiting), 0), coalesce(sum(j.running), 0), coalesce(sum(j.done), 0), coalesce(sum(j.failed), 0),
       coalesce((SELECT {error} FROM prefer_queue.river_job f
                 WHERE f.kind = 'part:' || e.kind AND f.state IN ('discarded', 'cancelled') ORDER BY finalized_at DESC LIMIT 1), ''),
       (SELECT count(*) FROM prefer_queue.workers w WHERE w.until >= now() AND e.kind = ANY (w.kinds))
FROM prefer_queue.errands e LEFT JOIN (
    SELECT args ->> 'errand' AS key, {counted}
    FROM prefer_queue.river_job WHERE args ->> 'errand' IS NOT NULL GROUP BY 1) j ON j.key = e.key
GROUP BY e.kind ORDER BY e.kind
