package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/rogpeppe/go-internal/testscript"
)

// databaseCommand is "database NAME": a new, empty database, whose address is in the variable NAME until the
// script ends.
func databaseCommand(ts *testscript.TestScript, _ bool, args []string) {
	address, drop, err := newDatabase()
	ts.Check(err)
	ts.Defer(func() { ts.Check(drop()) })
	ts.Setenv(args[0], address)
}

// newDatabase makes an empty database, and returns what removes it.
func newDatabase() (address string, drop func() error, err error) {
	server := os.Getenv("PREFER_TEST_POSTGRES")
	name := fmt.Sprintf("prefer_cli_%d_%d", os.Getpid(), time.Now().UnixNano())
	statement := func(text string) error {
		c, err := pgx.Connect(context.Background(), server)
		if err != nil {
			return err
		}
		defer c.Close(context.Background())
		_, err = c.Exec(context.Background(), text)
		return err
	}
	u, err := url.Parse(server)
	if err != nil {
		return "", nil, err
	}
	u.Path = "/" + name
	return u.String(), func() error { return statement("DROP DATABASE " + name + " WITH (FORCE)") }, statement("CREATE DATABASE " + name)
}

// busyCommand is "busy ADDRESS [waiting|running]": waits until a cell or a part of a job is.
func busyCommand(ts *testscript.TestScript, _ bool, args []string) {
	q, err := queue.Open(context.Background(), args[0])
	ts.Check(err)
	defer q.Close()
	for range 1000 {
		s, err := q.Status(context.Background())
		ts.Check(err)
		waiting, running := s.Waiting, s.Running
		for _, e := range s.Jobs {
			waiting, running = waiting+e.Waiting, running+e.Running
		}
		if len(args) > 1 && args[1] == "waiting" {
			running = waiting
		}
		if running > 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("nothing is %s after 20 s", strings.Join(args[1:], ""))
}
