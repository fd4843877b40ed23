package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"
)

// TestQueueFinding: in a schema of its own, first nothing, then some of River's tables, then all of them.
func TestQueueFinding(t *testing.T) {
	ctx := context.Background()
	wantFinding(t, queueFinding(ctx, "postgres://ann@127.0.0.1:1/coffee"), trouble, "start the database")
	server := os.Getenv("PREFER_TEST_POSTGRES")
	if server == "" {
		t.Skip("SKIPPED: no PREFER_TEST_POSTGRES")
	}
	db, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run := func(statement string) {
		t.Helper()
		if _, err := db.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	schema := fmt.Sprintf("doctor_%d_%d", os.Getpid(), time.Now().UnixNano())
	run("CREATE SCHEMA " + schema)
	defer run("DROP SCHEMA " + schema + " CASCADE")
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	wantFinding(t, queueFinding(ctx, u.String()), trouble, "not there: river_migration, river_job, river_queue, river_leader")
	run(fmt.Sprintf("CREATE TABLE %[1]s.river_job (id BIGINT); CREATE TABLE %[1]s.river_queue (name TEXT); CREATE TABLE %[1]s.river_leader (name TEXT)", schema))
	wantFinding(t, queueFinding(ctx, u.String()), trouble, "not there: river_migration →")
	run(fmt.Sprintf("CREATE TABLE %[1]s.river_migration (line TEXT, version BIGINT); INSERT INTO %[1]s.river_migration VALUES ('main', 7), ('main', 8); INSERT INTO %[1]s.river_job VALUES (1), (2)", schema))
	wantFinding(t, queueFinding(ctx, u.String()), fine, "version 8, 2 jobs")
}
