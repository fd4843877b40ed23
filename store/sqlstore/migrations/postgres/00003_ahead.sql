-- +goose Up
CREATE UNLOGGED TABLE prefer_ahead ( -- losing it in a crash costs one search per rater
    study BIGINT NOT NULL REFERENCES prefer_studies (id) ON DELETE CASCADE,
    rater TEXT   NOT NULL,
    seq   BIGINT NOT NULL, -- of the log that the questions were chosen from
    build TEXT   NOT NULL,
    body  BYTEA  NOT NULL,
    PRIMARY KEY (study, rater)
);
ALTER TABLE prefer_ahead ALTER rater SET STATISTICS 0, ALTER build SET STATISTICS 0, ALTER body SET STATISTICS 0;
