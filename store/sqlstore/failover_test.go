package sqlstore

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/store"
)

// TestFailover: a primary, and a standby without which it acknowledges nothing.
func TestFailover(t *testing.T) {
	primary := newCluster(t, "start")
	standby := primary.standby(t)
	for _, c := range []struct {
		name string
		test func(t *testing.T, primary, standby cluster)
	}{{"read only", testStandby}, {"synchronous", testSynchronous}, {"promoted", testPromoted}} { // in this order: the last one kills the primary
		t.Run(c.name, func(t *testing.T) { c.test(t, primary, standby) })
	}
}

// either returns the address of a new database on whichever of the two takes changes.
func either(t *testing.T, primary, standby cluster, database string) string {
	t.Helper()
	run(t, primary.Address, "CREATE DATABASE "+database)
	await(t, "the standby has the database, which it may have been told of only", func() bool {
		db, err := sql.Open("pgx", onDatabase(t, standby.Address, database))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		return db.PingContext(ctx) == nil
	})
	hosts := with(t, primary.Address, "host", primary.Dir+","+standby.Dir)
	return onDatabase(t, with(t, hosts, "target_session_attrs", "read-write"), database)
}

// testPromoted: the primary dies under a working store and the standby takes its place. Every answer that was acknowledged
// is there, once, and the store goes on.
func testPromoted(t *testing.T, primary, standby cluster) {
	s := open(t, either(t, primary, standby, "promoted"), Options{Patience: time.Minute})
	failed := false
	underLoad(t, s, 15, func() {
		time.Sleep(20 * time.Millisecond)
		if !failed {
			failed = true
			primary.do(t, "kill")
			standby.do(t, "promote")
		}
	})
}

// testSynchronous: while the standby is silent nothing is acknowledged, not even an answer that the primary has and that is
// sent again: a failover would lose it.
func testSynchronous(t *testing.T, primary, standby cluster) {
	address := either(t, primary, standby, "synchronous")
	s := open(t, address, Options{Patience: time.Second})
	q := ask(t, create(t, s, "coffee"), "ann")
	other := open(t, address, Options{Patience: time.Second})
	standby.do(t, "freeze")
	for range 2 {
		for _, s := range []*Store{s, other} {
			if err := observe(t, s, q, "key"); !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("%v, want store.ErrUnavailable", err)
			}
		}
	}
	standby.do(t, "thaw")
	for _, s := range []*Store{s, other} {
		await(t, "the answer is taken", func() bool { return observe(t, s, q, "key") == nil })
	}
	if n := keys(t, s)["key"]; n != 1 {
		t.Errorf("the answer is there %d times", n)
	}
}

// testStandby: a connection that leads to a server which takes no changes is thrown away, and the next one tried.
func testStandby(t *testing.T, primary, standby cluster) {
	line := NewLine(t, primary.Address)
	s := open(t, line.Address(), Options{Patience: time.Second})
	q := ask(t, create(t, s, "coffee"), "ann")
	line.Move(standby.Address)
	line.Cut()
	await(t, "the standby has the study", func() bool { _, err := s.Study(t.Context(), "coffee"); return err == nil }) // it may be behind
	if err := observe(t, s, q, "key"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("on a standby: %v, want store.ErrUnavailable", err)
	}
	if n := s.db.Stats().OpenConnections; n > 1 { // the one that has read
		t.Errorf("%d connections to the standby are kept", n)
	}
	line.Move(primary.Address) // connections to the standby live on
	await(t, "the answer is taken", func() bool { return observe(t, s, q, "key") == nil })
	if n := keys(t, s)["key"]; n != 1 {
		t.Errorf("the answer is there %d times", n)
	}
	looking := open(t, standby.Address, Options{ReadOnly: true})
	if n := keys(t, looking)["key"]; n != 1 {
		t.Errorf("on the standby the answer is there %d times", n)
	}
	h, err := Examine(ctx, standby.Address, Options{})
	if err != nil || !errors.Is(h.Writing, store.ErrReadOnly) {
		t.Errorf("a standby is %+v, %v, want store.ErrReadOnly", h, err)
	}
}
