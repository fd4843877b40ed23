package live

import (
	"strings"
	"testing"
)

// TestConduct: every setting is told with its number, and none that is not on.
func TestConduct(t *testing.T) {
	plain := Checks{}.Conduct()
	if !strings.HasPrefix(plain, "Which option was on the left was balanced") || strings.Count(plain, ".") != 1 {
		t.Errorf("without checks it says %q", plain)
	}
	text := Checks{RepeatRate: 0.15, MinRT: 300, CatchEvery: 8, Catch: make([]Catch, 3)}.Conduct()
	for _, want := range []string{plain, "were to be 15 % of a rater's questions", "One question in 8 was to be a catch question, from a list of 3 pairs", "within 300 ms was refused"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q: %s", want, text)
		}
	}
	if text := (Checks{Catch: make([]Catch, 1)}).Conduct(); !strings.Contains(text, "One question in 10") {
		t.Errorf("by default it says %s", text)
	}
}
