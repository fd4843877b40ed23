package maximize

import "testing"

func TestStatusString(t *testing.T) {
	seen := map[string]bool{}
	for s := Converged; s <= Cancelled; s++ {
		name := s.String()
		if name == "" || seen[name] {
			t.Errorf("Status %d has name %q", s, name)
		}
		seen[name] = true
	}
	if len(seen) != 7 {
		t.Errorf("%d names", len(seen))
	}
	for _, s := range []Status{0, -1, Cancelled + 1} {
		if got := s.String(); got[:7] != "Status(" {
			t.Errorf("Status %d prints %q", int(s), got)
		}
	}
}
