package page

import (
	"strings"
	"testing"
)

func TestAppearanceValidate(t *testing.T) {
	for _, c := range []struct {
		a    Appearance
		want string
	}{
		{Appearance{}, ""},
		{Appearance{Goal: 20, Complete: "https://app.prolific.com/submissions/complete?cc=C1"}, ""},
		{Appearance{Goal: -1}, "goal is -1"},
		{Appearance{Goal: 1001}, "goal is 1001"},
		{Appearance{Complete: "javascript:alert(1)"}, "complete"},
		{Appearance{Complete: "//elsewhere"}, "complete"},
		{Appearance{Template: Template{Kind: "x", Text: "y"}}, "kind"},
	} {
		err := c.a.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.a, err, c.want)
		}
	}
}
