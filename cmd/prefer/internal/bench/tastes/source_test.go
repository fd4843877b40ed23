package tastes

import (
	"slices"
	"testing"
)

func TestTogether(t *testing.T) {
	a, b := made(1), made(1)
	b[1].Setup = "c"
	var names []string
	for _, s := range Together(Source{"old", a}, Source{"new", b}) {
		names = append(names, s.series())
	}
	if want := []string{"a (old)/kg", "b/kg", "a (new)/kg", "c/kg"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
