package sqlstore

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// testAhead: what one process chose ahead another one asks; what is for another log, build or edition is not used,
// and nothing is left of a rater who is forgotten.
func testAhead(t *testing.T, address string) {
	s, other := open(t, address), open(t, address)
	here := create(t, s, "coffee")
	play(t, here, "ann", 3)
	q := ask(t, here, "ann")
	use := func(want bool) {
		t.Helper()
		there := study(t, other, "coffee")
		if got, err := other.UseAhead(ctx, there, "ann"); got != want || err != nil {
			t.Errorf("used: %t, %v, want %t", got, err, want)
		}
		if seq, _ := there.Host().Export("ann"); (seq > 0) != want {
			t.Errorf("the study has questions for event %d", seq)
		}
	}
	keep := func() {
		t.Helper()
		if _, err := here.Host().Prefetch(ctx, "ann"); err != nil {
			t.Fatal(err)
		}
		if err := s.KeepAhead(ctx, here, "ann"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.KeepAhead(ctx, here, "ann"); err != nil { // there is nothing yet
		t.Error(err)
	}
	use(false)
	keep()
	use(true)
	other.build = "another"
	use(false)
	other.build = s.build
	if got, err := other.UseAhead(ctx, study(t, other, "coffee"), "bob"); got || err != nil {
		t.Errorf("bob has ann's: %t, %v", got, err)
	}
	play(t, here, "bob", 1)
	tell(t, here, q, prefer.Answer{Choice: prefer.First})
	ask(t, here, "ann")
	keep()
	use(true)
	if n := count(t, s, "prefer_ahead"); n != 1 {
		t.Errorf("%d rows, want one per rater", n)
	}
	there := study(t, other, "coffee")
	if _, err := other.Forget(ctx, "coffee", "bob"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, "prefer_ahead"); n != 0 {
		t.Errorf("%d rows after somebody was forgotten", n)
	}
	if err := s.KeepAhead(ctx, here, "ann"); err != nil || count(t, s, "prefer_ahead") != 0 {
		t.Errorf("%v, or a study of an earlier edition was listened to", err)
	}
	if err := s.KeepAhead(ctx, there, "ann"); err == nil {
		t.Error("a study of another store was taken")
	}
}

func count(t testing.TB, s *Store, table string) (n int) {
	t.Helper()
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
