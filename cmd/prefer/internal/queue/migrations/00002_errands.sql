-- +goose Up
CREATE TABLE prefer_queue.errands (
    key   TEXT  PRIMARY KEY,
    kind  TEXT  NOT NULL,
    body  BYTEA NOT NULL, -- byte for byte what was sent: the key is its hash
    parts INT   NOT NULL,
    sent  TIMESTAMPTZ NOT NULL DEFAULT now() -- the last time
);
CREATE TABLE prefer_queue.parts ( -- those that are done
    errand   TEXT  NOT NULL REFERENCES prefer_queue.errands (key) ON DELETE CASCADE,
    part     INT   NOT NULL,
    result   BYTEA NOT NULL,
    seconds  DOUBLE PRECISION NOT NULL, -- on the clock
    worker   TEXT  NOT NULL,
    finished TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (errand, part)
);
CREATE INDEX river_job_errand ON prefer_queue.river_job ((args ->> 'errand'), state) WHERE args ->> 'errand' IS NOT NULL;
ALTER TABLE prefer_queue.workers ADD COLUMN kinds TEXT[] NOT NULL DEFAULT '{}'; -- of errands it does
UPDATE prefer_queue.river_job SET priority = 3 WHERE kind = 'cell' AND finalized_at IS NULL; -- after parts
