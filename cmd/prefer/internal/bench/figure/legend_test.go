package figure

import "testing"

func TestLegendRows(t *testing.T) {
	l := legend{{name: "kg"}, {name: "eubo"}, {name: "logei"}, {name: "random"}, {name: "end of the initial design"}}
	for _, width := range []float64{60, 150, 300, 1000} {
		var seen []string
		for _, row := range l.rows(width) {
			used := -entryGap
			for _, e := range row {
				used += entryGap + e.width()
				seen = append(seen, e.name)
			}
			if used > width && len(row) > 1 {
				t.Errorf("a row of %d takes %.0f of %.0f", len(row), used, width)
			}
		}
		if len(seen) != len(l) || seen[0] != "kg" || seen[4] != l[4].name {
			t.Errorf("in %.0f points the legend is %q", width, seen)
		}
	}
	if n := len(l.rows(1000)); n != 1 {
		t.Errorf("with room for all there are %d rows", n)
	}
}
