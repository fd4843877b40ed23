package figure

import (
	"image/color"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
)

// TestMethodsHaveColours: what has a colour of its own is a method that there is, and methods without one are told apart
// all the same.
func TestMethodsHaveColours(t *testing.T) {
	for m := range methods {
		if !slices.Contains(acquisition.Methods(), m) {
			t.Errorf("%q has a colour and is no method", m)
		}
	}
	seen := map[color.NRGBA]string{}
	for m, l := range newPalette(append(acquisition.Methods(), "mine", "yours")) {
		if other, ok := seen[l.colour]; ok {
			t.Errorf("%s and %s have the same colour", m, other)
		}
		seen[l.colour] = m
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string][2]string{
		"kg":                    {"kg", ""},
		"KG":                    {"kg", ""},
		"default kg":            {"kg", "default"},
		"botorch eubo":          {"eubo", "botorch"},
		"EUBO (paper)":          {"eubo", "paper"},
		"paper/logei":           {"logei", "paper"},
		"default initial=4d kg": {"kg", "default initial=4d"},
		"my own":                {"my own", ""},
	} {
		if m, s := parse(name); m != want[0] || s != want[1] {
			t.Errorf("parse(%q) = %q, %q, want %q", name, m, s, want)
		}
	}
}

func TestPalette(t *testing.T) {
	names := []string{"kg", "paper kg", "botorch kg", "default kg", "odd kg", "paper eubo", "first stranger", "second stranger"}
	p := newPalette(names)
	for i, a := range names {
		for _, b := range names[:i] {
			if p[a].colour == p[b].colour && slices.Equal(p[a].dashes, p[b].dashes) {
				t.Errorf("%q looks like %q", a, b)
			}
		}
	}
	for _, name := range names[:5] {
		if p[name].colour != methods["kg"] {
			t.Errorf("%q does not have the colour of kg", name)
		}
	}
	if !slices.Equal(p["paper kg"].dashes, p["paper eubo"].dashes) {
		t.Error("one setup has two kinds of dashes")
	}
	if alone := newPalette([]string{"paper kg", "paper eubo"}); alone["paper kg"].dashes != nil {
		t.Error("a single setup is dashed")
	}
	if p := newPalette([]string{"default kg", "paper kg", "random"}); p["default kg"].dashes != nil || p["random"].dashes != nil {
		t.Error("default is not solid, though no method has it beside a plain one")
	}
	if l := newPalette([]string{"second stranger", "kg"}); l["kg"].colour != p["kg"].colour {
		t.Error("the colour of kg depends on its neighbours")
	}
}
