package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// has fails for every text that a drawing lacks.
func has(t *testing.T, drawing any, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(fmt.Sprint(drawing), text) {
			t.Errorf("no %s in %s", text, drawing)
		}
	}
}

// TestSlice: the pick is at one half, a value 1 below it for sure at Φ(−1), and one that may be anything at what is expected of it; values that
// were shown are marked.
func TestSlice(t *testing.T) {
	points := []prefer.SlicePoint{{Value: space.ValueOf(0), Below: 1}, {Value: space.ValueOf(5)}, {Value: space.ValueOf(10), Below: 2, BelowSD: math.Sqrt(3)}}
	got := Slice{Parameter: space.Float("a", 0, 10), Points: points, Best: space.ValueOf(5), Unit: "px", Label: "<a>",
		Asked: []space.Value{space.ValueOf(2.5), space.ValueOf(99)}}.HTML()
	// From 0 at 152 to 1 at 24: ½ is at 88, Φ(−1) = 0.1587 at 131.7, and Φ(−2/√(1+3)) is the same.
	has(t, got, `class="curve" d="M40 131.7L174 88L308 131.7"`, `<line class="asked" x1="107"`, `cx="174" cy="88"`, `5 px`, `>0 px</text>`, "0 px: 16% (16–16)", "10 px: 16% (0–80)", "&lt;a&gt;")
	if n := strings.Count(string(got), `class="asked"`); n != 1 {
		t.Errorf("%d values are marked, want the one within the axis", n)
	}
	hue := Slice{Parameter: space.Circle("hue", 0, 360), Points: []prefer.SlicePoint{{Value: space.ValueOf(0), Below: 1}, {Value: space.ValueOf(180)}}, Best: space.ValueOf(180),
		Paint: func(h float64) string { return fmt.Sprintf("hsl(%.1f 60%% 50%%)", h) }}.HTML()
	has(t, hue, `d="M40 131.7L174 88L308 131.7"`, `fill="hsl(2.5 60% 50%)"`, `fill="hsl(357.5 60% 50%)"`, ">270</text>")
}

// TestSliceWords: a row for each choice, clipped with its whole name as a tip; of very many those that stand best, in their order.
func TestSliceWords(t *testing.T) {
	words := []prefer.SlicePoint{{Value: space.ValueOf("a very long name of a choice"), Below: 1}, {Value: space.ValueOf("y")}}
	got := Slice{Parameter: space.Categorical("c", "a very long name of a choice", "y"), Points: words, Best: space.ValueOf("y")}.HTML()
	has(t, got, "a very long nam…<title>a very long name of a choice</title>", `class="dot best" cx="214"`) // the middle between 120 and 308
	var many []prefer.SlicePoint
	for i := range 40 {
		many = append(many, prefer.SlicePoint{Value: space.ValueOf(fmt.Sprintf("c%d", i)), Below: float64(39 - i)})
	}
	text := string(Slice{Parameter: space.Categorical("c"), Points: many, Best: space.ValueOf("c39")}.HTML())
	if n := strings.Count(text, "<circle"); n != maxChoices || strings.Contains(text, ">c23<") || strings.Index(text, ">c24<") > strings.Index(text, ">c39<") {
		t.Errorf("%d of 40 choices", n)
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v    space.Value
		want string
	}{{space.ValueOf(0.12345), "0.123"}, {space.ValueOf(3), "3"}, {space.ValueOf(237.4), "237"}, {space.ValueOf(-12.34), "−12.3"}, {space.ValueOf(math.Copysign(0, -1)), "0"},
		{space.ValueOf(2e9), "2e+09"}, {space.ValueOf("w-x"), "w-x"}, {space.ValueOf(true), "true"}} {
		if got := Number(c.v); got != c.want {
			t.Errorf("%v is written %q, want %q", c.v, got, c.want)
		}
	}
}
