package demo

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// Every demonstration makes a study that asks, a sample belongs to a drawing, and no name is twice in a list.
func TestDemos(t *testing.T) {
	count := 0
	for drawn, list := range map[bool]func() ([]Demo, error){true: Drawn, false: Worded} {
		demos, err := list()
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, d := range demos {
			count++
			if d.Name == "" || d.Title == "" || d.Blurb == "" || d.Goal < 10 || d.Config.Prompt == "" || seen[d.Name] {
				t.Errorf("%+v lacks something, or is there twice", d)
			}
			seen[d.Name] = true
			if (d.Drawing != "") != drawn || (d.Sample != nil) != drawn {
				t.Errorf("%s has a drawing of %d bytes and the sample %v", d.Name, len(d.Drawing), d.Sample)
			}
			study, err := prefer.New(t.Context(), d.Config)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := study.Ask(t.Context(), prefer.Request{}); err != nil {
				t.Error(err)
			}
		}
	}
	if count != 7 {
		t.Errorf("%d demonstrations, want 7", count)
	}
}
