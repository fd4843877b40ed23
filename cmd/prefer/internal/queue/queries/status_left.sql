-- The seconds that unfinished cells take: as long as those of the same problem, method and questions took, or the mean of all where there are none.
WITH took AS (SELECT problem, method, questions, avg(seconds) AS s FROM prefer_queue.cells GROUP BY problem, method, questions)
SELECT sum(coalesce(took.s, (SELECT avg(seconds) FROM prefer_queue.cells)))
FROM prefer_queue.river_job j LEFT JOIN took ON took.problem = j.args ->> 'problem' AND took.method = j.args ->> 'method'
    AND took.questions = (j.args ->> 'questions')::int
WHERE j.kind = 'cell' AND j.finalized_at IS NULL
