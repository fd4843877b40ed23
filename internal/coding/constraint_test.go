package coding

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

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
		_, err := New(space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1), space.Float("y", 0, 1), space.Categorical("c", "a", "b")}, Constraints: []string{text}})
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
		_, err := New(space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1), space.Float("y", 0, 1)}, Constraints: []string{text}})
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
		s := space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1), space.Int("k", 0, 9), space.Categorical("c", "a", "b", "d"), space.Switch("b")}, Constraints: []string{text}}
		code, err := New(s)
		if err != nil {
			return
		}
		o := space.Option{"x": space.ValueOf(0.25), "k": space.ValueOf(3), "c": space.ValueOf("a"), "b": space.ValueOf(true)}
		value := func(a Axis) space.Value { return o[a.Name] }
		first, errFirst := code.unmet(value)
		again, errAgain := code.unmet(value)
		if first != again || (errFirst == nil) != (errAgain == nil) {
			t.Errorf("%q: %q is not met, then %q", text, first, again)
		}
	})
}
