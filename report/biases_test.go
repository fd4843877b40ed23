package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestBiases: a habit of taking one side is said of those whose choices cannot be chance.
func TestBiases(t *testing.T) {
	raters := []prefer.Rater{
		{Name: "anna", Answers: 20, Ties: 3, Skips: 1, Left: prefer.Share{Count: 14, Of: 16, Low: 0.64, High: 0.97}},
		{Name: "", Answers: 2, Left: prefer.Share{Count: 1, Of: 2, Low: 0.09, High: 0.91}},
	}
	if got, want := biases(raters), []string{"anna picks what is on the left more often than chance explains."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	raters[0].Left = prefer.Share{Count: 2, Of: 16, Low: 0.03, High: 0.36}
	if got := biases(raters); len(got) != 1 || !strings.Contains(got[0], "right") {
		t.Errorf("%q", got)
	}
}
