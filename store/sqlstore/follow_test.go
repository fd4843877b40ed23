package sqlstore

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// testFollow: of two processes the one that is behind catches up and can go on; one whose study has another
// past cannot.
func testFollow(t *testing.T, address string) {
	s, other := open(t, address), open(t, address)
	here := create(t, s, "coffee")
	there := study(t, other, "coffee")
	follow := func(s *Store, study *prefer.Study, want int, wantOK bool) {
		t.Helper()
		if n, ok, err := s.Follow(ctx, study); n != want || ok != wantOK || err != nil {
			t.Fatalf("followed %d events, %t, %v, want %d, %t", n, ok, err, want, wantOK)
		}
	}
	follow(other, there, 0, true)
	play(t, here, "ann", 4)
	follow(s, here, 0, true)
	follow(other, there, len(here.Events(0))-1, true)
	play(t, there, "bob", 2)
	follow(s, here, 5, true)
	if got, want := lines(t, here.Events(0)), lines(t, events(t, s, "coffee")); got != want {
		t.Errorf("the study has\n%swant\n%s", got, want)
	}
	sameStudy(t, s, "coffee", here)
	if _, err := s.Forget(ctx, "coffee", "bob"); err != nil {
		t.Fatal(err)
	}
	follow(other, there, 0, false)
	there = study(t, other, "coffee")
	follow(other, there, 0, true)
	// A failover loses the last event, and then another one is in its place.
	ask(t, there, "cat")
	for _, statement := range []string{"DELETE FROM prefer_events WHERE seq = (SELECT last FROM prefer_studies)", "UPDATE prefer_studies SET last = last - 1, head = (SELECT chain FROM prefer_events WHERE study = id AND seq = last - 1)"} {
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	follow(other, there, 0, false)
	later := study(t, s, "coffee")
	ask(t, later, "dan")
	follow(s, later, 0, true)
	follow(other, there, 0, false)
	there = study(t, other, "coffee")
	follow(other, there, 0, true)
	if err := s.Delete(ctx, "coffee"); err != nil {
		t.Fatal(err)
	}
	follow(other, there, 0, false)
	if _, _, err := s.Follow(ctx, there); err == nil {
		t.Error("a study of another store was followed")
	}
}
