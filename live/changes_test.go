package live

import "testing"

// TestChanges: one who does not keep up hears the last change.
func TestChanges(t *testing.T) {
	b := newChanges()
	l, err := b.watch("coffee")
	if err != nil {
		t.Fatal(err)
	}
	for seq := range 5 {
		b.tell("coffee", seq, "asked")
		b.tell("tea", 99, "asked")
	}
	if c := <-l; c.Seq != 4 {
		t.Errorf("heard %+v, want the last", c)
	}
	if len(b.watchers) != 1 || len(b.studies()) != 1 {
		t.Errorf("%d listen to %v", len(b.watchers), b.studies())
	}
	b.leave(l)
	if len(b.watchers) != 0 || len(b.studies()) != 0 {
		t.Errorf("%d listen to %v", len(b.watchers), b.studies())
	}
}
