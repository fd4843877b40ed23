INSERT INTO prefer_queue.cells (key, problem, noise, method, seed, setup, questions, seconds, worker)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (key) DO NOTHING RETURNING id
