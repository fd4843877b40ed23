package experiments

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
)

func TestParseSeries(t *testing.T) {
	for text, want := range map[string][]compare.Series{
		"":                   nil,
		"default/kg":         {{Setup: "default", Method: "kg"}},
		"paper/kg, paper/ei": {{Setup: "paper", Method: "kg"}, {Setup: "paper", Method: "ei"}},
		"results/a/kg":       {{Setup: "results/a", Method: "kg"}},
		"default lengthscale=gamma(3,6) outputscale=lognormal(2.3,2)/kg,paper/kg": {
			{Setup: "default lengthscale=gamma(3,6) outputscale=lognormal(2.3,2)", Method: "kg"}, {Setup: "paper", Method: "kg"},
		},
	} {
		got, err := parseSeries(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	for _, text := range []string{"kg", "/kg", "paper/", "paper/kg,eubo"} {
		if got, err := parseSeries(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
