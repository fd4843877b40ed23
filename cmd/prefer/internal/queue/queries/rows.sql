SELECT DISTINCT ON (c.seed, c.problem, c.noise, c.method, c.setup, r.answers) r.body::text
FROM prefer_queue.cells c JOIN prefer_queue.rows r ON r.cell = c.id
ORDER BY c.seed, c.problem, c.noise, c.method, c.setup, r.answers, c.id
