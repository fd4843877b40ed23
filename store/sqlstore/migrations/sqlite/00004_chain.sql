-- +goose Up
-- The table is recreated: a column without a default refuses what an older program that still runs would append.
ALTER TABLE prefer_studies ADD COLUMN head BLOB NOT NULL DEFAULT x''; -- checksum of the last event
CREATE TABLE prefer_chained (
    study INTEGER NOT NULL REFERENCES prefer_studies (id) ON DELETE CASCADE,
    seq   INTEGER NOT NULL,
    time  TEXT    NOT NULL,
    kind  TEXT    NOT NULL,
    rater TEXT    NOT NULL,
    key   TEXT    NOT NULL,
    chain BLOB    NOT NULL, -- SHA-256 of that of the event before, 32 zeros for the first, and of body
    body  TEXT    NOT NULL, -- the event as JSON; the columns before chain repeat parts of it for queries
    PRIMARY KEY (study, seq)
) WITHOUT ROWID;
INSERT INTO prefer_chained (study, seq, time, kind, rater, key, chain, body)
WITH RECURSIVE linked (study, seq, chain) AS (
    SELECT study, seq, prefer_chain(zeroblob(32), body) FROM prefer_events WHERE seq = 1
    UNION ALL
    SELECT e.study, e.seq, prefer_chain(l.chain, e.body) FROM linked l JOIN prefer_events e ON e.study = l.study AND e.seq = l.seq + 1
)
SELECT e.study, e.seq, e.time, e.kind, e.rater, e.key, coalesce(l.chain, x''), e.body -- after a gap there is no chain: the study is damaged, and stays so
FROM prefer_events e LEFT JOIN linked l ON l.study = e.study AND l.seq = e.seq;
DROP TABLE prefer_events;
ALTER TABLE prefer_chained RENAME TO prefer_events;
UPDATE prefer_studies SET head = coalesce((SELECT chain FROM prefer_events WHERE study = id AND seq = last), x'');
