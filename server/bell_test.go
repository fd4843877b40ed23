package server

import "testing"

// TestBell: one who does not keep up hears the last change.
func TestBell(t *testing.T) {
	b := newBell()
	l, _ := b.listen("coffee")
	for seq := range 5 {
		b.ring("coffee", seq, "asked")
		b.ring("tea", 99, "asked")
	}
	if c := <-l.changes; c.Seq != 4 {
		t.Errorf("heard %+v, want the last", c)
	}
	if b.count() != 1 || len(b.studies()) != 1 {
		t.Errorf("%d listen to %v", b.count(), b.studies())
	}
	b.leave("coffee", l)
	if b.count() != 0 || len(b.studies()) != 0 {
		t.Errorf("%d listen to %v", b.count(), b.studies())
	}
}
