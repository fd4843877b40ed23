package chart

import (
	"fmt"
	"html/template"
	"strings"
	"testing"
)

// TestAgreementUnknown: nothing is drawn of two of whom nothing is known, and no table where that is so of all.
func TestAgreementUnknown(t *testing.T) {
	at := func(a, b, c float64) [][]float64 { return [][]float64{{1, a, b}, {a, 1, c}, {b, c, 1}} }
	a := Agreement{Names: []string{"a", "b", "c"}, Mean: at(0.4, 0.4, 0), Low: at(-0.3, 0.1, -0.2), High: at(0.9, 0.9, 0.2)}
	if html := string(a.HTML()); strings.Count(html, "<circle") != 4 || !strings.Contains(html, `title="a · b: 0.4 (−0.3 … 0.9)"></td>`) {
		t.Error(html)
	}
	a.Low, a.High = at(-0.3, -0.3, -0.3), at(0.9, 0.9, 0.9)
	if html := a.HTML(); html != "" {
		t.Error(html)
	}
}

// TestAgreement: a head with name and picture and a disc for each two, as large as they agree and as full as that is sure; nobody is beside themselves.
func TestAgreement(t *testing.T) {
	square := func(own, other float64) [][]float64 { return [][]float64{{own, other}, {other, own}} }
	a := Agreement{Names: []string{"A<b>", "Ben"}, Pictures: []template.HTML{`<img alt="">`}, Mean: square(1, -0.5), Low: square(1, -0.8), High: square(1, -0.2), Label: "How far"}
	got := string(a.HTML())
	has(t, got, `title="A&lt;b&gt; · Ben: −0.5 (−0.8 … −0.2)"`, `<circle class="against" cx="22" cy="22" r="14" fill-opacity="0.20"/>`, `aria-label="How far"`)
	if n, m := strings.Count(got, "<img"), strings.Count(got, "disc"); n != 2 || m != 2 || strings.Contains(got, "<b>") {
		t.Errorf("%d pictures and %d discs in %s", n, m, got)
	}
	a.Mean, a.Low = square(1, 0.04), square(1, -0.3)
	has(t, a.HTML(), `class="with" cx="22" cy="22" r="7.6" fill-opacity="0.14"`, ">0.0</text>")
	for r, want := range map[float64]string{0.449: "0.4", -0.04: "0.0", -1: "−1.0"} {
		if got := correlation(r); got != want {
			t.Error(fmt.Sprint(r), got, want)
		}
	}
}
