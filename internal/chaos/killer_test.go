package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// moments are when a server is killed, in turn: at any moment; as soon as the database is seen to change, for what was just
// kept is not yet acknowledged; shortly after an answer was sent.
var moments = []string{"at any moment", "when the database changes", "after an answer is sent"}

// killer kills the one server of a fleet, and starts it again.
type killer struct {
	fleet   *fleet
	ledger  *ledger
	address string
	random  *rand.Rand
	told    chan struct{} // an answer is about to be sent
}

// kill waits until the server has acknowledged an answer, or one of each of so many raters, and for the moment, and kills it.
func (k *killer) kill(ctx context.Context, moment string, raters int) error {
	ctx, stop := context.WithTimeout(ctx, giveUp)
	defer stop()
	before := k.ledger.heard()
	for n := 0; n < raters; {
		if err := sleep(ctx, time.Millisecond); err != nil {
			return fmt.Errorf("the server acknowledged answers of %d raters, want %d: %w", n, raters, err)
		}
		if broken := k.ledger.complaint(); broken != "" { // a rater who complains stops
			return errors.New(broken)
		}
		n = 0
		for rater, now := range k.ledger.heard() {
			if now > before[rater] {
				n++
			}
		}
	}
	up := func(most time.Duration) time.Duration { return time.Duration(k.random.Int64N(int64(most))) }
	if err := sleep(ctx, up(60*time.Millisecond)); err != nil {
		return err
	}
	switch moment {
	case "when the database changes":
		if err := changed(ctx, k.address); err != nil {
			return err
		}
	case "after an answer is sent":
		select {
		case <-k.told: // perhaps long ago
		default:
		}
		select {
		case <-k.told:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := sleep(ctx, up(4*time.Millisecond)); err != nil {
			return err
		}
	}
	x := fault{what: moment, from: time.Now()}
	if err := k.fleet.kill(0); err != nil {
		return err
	}
	x.back = time.Now()
	k.ledger.fault(x)
	return k.fleet.start(0)
}

// changed waits for the next change of the database: the write-ahead log of SQLite is seen to grow, or PostgreSQL to have
// another event.
func changed(ctx context.Context, address string) error {
	look := func() (string, error) {
		info, err := os.Stat(address + "-wal")
		if err != nil {
			return "", err
		}
		return fmt.Sprint(info.Size(), info.ModTime()), nil
	}
	if strings.HasPrefix(address, "postgres:") {
		db, err := connect(address)
		if err != nil {
			return err
		}
		defer db.Close()
		look = func() (sum string, err error) {
			err = db.QueryRowContext(ctx, "SELECT sum(last)::text FROM prefer_studies").Scan(&sum)
			return sum, err
		}
	}
	first, err := look()
	for now := first; now == first && err == nil; now, err = look() {
		if err := sleep(ctx, 20*time.Microsecond); err != nil {
			return err
		}
	}
	return err
}

// hit counts the kills between COMMIT and reply, by something of this kind: it was kept before the kill, and acknowledged to an
// attempt after it.
func (k *killer) hit(found *findings, moment string, kind func(late, fault) bool) (n int) {
	for _, x := range k.ledger.faults {
		between := func(l late) bool { return l.kept.Before(x.from) && l.sent.After(x.from) && kind(l, x) }
		if (moment == "" || x.what == moment) && slices.ContainsFunc(found.late, between) {
			n++
		}
	}
	return n
}

// The kinds: all; those whose reply had nothing else to wait for; those that were kept just before the kill.
func anything(late, fault) bool       { return true }
func alone(l late, _ fault) bool      { return !l.next }
func justBefore(l late, x fault) bool { return x.from.Sub(l.kept) <= 5*time.Millisecond }

func (k *killer) report(w io.Writer, engine string, found *findings, took time.Duration) {
	answers, regrets := k.ledger.acknowledged()
	kills := len(k.ledger.faults)
	share := func(n, of int) string {
		return fmt.Sprintf("%d of %d (%.1f %%)", n, of, 100*float64(n)/float64(max(1, of)))
	}
	fmt.Fprintf(w, "%s: %d kills in %.0f s; %d answers, %d of them taken back, %d studies acknowledged; %d answers, %d studies stored; %d promises broken\n", engine,
		kills, took.Seconds(), answers, regrets, len(k.ledger.studies), found.answers, found.studies, len(found.broken))
	fmt.Fprintf(w, "%s: between COMMIT and reply fell %s", engine, share(k.hit(found, "", anything), kills))
	fmt.Fprintf(w, ", %d where the reply had nothing else to wait for, %d within 5 ms", k.hit(found, "", alone), k.hit(found, "", justBefore))
	for i, m := range moments {
		of := (kills + len(moments) - 1 - i) / len(moments)
		fmt.Fprintf(w, "; %s: %s", m, share(k.hit(found, m, anything), of))
	}
	lost := k.ledger.failed["connection lost"]
	fmt.Fprintf(w, "\n%s: %d requests lost their reply and were sent again under their key; %s were kept already\n", engine, lost, share(len(found.late), lost))
}

// TestHit: a kill fell between COMMIT and reply if what was kept before it was acknowledged to an attempt after it.
func TestHit(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond) }
	k := &killer{ledger: newLedger()}
	k.ledger.fault(fault{what: "a", from: at(100)})
	k.ledger.fault(fault{what: "b", from: at(200)})
	for _, c := range []struct {
		late             []late
		all, alone, near int
	}{
		{nil, 0, 0, 0},
		{[]late{{at(98), at(150), false}}, 1, 1, 1},
		{[]late{{at(50), at(150), true}}, 1, 0, 0},
		{[]late{{at(120), at(150), false}}, 0, 0, 0},
		{[]late{{at(98), at(250), true}, {at(199), at(201), false}}, 2, 1, 2},
	} {
		f := &findings{late: c.late}
		if all, alone, near := k.hit(f, "", anything), k.hit(f, "", alone), k.hit(f, "", justBefore); all != c.all || alone != c.alone || near != c.near ||
			all != k.hit(f, "a", anything)+k.hit(f, "b", anything) {
			t.Errorf("%v: %d kills, %d alone, %d just before, want %d, %d and %d", c.late, all, alone, near, c.all, c.alone, c.near)
		}
	}
}
