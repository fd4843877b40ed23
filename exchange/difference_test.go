package exchange

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"

	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// found makes items of "id=content" words.
func found(words string) (out []space.Item) {
	for _, w := range strings.Fields(words) {
		id, sum, _ := strings.Cut(w, "=")
		out = append(out, space.Item{ID: id, Media: id, Sum: sum})
	}
	return out
}

// TestRefresh walks a folder through what can happen to it, and looks at the list after every step.
func TestRefresh(t *testing.T) {
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Space{Items: found("a=1 b=1 c=1")}})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct{ found, did, list string }{
		{"a=1 b=1 c=1", "new 0 back 0 changed 0 old [] gone [] same 3", "a b c"},
		{"a=1 b=1 c=1 d=1 e/a=7", "new 2 back 0 changed 0 old [] gone [] same 3", "a b c d e/a"},
		{"b=1 c=1 d=1 e/a=7", "new 0 back 0 changed 0 old [] gone [a] same 4", "b c d e/a"},
		{"a=1 b=2 c=1 d=1 e/a=7", "new 0 back 1 changed 1 old [b] gone [] same 3", "a c d e/a b (2)"},
		{"a=1 b=3 c=1 d=1 e/a=7", "new 0 back 0 changed 1 old [b (2)] gone [] same 4", "a c d e/a b (3)"},
		{"a=1 b=1 c=1 d=1 e/a=7", "new 0 back 1 changed 0 old [b (3)] gone [] same 4", "a b c d e/a"},
		{"a=1 c=1 d=1 e/a=7", "new 0 back 0 changed 0 old [] gone [b] same 4", "a c d e/a"},
		{"a=1 b=4 c=1 d=1 e/a=7", "new 0 back 0 changed 1 old [] gone [] same 4", "a c d e/a b (4)"},
	} {
		d, err := Refresh(t.Context(), s, found(step.found), true)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, it := range s.Items(false) {
			list = append(list, it.ID)
		}
		did := fmt.Sprintf("new %d back %d changed %d old %v gone %v same %d", len(d.New), len(d.Back), len(d.Changed), d.Old, d.Gone, d.Same)
		if did != step.did || strings.Join(list, " ") != step.list {
			t.Errorf("step %d: %s\n%s\nwant %s\n%s", i, did, strings.Join(list, " "), step.did, step.list)
		}
	}
	if n := len(s.Events(0)); n != 1+1+1+2+2+2+1+1 {
		t.Errorf("%d events", n)
	}
	if _, err := prefer.Open(t.Context(), s.Events(0), prefer.OpenOptions{}); err != nil {
		t.Error(err)
	}
	before := s.Seq()
	if _, err := Refresh(t.Context(), s, found("a=1 a=2"), false); errcode.Of(err) != "option" || s.Seq() != before {
		t.Errorf("an id twice: %v, %d events more", err, s.Seq()-before)
	}
}

// TestDifferenceContent: what tells that a thing has changed.
func TestDifferenceContent(t *testing.T) {
	was := space.Item{ID: "a", Media: "a", Sum: "1", Features: space.Option{"x": space.ValueOf(1)}}
	with := func(do func(*space.Item)) space.Item { it := was; do(&it); return it }
	unsummed := with(func(i *space.Item) { i.Sum = "" })
	for name, c := range map[string]struct {
		was, now space.Item
		same     bool
	}{
		"the same":                      {was, was, true},
		"another name":                  {was, with(func(i *space.Item) { i.ID = "b" }), true},
		"other features, same sum":      {was, with(func(i *space.Item) { i.Features = space.Option{"x": space.ValueOf(2)} }), true},
		"another sum":                   {was, with(func(i *space.Item) { i.Sum = "2" }), false},
		"another text":                  {was, with(func(i *space.Item) { i.Text = "t" }), false},
		"nobody had looked":             {unsummed, was, true},
		"nobody looks":                  {was, unsummed, true},
		"other features, nobody looked": {unsummed, with(func(i *space.Item) { i.Features = nil }), false},
	} {
		if sameContent(c.was, c.now) != c.same {
			t.Errorf("%s: is %t, want %t", name, !c.same, c.same)
		}
	}
}
