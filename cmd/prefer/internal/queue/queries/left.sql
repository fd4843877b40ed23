SELECT EXISTS (SELECT FROM prefer_queue.river_job WHERE finalized_at IS NULL AND (kind = 'cell' OR substr(kind, 6) = ANY ($1)))
