package view

import (
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// TestRater: numbers have their shares and intervals, and what is not known is a dash.
func TestRater(t *testing.T) {
	a := NewRater(prefer.Rater{Name: "anna", Answers: 20, Ties: 3, Skips: 1, Left: prefer.Share{Count: 14, Of: 16, Low: 0.64, High: 0.97}, Agreed: prefer.Share{Count: 3, Of: 4, Low: 0.3, High: 0.95},
		Noise: 0.8, MedianResponse: 2300 * time.Millisecond}, "anna", "known answers: 3 of 4 right, 4 due")
	if a.Ties != "3 (15%)" || a.BothBad != "0" || a.Skips != "1 (5%)" || a.Response != "2.3 s" || a.Noise != "0.80" || a.Agreed != "3 of 4, 75% [30, 95]" || a.Checks != "known answers: 3 of 4 right, 4 due" {
		t.Errorf("%+v", a)
	}
	b := NewRater(prefer.Rater{Answers: 2, Left: prefer.Share{Count: 1, Of: 2, Low: 0.09, High: 0.91}}, "the rater", "–")
	if b.Noise != "–" || b.Checks != "–" || b.Agreed != "–" || b.AgreedChart != "" || b.Weight != "–" || !strings.Contains(string(b.LeftChart), "Left option chosen by the rater: 50%, 95% interval 9% to 91%") {
		t.Errorf("%+v", b)
	}
}
