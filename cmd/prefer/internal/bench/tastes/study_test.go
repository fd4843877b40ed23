package tastes

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

func TestMeasures(t *testing.T) {
	s, missed, chance := Study{Range: 4, Sigma: 0.5}, measures[0].of, measures[1].of
	for _, c := range []struct{ gap, missed, chance float64 }{{0, 0, 0.5}, {1, 0.25, 0.977249868}, {0.5, 0.125, 0.841344746}, {4, 1, 1}, {6, 1.5, 1}} {
		if got := missed(s, c.gap); got != c.missed {
			t.Errorf("a gap of %g misses %g, want %g", c.gap, got, c.missed)
		}
		if got := chance(s, c.gap); math.Abs(got-c.chance) > 1e-9 {
			t.Errorf("a gap of %g: the best is taken with probability %.9f, want %.9f", c.gap, got, c.chance)
		}
	}
	if s := (Study{}); missed(s, 0) != 0 || chance(s, 0) != 0.5 {
		t.Errorf("where all options are alike: %g, %g", missed(s, 0), chance(s, 0))
	}
}

func TestStudiesSurviveJSON(t *testing.T) {
	want := []Study{{taste: taste{3, "box, smooth, 2", 7}, Shape: "box", Kind: "smooth", Family: "linear", Dim: 2, Rater: "exact", Setup: "default", Method: "kg",
		Range: 1.5, Sigma: 0.25, Picks: []Pick{{5, 0.125}, {10, 0}}, CPU: 0.5}}
	line, err := json.Marshal(want[0])
	if err != nil {
		t.Fatal(err)
	}
	got, err := bench.ReadChecked(strings.NewReader(string(line)+"\n"), Study.Check)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{string(line) + "{", `{"rater":"exact"}`} {
		if _, err := bench.ReadChecked(strings.NewReader(bad), Study.Check); err == nil || !strings.Contains(err.Error(), "study ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
