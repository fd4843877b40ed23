package live

import (
	"maps"
	"testing"
)

// TestNames: guests are numbered in the order of coming, an owner's word comes first, two cannot have one name, and who is forgotten leaves none.
func TestNames(t *testing.T) {
	h := newTestStudies(t, nil)
	for _, rater := range []string{"guest-zz", "ann", "guest-aa", "guest-zz"} {
		h.tell(h.ask(rater), "first")
	}
	want := func(want map[string]string) {
		t.Helper()
		if got, err := h.Names(t.Context(), "coffee"); err != nil || !maps.Equal(got, want) {
			t.Errorf("%v, %v; want %v", got, err, want)
		}
	}
	rename := func(rater, name string) Code {
		return code(h.Rename(t.Context(), "coffee", Rename{rater, name}))
	}
	want(map[string]string{"guest-zz": "Guest 1", "guest-aa": "Guest 2"})
	for _, taken := range []string{"ann", "Guest 1"} {
		if got := rename("guest-aa", taken); got != Invalid {
			t.Errorf("a second %s: %q", taken, got)
		}
	}
	if got := rename("guest-aa", "bell\a"); got != Invalid {
		t.Errorf("a bell: %q", got)
	}
	if rename("guest-aa", " Ben ") != "" || rename("ann", "Annabel Ω") != "" {
		t.Error("a name is refused")
	}
	want(map[string]string{"guest-zz": "Guest 1", "guest-aa": "Ben", "ann": "Annabel Ω"})
	if rename("ann", "") != "" {
		t.Error("back to their name is refused")
	}
	if _, err := h.Forget(t.Context(), "coffee", Whom{Rater: "guest-aa"}); err != nil {
		t.Error(err)
	}
	want(map[string]string{"guest-zz": "Guest 1"})
}
