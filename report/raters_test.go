package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

func TestAnswerers(t *testing.T) {
	raters := []prefer.Rater{
		{Name: "anna", Answers: 20, Ties: 3, Skips: 1, Left: prefer.Share{Count: 14, Of: 16, Low: 0.64, High: 0.97}, Agreed: prefer.Share{Count: 3, Of: 4, Low: 0.3, High: 0.95},
			Noise: 0.8, MedianResponse: 2300 * time.Millisecond},
		{Name: "", Answers: 2, Left: prefer.Share{Count: 1, Of: 2, Low: 0.09, High: 0.91}},
	}
	list := raterLines(raters, map[string]string{"anna": "known answers: 3 of 4 right, 4 due"})
	if a := list[0]; a.Ties != "3 (15 %)" || a.BothBad != "0" || a.Skips != "1 (5 %)" || a.Response != "2.3 s" || a.Noise != "0.80" || a.Agreed != "3 of 4, 75 % [30, 95]" || a.Checks != "known answers: 3 of 4 right, 4 due" {
		t.Errorf("%+v", a)
	}
	if b := list[1]; b.Noise != "–" || b.Checks != "–" || b.Agreed != "–" || b.AgreedChart != "" || !strings.Contains(string(b.LeftChart), "Left picked by the rater: 50 %, 95 % interval 9 % to 91 %") {
		t.Errorf("%+v", b)
	}
	if got, want := biases(raters), []string{"anna picks what is on the left more often than chance explains."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	raters[0].Left = prefer.Share{Count: 2, Of: 16, Low: 0.03, High: 0.36}
	if got := biases(raters); len(got) != 1 || !strings.Contains(got[0], "right") {
		t.Errorf("%q", got)
	}
}
