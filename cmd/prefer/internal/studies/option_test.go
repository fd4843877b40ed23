package studies

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitSettings(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  map[string]string
	}{
		{[]string{"sugar=1.5"}, map[string]string{"sugar": "1.5"}},
		{[]string{"sugar=1.5,milk=oat", "cups=2"}, map[string]string{"sugar": "1.5", "milk": "oat", "cups": "2"}},
		{[]string{"name=Doe, Jane,age=3"}, map[string]string{"name": "Doe, Jane", "age": "3"}},
		{[]string{"rule=a=b"}, map[string]string{"rule": "a=b"}},
	} {
		got, err := splitSettings(c.texts)
		if err != nil {
			t.Errorf("%q: %v", c.texts, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.texts, diff)
		}
	}
	for _, texts := range [][]string{{"sugar"}, {"sugar,milk=1"}, {"sugar=1", "sugar=2"}, {"sugar=1,sugar=2"}, {"sugar=", "sugar=2"}} {
		if got, err := splitSettings(texts); err == nil {
			t.Errorf("%q is read as %v, want an error", texts, got)
		}
	}
}
