package cli

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

func TestParseParameter(t *testing.T) {
	for text, want := range map[string]space.Parameter{
		"sugar=0..5":                 space.Float("sugar", 0, 5),
		"t=-5..-1.5":                 space.Float("t", -5, -1.5),
		"t=1e-3...5":                 space.Float("t", 1e-3, 0.5),
		" a b = 0 .. 1 ":             space.Float("a b", 0, 1),
		"grind=0.1..10:log":          space.LogFloat("grind", 0.1, 10),
		"cups=1..8:int":              space.Int("cups", 1, 8),
		"blur=0..20:int:2":           space.Parameter{Name: "blur", Type: "int", Low: 0, High: 20, Step: 2},
		"hue=0..360:circular":        space.Circle("hue", 0, 360),
		"d=0..360:circular:int:45":   {Name: "d", Type: "int", Low: 0, High: 360, Step: 45, Circular: true},
		"n=1..1000:int:log":          {Name: "n", Type: "int", Low: 1, High: 1000, Step: 1, Log: true},
		"font=serif|sans":            space.Categorical("font", "serif", "sans"),
		"size=S<M<L":                 space.Ordinal("size", space.ValueOf("S"), space.ValueOf("M"), space.ValueOf("L")),
		"iso=100<200":                space.Ordinal("iso", space.ValueOf(100), space.ValueOf(200)),
		"iso=100<auto":               space.Ordinal("iso", space.ValueOf("100"), space.ValueOf("auto")),
		"shadow=bool":                space.Switch("shadow"),
		"noise=quiet|babble:context": {Name: "noise", Type: "categorical", Choices: []space.Value{space.ValueOf("quiet"), space.ValueOf("babble")}, Context: true},
		"rain=bool:context":          {Name: "rain", Type: "bool", Context: true},
		"t=-20..40:context":          {Name: "t", Type: "float", Low: -20, High: 40, Context: true},
		"range=0..5|1..2|any":        space.Categorical("range", "0..5", "1..2", "any"),
	} {
		got, err := parseParameter(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b space.Value) bool { return a == b })); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// What is read can be written, and is read as the same again; what cannot be read is a mistake of the command
// line.
func FuzzParseParameter(f *testing.F) {
	for _, text := range []string{"sugar=0..5", "grind=0.1..10:log", "cups=1..8:int", "blur=0..20:int:2", "h=0..360:int:circular:15", "font=a|b", "size=S<M<L", "iso=100<200", "x=bool", "x=bool:context", "t=0..9:int:context", "=", "a=b", "a=1..2:3", "a=..", "a=|"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parseParameter(text)
		if err != nil {
			if !errors.As(err, &Failure{}) {
				t.Fatalf("%q: %v is not a usage error", text, err)
			}
			return
		}
		if (prefer.Config{Space: space.Space{Parameters: []space.Parameter{p}}}).Validate() != nil {
			return // such as an infinite range
		}
		again, err := parseParameter(ParameterForm(p))
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, ParameterForm(p), err)
		}
		if diff := cmp.Diff(p, again, cmp.Comparer(func(a, b space.Value) bool { return a == b })); diff != "" {
			t.Fatalf("%q is written as %q: %s", text, ParameterForm(p), diff)
		}
	})
}
