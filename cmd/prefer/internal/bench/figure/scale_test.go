package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/xslices"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		s     chart.Scale
		count int
		want  string
	}{
		{chart.Scale{Low: 0, High: 108}, 4, "0 50 100"},
		{chart.Scale{Low: -1, High: 1}, 4, "−1 −0.5 0 0.5 1"},
		{chart.Scale{Low: -1, High: 1}, 2, "−1 0 1"},
		{chart.Scale{Low: 8, High: 10}, 4, "8 8.5 9 9.5 10"},
		{chart.Scale{Low: 8, High: 10, Whole: true}, 4, "8 9 10"},
		{chart.Scale{Low: 0, High: 0.65}, 4, "0 0.2 0.4 0.6"},
		{chart.Scale{Low: 1e-3, High: 10, Log: true}, 6, "10^{−3} 10^{−2} 10^{−1} 10^{0} 10^{1}"},
		{chart.Scale{Low: 0.05, High: 30, Log: true}, 5, "10^{−1} 10^{0} 10^{1}"},
		// Too many to label: every third.
		{chart.Scale{Low: 1e-12, High: 1, Log: true}, 5, "10^{−12} 10^{−9} 10^{−6} 10^{−3} 10^{0}"},
		// Too few to read a scale from.
		{chart.Scale{Low: 0.15, High: 0.7, Log: true}, 5, "0.2 0.5"},
		{chart.Scale{Low: 0.3, High: 3, Log: true}, 5, "0.5 1 2"},
		{chart.Scale{Low: 5, High: 30, Log: true}, 5, "5 10 20"},
		{chart.Scale{Low: 1.5e-5, High: 7e-5, Log: true}, 5, "2e−05 5e−05"},
	} {
		c.s.To = 1
		ticks := ticks(c.s, 1/(float64(c.count)+0.5))
		if got := strings.Join(xslices.Map(ticks, func(k tick) string { return k.text }), " "); got != c.want {
			t.Errorf("%+v has ticks %q, want %q", c.s, got, c.want)
		}
		if !slices.IsSortedFunc(ticks, func(a, b tick) int { return int(math.Copysign(1, a.at-b.at)) }) {
			t.Errorf("%+v has ticks out of order: %v", c.s, ticks)
		}
		for _, k := range ticks {
			if k.at < -1e-6 || k.at > 1+1e-6 {
				t.Errorf("%+v has a tick at %g outside", c.s, k.at)
			}
		}
	}
}

func TestClip(t *testing.T) {
	if !slices.Equal(clip(chart.Scale{Low: 1e-4, High: 1, Log: true}, []float64{-5, 7, 0.5}), []float64{1e-4, 1, 0.5}) {
		t.Error("clip leaves the scale or moves what is on it")
	}
	if s := (chart.Scale{Low: -10, High: 10}); along(s, 0) != -10 || along(s, caseGrid-1) != 10 || along(s, caseGrid/2) != 0 {
		t.Error("along misses the ends or the middle")
	}
}
