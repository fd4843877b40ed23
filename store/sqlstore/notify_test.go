package sqlstore

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// TestListen: what one process appends another one hears, its own steps it does not, and a lost connection is
// made again.
func TestListen(t *testing.T) {
	address := database(t)
	s, other := open(t, address), open(t, named(t, address, "listener"))
	heard := make(chan store.Change, 100)
	listening, stop := context.WithCancel(ctx)
	ended := make(chan bool, 1)
	go func() { ended <- other.Listen(listening, func(c store.Change) { heard <- c }) }()
	wait := func(want store.Change) {
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
	wait(store.Change{})
	here := create(t, s, "coffee")
	create(t, other, "tea")
	ask(t, study(t, other, "tea"), "ann")
	q := ask(t, here, "ann")
	wait(store.Change{Study: "coffee", Seq: 2, Kind: "asked"})
	tell(t, here, q, prefer.Answer{Choice: prefer.First})
	wait(store.Change{Study: "coffee", Seq: 3, Kind: "answered"})
	run(t, address, "NOTIFY prefer_changes, 'from somebody else'")
	run(t, address, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'listener' AND query LIKE 'LISTEN%'")
	wait(store.Change{}) // may have missed something
	ask(t, here, "ann")
	wait(store.Change{Study: "coffee", Seq: 4, Kind: "asked"})
	stop()
	if !<-ended {
		t.Error("a store on PostgreSQL cannot listen")
	}
	if open(t, filepath.Join(t.TempDir(), "store.db")).Listen(ctx, nil) {
		t.Error("a store on SQLite claims to hear other processes")
	}
}

// TestListenFrozen: a listener whose line is dead finds out, and hears again what happens.
func TestListenFrozen(t *testing.T) {
	const patience = 2 * time.Second // a busy machine answers within it
	address := prepared(t)
	line := NewLine(t, address)
	s, other := open(t, address), open(t, line.Address(), Options{Patience: patience})
	here := create(t, s, "coffee")
	heard := make(chan store.Change, 100)
	listening, stop := context.WithCancel(ctx)
	ended := make(chan bool, 1)
	go func() { ended <- other.Listen(listening, func(c store.Change) { heard <- c }) }()
	hear := func(want store.Change) {
		t.Helper()
		for {
			select {
			case got := <-heard:
				if got == want {
					return
				}
			case <-time.After(time.Minute):
				t.Fatalf("%+v was not heard", want)
			}
		}
	}
	hear(store.Change{})
	ask(t, here, "ann")
	hear(store.Change{Study: "coffee", Seq: 2, Kind: "asked"})
	time.Sleep(patience + short) // nothing is said, and the connection lives
	ask(t, here, "bob")
	hear(store.Change{Study: "coffee", Seq: 3, Kind: "asked"})
	if len(heard) > 0 {
		t.Errorf("the connection was lost: %+v", <-heard)
	}
	line.Freeze()
	await(t, "the listener gives its connection up", func() bool { // and tries for others
		before := line.Connections()
		time.Sleep(patience)
		return line.Connections() > before
	})
	ask(t, here, "cat")
	line.Thaw()
	hear(store.Change{}) // something was missed
	ask(t, here, "dan")
	hear(store.Change{Study: "coffee", Seq: 5, Kind: "asked"})
	stop()
	<-ended
}

// TestNotifyFrozen: what could not be told while the database was silent is told afterwards.
func TestNotifyFrozen(t *testing.T) {
	address := prepared(t)
	line := NewLine(t, address)
	s, other := open(t, line.Address(), Options{Patience: short}), open(t, address)
	create(t, s, "coffee")
	heard := make(chan store.Change, 100)
	listening, stop := context.WithCancel(ctx)
	ended := make(chan bool, 1)
	go func() { ended <- other.Listen(listening, func(c store.Change) { heard <- c }) }()
	<-heard
	line.Freeze()
	s.notifier.add(store.Change{Study: "coffee", Seq: 2, Kind: "asked"})
	await(t, "it is being told", func() bool { s.notifier.mu.Lock(); defer s.notifier.mu.Unlock(); return len(s.notifier.changes) == 0 })
	s.notifier.add(store.Change{Study: "tea", Seq: 7, Kind: "asked"})
	time.Sleep(2 * short)
	line.Thaw()
	want := map[store.Change]bool{{Study: "coffee", Seq: 2, Kind: "asked"}: true, {Study: "tea", Seq: 7, Kind: "asked"}: true}
	for len(want) > 0 {
		select {
		case got := <-heard:
			delete(want, got)
		case <-time.After(time.Minute):
			t.Fatalf("not heard: %v", want)
		}
	}
	stop()
	<-ended
}
