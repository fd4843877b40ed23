package people

import (
	"slices"
	"strings"
	"testing"
)

// TestBroken: a table in which all is as it should be breaks nothing; one mean that is too high breaks the limits it is in, and
// so does one that is not there.
func TestBroken(t *testing.T) {
	good := Table{Checks: &Checks{}}
	for arm, means := range map[string][2]float64{"separate": {0.1, 0.12}, "shared": {0.02, 0.8}, "joint": {0.05, 0.2}} {
		for i, population := range []string{"same", "strangers"} {
			for _, measure := range []string{everybody.missed, newcomer.missed} {
				row := Row{group: group{population, 4, 0}, Arm: arm, Measure: measure, Answers: 8}
				row.Value = means[i]
				good.Rows = append(good.Rows, row)
			}
		}
	}
	if broken := Broken(good); broken != nil {
		t.Errorf("broken: %q", broken)
	}
	for _, c := range []struct {
		population, arm string
		value           float64
		broken          int
	}{{"same", "joint", 0.11, 1}, {"strangers", "joint", 0.23, 1}, {"strangers", "separate", 0.76, 1}, {"same", "shared", 0.75, 3}, {"strangers", "shared", 0.1, 3}} {
		bad := good
		bad.Rows = slices.Clone(good.Rows)
		for i, r := range bad.Rows {
			if r.Population == c.population && r.Arm == c.arm {
				bad.Rows[i].Value = c.value
			}
		}
		if broken := Broken(bad); len(broken) != c.broken || !strings.Contains(broken[0], c.arm) {
			t.Errorf("%+v breaks %d: %q", c, len(broken), broken)
		}
	}
	if n := len(Broken(Table{Checks: &Checks{Missed: 1}})); n != len(limits)+1 {
		t.Errorf("nothing breaks %d limits, want all and that of checks", n)
	}
}
