-- +goose Up
CREATE TABLE prefer_notes (
    study BIGINT NOT NULL REFERENCES prefer_studies (id) ON DELETE CASCADE,
    name  TEXT   NOT NULL,
    rater TEXT   NOT NULL, -- whom it is about, empty for nobody; forgetting them removes it
    body  TEXT   NOT NULL,
    PRIMARY KEY (study, name)
);
CREATE INDEX prefer_notes_name ON prefer_notes (name);
ALTER TABLE prefer_notes ALTER name SET STATISTICS 0, ALTER rater SET STATISTICS 0, ALTER body SET STATISTICS 0;
