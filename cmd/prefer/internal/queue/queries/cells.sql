SELECT {counted} FROM prefer_queue.river_job JOIN unnest($1::text[]) AS key ON args ->> 'key' = key WHERE kind = 'cell'
