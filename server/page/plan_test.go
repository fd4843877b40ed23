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
		`>10</text>`, `>40</text>`, `>half after 30</text>`, `>half after more than 40</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if dots, boxes, lines := strings.Count(svg, "<circle"), strings.Count(svg, `"box"`), strings.Count(svg, `"whisker"`); dots != 1 || boxes != 1 || lines != 2 {
		t.Errorf("%d dots, %d bars, %d lines, want 1, 1 and 2", dots, boxes, lines)
	}
	if PlanChart(nil, 40) != "" || PlanChart([]PlanLevel{{}}, 0) != "" {
		t.Error("nothing is drawn as something")
	}
}
