-- +goose Up
ALTER TABLE prefer_queue.workers ADD COLUMN running BIGINT[]; -- the jobs it says it is at; NULL from a worker that does not say
