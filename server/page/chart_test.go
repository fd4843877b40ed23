package page

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

func TestSliceChart(t *testing.T) {
	points := []prefer.SlicePoint{{Value: prefer.ValueOf(0), Mean: 0, SD: 1}, {Value: prefer.ValueOf(5), Mean: 2, SD: 0}, {Value: prefer.ValueOf(10), Mean: 1, SD: 1}}
	got := string(SliceChart(prefer.Float("a<b", 0, 10), points, prefer.ValueOf(5.2)))
	if err := wellFormed(got); err != nil {
		t.Fatal(err)
	}
	// From −1 to 2 over 150 − 24 − 2·14 = 98 pixels below 14: u = 2 is at 14, u = 0 at 14 + 98·2/3.
	for _, want := range []string{`d="M14 79.3L160 14L306 46.7"`, `cx="160" cy="14"`, "best at 5.2, least at 0", "a&lt;b"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	words := []prefer.SlicePoint{{Value: prefer.ValueOf(`<x>`), Mean: 0, SD: 1}, {Value: prefer.ValueOf("y"), Mean: 1, SD: 1}}
	got = string(SliceChart(prefer.Categorical("c", "<x>", "y"), words, prefer.ValueOf("y")))
	if err := wellFormed(got); err != nil {
		t.Fatal(err)
	}
	if strings.Count(got, `class="dot`) != 2 || strings.Count(got, `class="dot pick"`) != 1 {
		t.Errorf("want two dots, one of them the pick: %s", got)
	}
	flat := string(SliceChart(prefer.Float("x", 0, 1), []prefer.SlicePoint{{}, {Value: prefer.ValueOf(1)}}, prefer.ValueOf(0)))
	if strings.Contains(flat, "NaN") || strings.Contains(flat, "Inf") {
		t.Errorf("nothing known: %s", flat)
	}
}

func TestMapChart(t *testing.T) {
	row := func(values ...float64) (out []*float64) {
		for i := range values {
			out = append(out, &values[i])
		}
		return out
	}
	ends := []prefer.Value{prefer.ValueOf(0), prefer.ValueOf(1)}
	m := live.UtilityMap{X: ends, Y: ends, Mean: [][]*float64{row(0, 1), {row(2)[0], nil}}, SD: [][]*float64{row(0, 0), {row(1)[0], nil}},
		Best: prefer.Option{"x & y": prefer.ValueOf(0.2), "z": prefer.ValueOf(1)}}
	got := string(MapChart(m, "x & y", "z"))
	if err := wellFormed(got); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got, `<rect class="u`); n != 3 {
		t.Errorf("%d cells, want 3: no option is where a cell is not a number", n)
	}
	for _, want := range []string{
		`class="u0" x="10" y="164" width="140" height="140" fill-opacity="1.000"`, // the low end of both
		`class="u9" x="10" y="24" width="140" height="140" fill-opacity="0.450"`,  // liked most, known least
		`class="ring" cx="80" cy="94"`,                                            // the pick
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v    prefer.Value
		want string
	}{{prefer.ValueOf(0.12345), "0.123"}, {prefer.ValueOf(3), "3"}, {prefer.ValueOf(237.4), "237"}, {prefer.ValueOf(-12.34), "-12.3"},
		{prefer.ValueOf(2e9), "2e+09"}, {prefer.ValueOf("w"), "w"}, {prefer.ValueOf(true), "true"}} {
		if got := Number(c.v); got != c.want {
			t.Errorf("%v is written %q, want %q", c.v, got, c.want)
		}
	}
}
