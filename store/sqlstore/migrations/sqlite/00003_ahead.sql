-- +goose Up
CREATE TABLE prefer_ahead (
    study INTEGER NOT NULL REFERENCES prefer_studies (id) ON DELETE CASCADE,
    rater TEXT    NOT NULL,
    seq   INTEGER NOT NULL, -- of the log that the questions were chosen from
    build TEXT    NOT NULL,
    body  BLOB    NOT NULL,
    PRIMARY KEY (study, rater)
) WITHOUT ROWID;
