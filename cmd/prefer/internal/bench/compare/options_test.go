package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOptionsDefaults(t *testing.T) {
	table := small(t)
	o := Options{}.withDefaults(table)
	if o.Ours != ours {
		t.Errorf("ours is %v, want %v", o.Ours, ours)
	}
	if diff := cmp.Diff([]Series{third, theirs}, o.Baseline); diff != "" {
		t.Errorf("baseline: %s", diff)
	}
	if diff := cmp.Diff([]Series{third, theirs, {"default", "random"}}, o.others()); diff != "" {
		t.Errorf("others: %s", diff)
	}
	want := []Position{{Answers, 15}, {Answers, 20}, {Answers, 30}, {Answers, 40}, {Iter, 10}, {Iter, 30}, {Iter, 50}, {Iter, 100}}
	if diff := cmp.Diff(want, o.positions()); diff != "" {
		t.Errorf("positions: %s", diff)
	}
	// Without the default kg among those shown, the first shown is ours.
	if o := (Options{Series: []Series{theirs, third}}).withDefaults(table); o.Ours != theirs {
		t.Errorf("ours is %v, want %v", o.Ours, theirs)
	}
}
