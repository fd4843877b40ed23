package chart

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

func grid(rows ...[]float64) (out [][]*float64) {
	for _, row := range rows {
		var line []*float64
		for i := range row {
			line = append(line, &row[i])
		}
		out = append(out, line)
	}
	return out
}

// TestUtility: a landscape is cut where the heights pass a level; what has holes, or words, is drawn in cells.
func TestUtility(t *testing.T) {
	ends := []space.Value{space.ValueOf(0), space.ValueOf(1)}
	u := Utility{X: space.Float("x & y", 0, 1), Y: space.Float("z", 0, 1), Across: ends, Up: ends, Below: grid([]float64{9, 0}, []float64{9, 0}), BelowSD: grid([]float64{0, 0}, []float64{0, 0}),
		Best: [2]space.Value{ends[1], ends[0]}, Asked: [][2]space.Value{{ends[0], ends[0]}, {space.ValueOf(7), ends[0]}}, UnitX: "s"}
	got := string(u.HTML())
	// The height goes from 0 at the left, 58, to 1 at the right, 430: level 0.5 is passed in the middle, 244.
	has(t, got, `<path class="u5" d="M244 328L430 328L430 40L244 40Z"/>`, `class="here" cx="430" cy="328"`, "x &amp; y →", "0 s<", `class="asked" cx="58" cy="328"`, "0 s · 0: 0% (0–0)")
	if n := strings.Count(got, `class="asked"`); n != 1 {
		t.Errorf("%d settings are marked, want the one within", n)
	}
	u.Below[1][0] = nil
	got = string(u.HTML())
	if n := strings.Count(got, `<rect class="u`); n != 3 {
		t.Errorf("%d cells, want 3: no option is where a cell is nil", n)
	}
	has(t, got, `<rect class="u0" x="58" y="184"`, `<rect class="u9" x="244" y="40"`)
	u.Below = grid([]float64{0, 0}, []float64{0, 0})
	words := []space.Value{space.ValueOf("night"), space.ValueOf("day")}
	u.X, u.Across, u.Best[0] = space.Categorical("time", "night", "day"), words, words[0]
	has(t, u.HTML(), `class="here" cx="151" cy="328"`, ">night</text>", `<rect class="u9"`)
}

// TestUtilityCircle: a circle ends where it began.
func TestUtilityCircle(t *testing.T) {
	two := []space.Value{space.ValueOf(0), space.ValueOf(180)}
	u := Utility{X: space.Circle("hue", 0, 360), Y: space.Circle("turn", 0, 360), Across: two, Up: two, Below: grid([]float64{0, 9}, []float64{0, 9}), BelowSD: grid([]float64{0, 0}, []float64{0, 0}), Best: [2]space.Value{two[0], two[0]}}
	has(t, u.HTML(), `M337 328L430 328L430 184L337 184Z`, `M337 184L430 184L430 40L337 40Z`) // half way from 180 to 360, in both rows
	if len(u.Across) != 2 || len(u.Below[0]) != 2 {
		t.Error("drawing changed what was drawn")
	}
}
