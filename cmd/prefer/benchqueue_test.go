package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/queue"
	"github.com/rogpeppe/go-internal/testscript"
)

// databaseCommand is "database NAME": a new, empty database, whose address is in the variable NAME until the
// script ends.
func databaseCommand(ts *testscript.TestScript, _ bool, args []string) {
	server := os.Getenv("PREFER_TEST_POSTGRES")
	name := fmt.Sprintf("prefer_cli_%d_%d", os.Getpid(), time.Now().UnixNano())
	statement := func(text string) {
		c, err := pgx.Connect(context.Background(), server)
		ts.Check(err)
		defer c.Close(context.Background())
		_, err = c.Exec(context.Background(), text)
		ts.Check(err)
	}
	statement("CREATE DATABASE " + name)
	ts.Defer(func() { statement("DROP DATABASE " + name + " WITH (FORCE)") })
	u, err := url.Parse(server)
	ts.Check(err)
	u.Path = "/" + name
	ts.Setenv(args[0], u.String())
}

// busyCommand is "busy ADDRESS": waits until a cell of the queue is running.
func busyCommand(ts *testscript.TestScript, _ bool, args []string) {
	q, err := queue.Open(context.Background(), args[0])
	ts.Check(err)
	defer q.Close()
	for range 1000 {
		s, err := q.Status(context.Background())
		ts.Check(err)
		if s.Running > 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("no cell is running after 20 s")
}
