package page

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlanChart: the drawing is to scale, and what was not reached goes to the edge and has no dot.
func TestPlanChart(t *testing.T) {
	svg := string(PlanChart([]PlanLevel{{Label: "Careful <b>", Quantiles: [5]int{10, 20, 30, 40, 0}}, {Label: "Careless", Quantiles: [5]int{40, 0, 0, 0, 0}}}, 40))
	for _, want := range []string{
		`x1="87" y1="34" x2="306"`,  // 10 of 40 on 14 … 306, to the edge
		`x1="160" y1="34" x2="306"`, // 20 to 40
		`cx="233" cy="34"`,          // 30
		`Careful &lt;b&gt;: half of them after 30, nine in ten after more than 40. Careless: half of them after more than 40, nine in ten after more than 40.`,
		`>0</text>`, `>10</text>`, `>40</text>`, `>half after 30</text>`, `>half after more than 40</text>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if dots, boxes, lines := strings.Count(svg, "<circle"), strings.Count(svg, `"box"`), strings.Count(svg, `"whisker"`); dots != 1 || boxes != 1 || lines != 2 {
		t.Errorf("%d dots, %d bars, %d lines, want 1, 1 and 2", dots, boxes, lines)
	}
	for most, want := range map[int]int{1: 1, 6: 1, 7: 2, 12: 2, 30: 5, 40: 10, 60: 10, 300: 50} {
		axis := string(PlanChart([]PlanLevel{{}}, most))
		if marks := strings.Count(axis, `"middle"`) - 2; marks != most/want || !strings.Contains(axis, fmt.Sprintf(">%d</text>", want)) {
			t.Errorf("an axis of %d questions has %d marks beyond 0, want one every %d", most, marks, want)
		}
	}
	if PlanChart(nil, 40) != "" || PlanChart([]PlanLevel{{}}, 0) != "" {
		t.Error("nothing is drawn as something")
	}
}
