package store

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// TestListen: what one process appends another one hears, its own steps it does not, and a lost connection is
// made again.
func TestListen(t *testing.T) {
	address := database(t)
	s, other := open(t, address), open(t, named(t, address, "listener"))
	heard := make(chan Change, 100)
	listening, stop := context.WithCancel(ctx)
	ended := make(chan bool, 1)
	go func() { ended <- other.Listen(listening, func(c Change) { heard <- c }) }()
	wait := func(want Change) {
		t.Helper()
		late := time.After(30 * time.Second)
		for {
			select {
			case got := <-heard:
				if got == want {
					return
				}
				if got.Study == "tea" {
					t.Fatalf("heard its own %+v", got)
				}
			case <-late:
				t.Fatalf("%+v was not heard", want)
			}
		}
	}
	wait(Change{})
	here := create(t, s, "coffee")
	create(t, other, "tea")
	ask(t, study(t, other, "tea"), "ann")
	q := ask(t, here, "ann")
	wait(Change{"coffee", 2, "asked"})
	tell(t, here, q, prefer.Answer{Choice: prefer.First})
	wait(Change{"coffee", 3, "answered"})
	run(t, address, "NOTIFY prefer_changes, 'from somebody else'")
	run(t, address, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'listener' AND query LIKE 'LISTEN%'")
	wait(Change{}) // may have missed something
	ask(t, here, "ann")
	wait(Change{"coffee", 4, "asked"})
	stop()
	if !<-ended {
		t.Error("a store on PostgreSQL cannot listen")
	}
	if open(t, filepath.Join(t.TempDir(), "store.db")).Listen(ctx, nil) {
		t.Error("a store on SQLite claims to hear other processes")
	}
}
