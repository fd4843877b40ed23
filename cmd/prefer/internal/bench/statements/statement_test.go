package statements

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

func TestStudiesSurviveJSON(t *testing.T) {
	want := []Study{
		{Taste: 3, Space: "2m", Family: "linear", Smooth: true, Rater: "ties", Answers: 40, Ended: 12, Ending: "clear_winner",
			Statements: []Statement{{Kind: "forecast", Answers: 10, Mark: 10, Said: 0.75, Held: 0.5, Bits: 1.1}}},
		{Taste: 4, Space: "plain", Family: "own", Rater: "exact"},
	}
	var b strings.Builder
	for _, s := range want {
		if err := json.NewEncoder(&b).Encode(s); err != nil {
			t.Fatal(err)
		}
	}
	any := func(Study) error { return nil }
	got, err := bench.ReadChecked(strings.NewReader(b.String()), any)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := bench.ReadChecked(strings.NewReader(b.String()+"{"), any); err == nil || !strings.Contains(err.Error(), "study 3") {
		t.Errorf("half a study: %v", err)
	}
}
