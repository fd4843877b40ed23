-- +goose Up
CREATE TABLE prefer_queue.designs (
    sha256 TEXT PRIMARY KEY,
    body   JSON NOT NULL -- a design file
);
CREATE TABLE prefer_queue.cells ( -- those that are done
    id        BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    key       TEXT   NOT NULL UNIQUE, -- its coordinates: no cell is kept twice
    problem   TEXT   NOT NULL,
    noise     DOUBLE PRECISION NOT NULL,
    method    TEXT   NOT NULL,
    seed      BIGINT NOT NULL,
    setup     TEXT   NOT NULL,
    questions INT    NOT NULL,
    seconds   DOUBLE PRECISION NOT NULL, -- on the clock
    worker    TEXT   NOT NULL,
    finished  TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE TABLE prefer_queue.rows (
    cell    BIGINT NOT NULL REFERENCES prefer_queue.cells (id) ON DELETE CASCADE,
    answers INT    NOT NULL,
    body    JSON   NOT NULL, -- a line of a results file, byte for byte
    PRIMARY KEY (cell, answers)
);
CREATE TABLE prefer_queue.workers (
    id      TEXT PRIMARY KEY,
    host    TEXT NOT NULL,
    pid     INT  NOT NULL,
    jobs    INT  NOT NULL,
    build   TEXT NOT NULL,
    started TIMESTAMPTZ NOT NULL DEFAULT now(),
    until   TIMESTAMPTZ NOT NULL -- the end of its lease, by the clock of the database
);
