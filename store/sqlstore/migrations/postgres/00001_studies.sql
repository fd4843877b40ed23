-- +goose Up
CREATE TABLE prefer_studies (
    id      BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY, -- never used again, so a stale writer cannot hit another study
    name    TEXT   NOT NULL UNIQUE,
    created TEXT   NOT NULL,
    edition BIGINT NOT NULL, -- changes when the past does: somebody was forgotten
    last    BIGINT NOT NULL  -- sequence number of the last event
);
CREATE TABLE prefer_events (
    study BIGINT NOT NULL REFERENCES prefer_studies (id) ON DELETE CASCADE,
    seq   BIGINT NOT NULL,
    time  TEXT   NOT NULL,
    kind  TEXT   NOT NULL,
    rater TEXT   NOT NULL,
    key   TEXT   NOT NULL,
    body  TEXT   NOT NULL, -- the event as JSON; the columns before repeat parts of it for queries
    PRIMARY KEY (study, seq)
);
CREATE TABLE prefer_snapshots (
    study BIGINT PRIMARY KEY REFERENCES prefer_studies (id) ON DELETE CASCADE,
    seq   BIGINT NOT NULL,
    build TEXT   NOT NULL,
    body  BYTEA  NOT NULL
);
-- The server keeps no examples of what people said for its planner.
ALTER TABLE prefer_studies ALTER name SET STATISTICS 0, ALTER created SET STATISTICS 0;
ALTER TABLE prefer_events ALTER time SET STATISTICS 0, ALTER kind SET STATISTICS 0, ALTER rater SET STATISTICS 0, ALTER key SET STATISTICS 0, ALTER body SET STATISTICS 0;
ALTER TABLE prefer_snapshots ALTER build SET STATISTICS 0, ALTER body SET STATISTICS 0;
