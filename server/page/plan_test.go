package page

import (
	"strings"
	"testing"
)

// TestPlanChart: the drawing is to scale, and what was not reached goes to the edge and has no dot.
func TestPlanChart(t *testing.T) {
	svg := string(PlanChart([]PlanLevel{{"Careful <b>", [5]int{10, 20, 30, 40, 0}}, {"Careless", [5]int{40, 0, 0, 0, 0}}}, 40))
	for _, want := range []string{
		`x1="87.0" x2="306.0" y1="34"`,  // 10 of 40 on 14 … 306, to the edge
		`x1="160.0" x2="306.0" y1="34"`, // 20 to 40
		`cx="233.0" cy="34"`,            // 30
		`Careful &lt;b&gt;: half of them after 30, nine in ten after more than 40. Careless: half of them after more than 40, nine in ten after more than 40.`,
		`>10</text>`, `>40</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if n := strings.Count(svg, "<circle"); n != 1 {
		t.Errorf("%d dots, want 1", n)
	}
	if PlanChart(nil, 40) != "" || PlanChart([]PlanLevel{{}}, 0) != "" {
		t.Error("nothing is drawn as something")
	}
}
