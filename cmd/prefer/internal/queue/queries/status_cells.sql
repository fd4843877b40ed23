SELECT {counted}, count(*) FILTER (WHERE finalized_at IS NULL AND state <> 'running' AND cardinality(errors) > 0)
FROM prefer_queue.river_job WHERE kind = 'cell'
