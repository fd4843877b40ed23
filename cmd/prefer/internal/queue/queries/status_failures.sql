SELECT args ->> 'key', {error}
FROM prefer_queue.river_job WHERE kind = 'cell' AND state IN ('discarded', 'cancelled') ORDER BY id LIMIT 10
