INSERT INTO prefer_queue.errands (key, kind, body, parts) VALUES ($1, $2, $3, 0)
ON CONFLICT (key) DO UPDATE SET sent = now() RETURNING parts
