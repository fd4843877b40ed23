package problem

import (
	"strings"
	"testing"
)

func TestCatalogue(t *testing.T) {
	var names []string
	for _, p := range Paper() {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "quadratic2 branin2 hartmann6 ackley6 alpine7 levy6" {
		t.Errorf("Paper: %s", got)
	}
	seen := map[string]bool{}
	for _, p := range All() {
		if seen[p.Name] {
			t.Errorf("%s twice", p.Name)
		}
		seen[p.Name] = true
		q, err := ByName(p.Name)
		if err != nil || q.Name != p.Name || q.Dim != p.Dim || q.Optimum != p.Optimum {
			t.Errorf("ByName(%q): %+v, %v", p.Name, q, err)
		}
	}
	if len(seen) != len(Paper())+1+len(Unseen()) {
		t.Errorf("All has %d problems", len(seen))
	}
}

func TestByName(t *testing.T) {
	for name, dim := range map[string]int{"ackley12": 12, "levy1": 1, "rosenbrock2": 2, "quadratic64": 64, "levyedge2": 2} {
		if p, err := ByName(name); err != nil || p.Dim != dim || p.Name != name {
			t.Errorf("ByName(%q): %q of dimension %d, %v", name, p.Name, p.Dim, err)
		}
	}
	for _, name := range []string{"", "6", "levy", "Levy2", " levy2", "levy0", "levy02", "levy-2", "levy65",
		"levy99999999999999999999", "rosenbrock1", "branin", "branin3", "hartmann4", "michalewicz10"} {
		if p, err := ByName(name); err == nil {
			t.Errorf("ByName(%q): %q", name, p.Name)
		}
	}
	_, err := ByName("sphere3")
	for _, p := range All() {
		if !strings.Contains(err.Error(), p.Name) {
			t.Errorf("error does not list %s: %v", p.Name, err)
		}
	}
}

func FuzzByName(f *testing.F) {
	for _, p := range All() {
		f.Add(p.Name)
	}
	for _, s := range []string{"", "levy", "levy0", "levy007", "ackley64", "ackley65", "quadratic18446744073709551617", "7"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		p, err := ByName(name)
		if err != nil {
			return
		}
		if p.Name != name {
			t.Errorf("ByName(%q) is called %q", name, p.Name)
		}
		if err := p.Validate(); err != nil {
			t.Errorf("ByName(%q): %v", name, err)
		}
		if gap := p.Gap(unitOf(p, p.Maximisers[0])); gap < -1e-12*max(1, p.Optimum) {
			t.Errorf("ByName(%q): gap %g at its maximiser", name, gap)
		}
	})
}
