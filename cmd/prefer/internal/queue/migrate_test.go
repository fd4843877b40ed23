package queue

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/riverqueue/river/rivermigrate"
)

// TestBefore: a queue of version 2 of the tables, from when a lost job got another number, is worked off; what was done
// stays as it is.
func TestBefore(t *testing.T) {
	t.Parallel() // it waits, mostly
	address := storetest.Database(t)
	old, err := connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	tables, closes, err := old.tables()
	if err != nil {
		t.Fatal(err)
	}
	defer closes()
	if _, err := old.pool.Exec(ctx, "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	if _, err := tables.rivers.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tables.ours.UpTo(ctx, 2); err != nil {
		t.Fatal(err)
	}
	dump, err := os.ReadFile("testdata/before.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.pool.Exec(ctx, string(dump)); err != nil {
		t.Fatal(err)
	}

	q := open(t, address)
	echoed := job.Job{Kind: "echo", Body: []byte("7"), Parts: 3}
	s := sweep(t, 2, 2)
	done, rest := s.Cells[:1], *s // quadratic2 with eubo: seed 0 is done, seed 1 was running
	rest.Cells = nil
	for _, c := range s.Cells {
		if c.Problem == "quadratic2" && c.Seed == 1 {
			rest.Cells = append(rest.Cells, c)
		}
	}
	all := rest
	all.Cells = append(done[:1:1], rest.Cells...)
	if ticket := enqueue(t, q, &all); ticket.New != 0 || ticket.Done != 1 || ticket.Cells != 3 {
		t.Errorf("enqueued again: %+v, want three cells that are there", ticket)
	}
	submit(t, q, echoed)
	before := kept(t, q)
	if tally := work(t, &Worker{Queue: q, Jobs: 2, Kinds: job.Kinds{"echo": echo}}); tally != (Tally{Done: 4}) {
		t.Errorf("%+v, want two cells and two parts done", tally)
	}
	want := local(t, &rest)
	for key, row := range before {
		want[key] = row
	}
	if len(before) != 3 {
		t.Errorf("%d rows were there, want 3", len(before))
	}
	sameRows(t, q, want)
	if now := status(t, q); now.Done != 3 || now.Waiting+now.Running+now.Failed != 0 {
		t.Errorf("%+v, want three cells done", now)
	}
	got, err := q.Runner().Results(ctx, echoed.Key())
	if diff := cmp.Diff([][]byte{[]byte("7 0"), []byte("7 1"), []byte("7 2")}, got); err != nil || diff != "" {
		t.Errorf("%v:\n%s", err, diff)
	}
}
