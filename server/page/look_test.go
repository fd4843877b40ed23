package page

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestTexts: one long text has all of a list set small, whichever two are shown; a file of words counts as long.
func TestTexts(t *testing.T) {
	short, long := strings.Repeat("ö", shortText), strings.Repeat("o", shortText+1)
	for _, c := range []struct {
		items []prefer.Item
		want  string
	}{
		{nil, "short"},
		{[]prefer.Item{{ID: "a", Text: short}, {ID: "b"}}, "short"},
		{[]prefer.Item{{ID: "a", Text: "x"}, {ID: "b", Text: long}, {ID: "c", Text: "y"}}, "long"},
		{[]prefer.Item{{ID: "a", Text: "x"}, {ID: long}}, "long"},
		{[]prefer.Item{{ID: "a", Text: "x"}, {ID: "b", Media: "b.txt"}}, "long"},
		{[]prefer.Item{{ID: long, Text: "x", Media: "b.png"}}, "short"},
	} {
		if got := textsOf(c.items); got != c.want {
			t.Errorf("%+v are set %s, want %s", c.items, got, c.want)
		}
	}
}
