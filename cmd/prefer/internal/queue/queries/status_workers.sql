SELECT id, host, pid, jobs, build, started, until, until >= now(), coalesce(c.n, 0) + coalesce(p.n, 0),
       (SELECT count(*) FROM prefer_queue.river_job j WHERE j.state = 'running' AND j.attempted_by[array_upper(j.attempted_by, 1)] = w.id), kinds
FROM prefer_queue.workers w
LEFT JOIN (SELECT worker, count(*) AS n FROM prefer_queue.cells GROUP BY worker) c ON c.worker = w.id
LEFT JOIN (SELECT worker, count(*) AS n FROM prefer_queue.parts GROUP BY worker) p ON p.worker = w.id
ORDER BY started, id
