package chart

import "testing"

func TestFormula(t *testing.T) {
	for text, want := range map[string]string{
		"":               "",
		"a < b & c":      "a &lt; b &amp; c",
		"10^{−2}":        `10<tspan font-size="72%" dy="-.53em">−2</tspan>`,
		"~{x}_{1}!":      `<tspan font-style="italic">x</tspan><tspan font-size="72%" dy=".22em">1</tspan><tspan dy="-.16em">!</tspan>`,
		"snake_case ~ ^": "snake_case ~ ^",                           // no braces: no marks
		"a_b ~{x}":       `a_b <tspan font-style="italic">x</tspan>`, // a mark after something that is none
		"x_{1}~{y}":      `x<tspan font-size="72%" dy=".22em">1</tspan><tspan font-style="italic" dy="-.16em">y</tspan>`,
		"open_{1":        "open_{1",
	} {
		if got := formula(text); got != want {
			t.Errorf("formula(%q) = %s, want %s", text, got, want)
		}
	}
}
