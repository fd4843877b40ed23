package figure

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

func TestCaseStudyDraw(t *testing.T) {
	c := newCaseStudy(t, prefer.Config{})
	svg, texts := render(t, c.Draw())
	for _, want := range []string{
		"Utility", "EUBO", "KG", "8 initial questions",
		"gap " + gapText(c.Runs[0].Gap) + ", paper 0.0182", "gap " + gapText(c.Runs[1].Gap) + ", paper 0.0191",
	} {
		if count(texts, want) != 1 {
			t.Errorf("%q is written %d times, want once, in the first row", want, count(texts, want))
		}
	}
	if n := strings.Count(svg, "<image "); n != 6 {
		t.Errorf("%d surfaces, want 6", n)
	}
	if n := strings.Count(svg, "fill:#f0e442"); n < 3 {
		t.Errorf("%d stars, want one per run and one in the legend", n)
	}
}

func TestGapText(t *testing.T) {
	for v, want := range map[float64]string{0.0182: "0.0182", 0: "0.0000", 1.5: "1.5000", 7.03e-5: "7e−05", -1e-13: "−1e−13", 2e-4: "0.0002"} {
		if got := gapText(v); got != want {
			t.Errorf("gapText(%g) = %q, want %q", v, got, want)
		}
	}
}

func TestShades(t *testing.T) {
	for name, c := range methods {
		early, late := shades(c)
		sum := func(r, g, b uint8) int { return int(r) + int(g) + int(b) }
		if sum(early.R, early.G, early.B) <= sum(late.R, late.G, late.B) {
			t.Errorf("later questions of %s are not darker", name)
		}
	}
}
