WITH old AS (
    SELECT key FROM prefer_queue.errands e WHERE sent < now() - $1::interval AND NOT EXISTS (
        SELECT FROM prefer_queue.river_job j WHERE j.args ->> 'errand' = e.key AND (j.finalized_at IS NULL OR j.finalized_at >= now() - $1::interval))
    LIMIT 100 FOR UPDATE SKIP LOCKED
), jobs AS (DELETE FROM prefer_queue.river_job j USING old WHERE j.args ->> 'errand' = old.key)
DELETE FROM prefer_queue.errands e USING old WHERE e.key = old.key
