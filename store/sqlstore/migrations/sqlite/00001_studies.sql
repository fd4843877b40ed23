-- +goose Up
CREATE TABLE prefer_studies (
    id      INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again, so a stale writer cannot hit another study
    name    TEXT    NOT NULL UNIQUE,
    created TEXT    NOT NULL,
    edition INTEGER NOT NULL, -- changes when the past does: somebody was forgotten
    last    INTEGER NOT NULL  -- sequence number of the last event
);
CREATE TABLE prefer_events (
    study INTEGER NOT NULL REFERENCES prefer_studies (id) ON DELETE CASCADE,
    seq   INTEGER NOT NULL,
    time  TEXT    NOT NULL,
    kind  TEXT    NOT NULL,
    rater TEXT    NOT NULL,
    key   TEXT    NOT NULL,
    body  TEXT    NOT NULL, -- the event as JSON; the columns before repeat parts of it for queries
    PRIMARY KEY (study, seq)
) WITHOUT ROWID;
CREATE TABLE prefer_snapshots (
    study INTEGER PRIMARY KEY REFERENCES prefer_studies (id) ON DELETE CASCADE,
    seq   INTEGER NOT NULL,
    build TEXT    NOT NULL,
    body  BLOB    NOT NULL
);
