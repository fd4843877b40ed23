package prefer

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestConstraints(t *testing.T) {
	s := Space{Parameters: []Parameter{LogFloat("brightness", 0.2, 2), {Name: "blur", Type: "int", Low: 0, High: 20, Step: 2}, Categorical("font", "serif", "sans", "mono"), Switch("shadow"), Ordinal("n", ValueOf(1), ValueOf(2))},
		Constraints: []string{"brightness + 0.05*blur <= 2.2", `font != "mono" or !shadow`, "shadow ? blur > 2 : true", "n in [1, 2]"}}
	if _, err := newCoding(s); err != nil {
		t.Fatal(err)
	}
	option := func(brightness, blur float64, font string, shadow bool) Option {
		return Option{"brightness": ValueOf(brightness), "blur": ValueOf(blur), "font": ValueOf(font), "shadow": ValueOf(shadow), "n": ValueOf(1)}
	}
	for _, c := range []struct {
		o    Option
		want string
	}{
		{option(2, 4, "serif", true), ""},
		{option(1.2, 20, "mono", false), ""},
		{option(2, 6, "serif", true), "brightness + 0.05*blur <= 2.2"},
		{option(1, 6, "mono", true), "mono"},
		{option(1, 2, "sans", true), "shadow ?"},
	} {
		_, err := s.unit(c.o)
		if c.want == "" && err != nil {
			t.Errorf("%v: %v", c.o, err)
		}
		if c.want != "" && (!errors.Is(err, ErrOption) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: error %v, want one about %q", c.o, err, c.want)
		}
	}
}

func TestConstraintMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"x +":                          "unexpected",
		"x + y":                        "bool",
		"z < 1":                        "z",
		"x + c < 1":                    "invalid operation",
		"x < -1":                       "none of 16384 random options satisfies",
		"now().Year() > 3":             "now",
		"x > 0.5 and x < 0.4":          "none of 16384 random options satisfies",
		"x == y":                       "an equality is not met by chance",
		"[1, 2][int(x * 100) + 5] > 0": "cannot be computed",
	} {
		_, err := newCoding(Space{Parameters: []Parameter{Float("x", 0, 1), Float("y", 0, 1), Categorical("c", "a", "b")}, Constraints: []string{text}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one about %q", text, err, want)
		}
	}
}

// TestConstraintQuoted: an error repeats the beginning of a constraint, however long it is.
func TestConstraintQuoted(t *testing.T) {
	long := strings.Repeat("x < 2 && ", 100)
	for text, want := range map[string]string{
		long + "z < 1":                                "unknown name z (line 1, character 901)",
		long + "x < 2 &&":                             "unexpected token EOF",
		long + "y < -1":                               "906 characters",
		long + "[1, 2][int(x * 100) + 5] > 0":         "cannot be computed",
		strings.Repeat("x < 2 && ", 90_000) + "x < 2": "exceeds maximum allowed nodes",
	} {
		_, err := newCoding(Space{Parameters: []Parameter{Float("x", 0, 1), Float("y", 0, 1)}, Constraints: []string{text}})
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 600 {
			t.Errorf("error of %d characters: %.700v, want a short one about %q", len(fmt.Sprint(err)), err, want)
		}
	}
}

func FuzzConstraint(f *testing.F) {
	for _, text := range []string{"x + 0.05*k <= 2.2", `c == "a" ? x < 1 : k > 2`, "b and not (x > 0.3)", "filter(1..9, # > x)[0] > 1", "x", "1..1e9", `c matches "a+"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Space{Parameters: []Parameter{Float("x", 0, 1), Int("k", 0, 9), Categorical("c", "a", "b", "d"), Switch("b")}, Constraints: []string{text}}
		code, err := newCoding(s)
		if err != nil {
			return
		}
		o := Option{"x": ValueOf(0.25), "k": ValueOf(3), "c": ValueOf("a"), "b": ValueOf(true)}
		value := func(a axis) Value { return o[a.Name] }
		first, errFirst := code.unmet(value)
		again, errAgain := code.unmet(value)
		if first != again || (errFirst == nil) != (errAgain == nil) {
			t.Errorf("%q: %q is not met, then %q", text, first, again)
		}
	})
}
