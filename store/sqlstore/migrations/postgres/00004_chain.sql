-- +goose Up
ALTER TABLE prefer_studies ADD COLUMN head BYTEA NOT NULL DEFAULT ''; -- checksum of the last event
ALTER TABLE prefer_events ADD COLUMN chain BYTEA NOT NULL DEFAULT ''; -- SHA-256 of that of the event before, 32 zeros for the first, and of body
-- One event of each study at a time: anything but its index would read the whole table again for each.
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
SET LOCAL enable_seqscan = off;
WITH RECURSIVE linked (study, seq, chain) AS (
    SELECT study, seq, sha256(decode(repeat('00', 32), 'hex') || convert_to(body, 'UTF8')) FROM prefer_events WHERE seq = 1
    UNION ALL
    SELECT e.study, e.seq, sha256(l.chain || convert_to(e.body, 'UTF8')) FROM linked l JOIN prefer_events e ON e.study = l.study AND e.seq = l.seq + 1
)
UPDATE prefer_events e SET chain = l.chain FROM linked l WHERE e.study = l.study AND e.seq = l.seq; -- after a gap there is no chain: the study is damaged, and stays so
UPDATE prefer_studies SET head = coalesce((SELECT chain FROM prefer_events WHERE study = id AND seq = last), '');
-- Without a default, what an older program that still runs would append is refused.
ALTER TABLE prefer_events ALTER COLUMN chain DROP DEFAULT;
ALTER TABLE prefer_studies ALTER COLUMN head DROP DEFAULT;
-- The server keeps no examples of checksums for its planner.
ALTER TABLE prefer_events ALTER chain SET STATISTICS 0;
ALTER TABLE prefer_studies ALTER head SET STATISTICS 0;
