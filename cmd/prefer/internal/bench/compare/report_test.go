package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNew(t *testing.T) {
	titles := func(o Options) []string {
		d, err := New(small(t), o)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, s := range d.Sections {
			out = append(out, s.Title)
		}
		return out
	}
	want := []string{
		"Curves", "Gap by answers in all, initial pairs included", "Gap by questions after the initial pairs",
		"Share missed", "Against the best of eubo, botorch; kg, botorch", "Comparisons with kg, default", "Seconds per question",
	}
	if diff := cmp.Diff(want, titles(Options{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(slices.Concat(want[:1], want[2:3], want[4:]), titles(Options{Answers: []int{}})); diff != "" {
		t.Error(diff)
	}
	// What has nothing to show is left out: one series alone, of a stack without seconds.
	if diff := cmp.Diff(want[:4], titles(Options{Series: []Series{theirs}, Baseline: []Series{}})); diff != "" {
		t.Error(diff)
	}
}

func TestNewUnknownSeries(t *testing.T) {
	typo := Series{"default", "gk"}
	for _, o := range []Options{{Ours: typo}, {Series: []Series{ours, typo}}, {Baseline: []Series{typo}}} {
		if _, err := New(small(t), o); err == nil || !strings.Contains(err.Error(), "gk, default") {
			t.Errorf("%+v: %v, want an error that names the series", o, err)
		}
	}
}

func TestList(t *testing.T) {
	for want, series := range map[string][]Series{dash: nil, "kg, botorch": {theirs}, "kg, botorch; kg, default": {theirs, ours}} {
		if got := list(series); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
