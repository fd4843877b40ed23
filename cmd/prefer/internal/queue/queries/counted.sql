count(*) FILTER (WHERE finalized_at IS NULL AND state <> 'running') AS waiting,
    count(*) FILTER (WHERE state = 'running') AS running, count(*) FILTER (WHERE state = 'completed') AS done,
    count(*) FILTER (WHERE state IN ('discarded', 'cancelled')) AS failed
