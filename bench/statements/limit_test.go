package statements

import (
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	studies := []Study{{Smooth: true, Rater: "exact", Statements: []Statement{
		{Kind: "k", Mark: 10, Said: 0.9, Held: 1, Bits: 0.4}, {Kind: "k", Mark: 20, Said: 0.9, Held: 0, Bits: 0.8}}}}
	for _, c := range []struct {
		l    Limit
		want string // part of the error, empty for none
	}{
		{Limit{Kind: "k", Held: [2]float64{0.5, 1}, Over: 0.4, Bits: 0.61}, ""},
		{Limit{Kind: "k", Held: [2]float64{0.6, 1}}, "true 0.500"},
		{Limit{Kind: "k", Mark: 10, Held: [2]float64{0, 0.5}}, "true 1.000"},
		{Limit{Kind: "k", Mark: 20, Held: [2]float64{0, 1}, Over: 0.5}, "said more than was true by 0.900"},
		{Limit{Kind: "k", Held: [2]float64{0, 1}, Bits: 0.5}, "bits 0.600"},
		{Limit{Kind: "other"}, "0 statements"},
		{Limit{Kind: "k", Family: "rugged"}, "0 statements"},
		{Limit{Kind: "k", Raters: []string{"ordinary"}}, "0 statements"},
	} {
		err := c.l.Check(studies)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.l, err, c.want)
		}
	}
}
