package figure

import (
	"image/color"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
)

// TestMethodsHaveColours: all methods at once have colours that differ, one without a colour in the list among them.
func TestMethodsHaveColours(t *testing.T) {
	seen := map[color.NRGBA]string{}
	for name, l := range newPalette(curves(append(acquisition.Methods(), "ucb")...)) {
		if other, taken := seen[l.colour]; taken {
			t.Errorf("methods %q and %q have one colour", name, other)
		}
		seen[l.colour] = name
	}
}

// curves makes curves of names like "paper/kg" or "kg".
func curves(names ...string) (out []Curve) {
	for _, name := range names {
		setup, method, both := strings.Cut(name, "/")
		if !both {
			setup, method = "", name
		}
		out = append(out, Curve{Method: method, Setup: setup})
	}
	return out
}

func TestPalette(t *testing.T) {
	list := curves("paper/kg", "botorch/KG", "default/kg", "odd/kg", "paper/eubo", "paper/first stranger", "default/second stranger")
	p := newPalette(list)
	look := func(i int) look { return p[list[i].name()] }
	for i := range list {
		for j := range i {
			if look(i).colour == look(j).colour && look(i).dashes == look(j).dashes {
				t.Errorf("%q looks like %q", list[i].name(), list[j].name())
			}
		}
	}
	for i := range 4 {
		if look(i).colour != methods["kg"] {
			t.Errorf("%q does not have the colour of kg", list[i].name())
		}
	}
	if look(0).dashes != look(4).dashes {
		t.Error("one setup has two kinds of dashes")
	}
	if alone := newPalette(curves("paper/kg", "paper/eubo")); alone["kg, paper"].dashes != "" {
		t.Error("a single setup is dashed")
	}
	if p := newPalette(curves("default/kg", "paper/kg", "random")); p["kg, default"].dashes != "" || p["random"].dashes != "" {
		t.Error("default is not solid")
	}
	if l := newPalette(curves("second stranger", "kg")); l["kg"].colour != methods["kg"] {
		t.Error("the colour of kg depends on its neighbours")
	}
}
