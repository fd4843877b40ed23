package sqlstore

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/store"
)

// checksums returns those of a study's events after the first, byte by byte.
func checksums(t testing.TB, s *Store, name string) (all []string) {
	t.Helper()
	l, err := s.load(ctx, name)
	if err != nil || len(l.rows) < 2 {
		t.Fatal(len(l.rows), err)
	}
	for _, r := range l.rows[1:] {
		all = append(all, string(r.chain[:]))
	}
	return all
}

// testChain: the head is that of the events as lines; a study whose end was
// exchanged under it cannot go on, and one that follows finds what is damaged on the way.
func testChain(t *testing.T, address string) {
	s := open(t, address)
	other := open(t, address)
	held := create(t, s, "coffee")
	play(t, held, "ann", 2)
	play(t, held, "bob", 2)
	check := func() {
		t.Helper()
		var head chain.Sum
		log := events(t, s, "coffee")
		for _, e := range log {
			line, err := e.Line()
			if err != nil {
				t.Fatal(err)
			}
			head = head.Next(line)
		}
		if all, err := s.checkEach(ctx); err != nil || len(all) != 1 || all[0] != (Checked{"coffee", 0, len(log), head, nil}) {
			t.Errorf("a check finds %+v, %v, want head %v", all, err, head)
		}
	}
	check()

	// Events of the same number in the place of those it knows, as after a failover.
	rows, err := encodeAll(chain.Sum{}, held.Events(0))
	if err != nil {
		t.Fatal(err)
	}
	exchanged := append([]row(nil), rows...)
	last := &exchanged[len(rows)-1]
	last.body = strings.Replace(last.body, `:"20`, `:"21`, 1)
	last.time = strings.Replace(last.time, "20", "21", 1)
	forge(t, s, "coffee", relinked(exchanged))
	if _, err := held.Ask(ctx, prefer.Request{Rater: "cat"}); !errors.Is(err, prefer.ErrConflict) || !strings.Contains(err.Error(), fmt.Sprintf("event %d of study \"coffee\" is another one", len(rows))) {
		t.Errorf("onto a log that ends otherwise: %v, want ErrConflict", err)
	}
	if _, ok, err := s.Follow(ctx, held); ok || err != nil {
		t.Errorf("such a log is followed: %v, %v", ok, err)
	}
	check()
	forge(t, s, "coffee", rows)

	// What came from elsewhere and is damaged is not taken in.
	here, there := study(t, s, "coffee"), study(t, other, "coffee")
	play(t, there, "dan", 2)
	longer, err := encodeAll(chain.Sum{}, there.Events(0))
	if err != nil {
		t.Fatal(err)
	}
	n := len(rows)
	for says, damaged := range map[string][]row{
		"does not fit its checksum": append(append([]row{}, longer[:n+1]...), append(relinked(longer[n+1:n+2]), longer[n+2:]...)...),
		"is missing":                append(append([]row{}, longer[:n+1]...), longer[n+2:]...),
		"its end was cut off":       longer[:len(longer)-1],
		"its head is":               longer,
	} {
		forge(t, s, "coffee", damaged)
		head := longer[len(longer)-1].chain
		if says == "its head is" {
			head[0]++
		}
		if _, err := s.db.ExecContext(ctx, "UPDATE prefer_studies SET last = $1, head = $2", len(longer), head[:]); err != nil {
			t.Fatal(err)
		}
		if moved, ok, err := s.Follow(ctx, here); ok || !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), says) || here.Seq() != n {
			t.Errorf("%s: follows by %d, %v, %v, and has %d events", says, moved, ok, err, here.Seq())
		}
	}
	forge(t, s, "coffee", longer)
	if moved, ok, err := s.Follow(ctx, here); moved != len(longer)-n || !ok || err != nil {
		t.Errorf("healed, it follows by %d, %v, %v", moved, ok, err)
	}
	sameStudy(t, s, "coffee", here)
}

// testKindToCome: an event of a kind, or with a field, that this version does not know is no damage.
func testKindToCome(t *testing.T, address string) {
	s := open(t, address)
	create(t, s, "coffee")
	play(t, create(t, s, "tea"), "ann", 1)
	rows, err := encodeAll(chain.Sum{}, events(t, s, "tea"))
	if err != nil {
		t.Fatal(err)
	}
	for says, change := range map[string]func(*row){
		`its kind is "voted"`:                   func(r *row) { r.kind, r.body = "voted", strings.ReplaceAll(r.body, "answered", "voted") },
		`unknown field: "answered.answer.mood"`: func(r *row) { r.body = strings.Replace(r.body, `"choice"`, `"mood":1,"choice"`, 1) },
	} {
		newer := append([]row(nil), rows...)
		change(&newer[2])
		forge(t, s, "tea", relinked(newer))
		_, opened := s.Study(ctx, "tea")
		_, forgotten := s.Forget(ctx, "tea", "ann")
		all, err := s.checkEach(ctx)
		if err != nil || len(all) != 2 || all[0].Err != nil {
			t.Fatalf("a check finds %+v, %v", all, err)
		}
		for _, err := range []error{opened, forgotten, all[1].Err, s.Check(ctx)} {
			if !errors.Is(err, prefer.ErrNewer) || errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), `study "tea": event 3: prefer: `+says+": made by a newer prefer") || strings.Contains(err.Error(), "backup") {
				t.Errorf("%s: %v", says, err)
			}
		}
	}
}
