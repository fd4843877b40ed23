package page

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestTexts: one long text has all of a list set small, whichever two are shown; a file of words counts as long.
func TestTexts(t *testing.T) {
	short, long := strings.Repeat("ö", shortText), strings.Repeat("o", shortText+1)
	for _, c := range []struct {
		items []space.Item
		want  string
	}{
		{nil, "short"},
		{[]space.Item{{ID: "a", Text: short}, {ID: "b"}}, "short"},
		{[]space.Item{{ID: "a", Text: "x"}, {ID: "b", Text: long}, {ID: "c", Text: "y"}}, "long"},
		{[]space.Item{{ID: "a", Text: "x"}, {ID: long}}, "long"},
		{[]space.Item{{ID: "a", Text: "x"}, {ID: "b", Media: "b.txt"}}, "long"},
		{[]space.Item{{ID: long, Text: "x", Media: "b.png"}}, "short"},
	} {
		if got := textsOf(c.items); got != c.want {
			t.Errorf("%+v are set %s, want %s", c.items, got, c.want)
		}
	}
}
