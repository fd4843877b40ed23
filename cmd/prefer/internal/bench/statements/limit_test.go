package statements

import (
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	studies := []Study{{Smooth: true, Rater: "exact", Statements: []Statement{
		{Kind: "k", Mark: 10, Said: 0.9, Held: 1, Bits: 0.4}, {Kind: "k", Mark: 20, Said: 0.9, Held: 0, Bits: 0.8}}}}
	k := []string{"k", "other"}
	for _, c := range []struct {
		l    Limit
		want string // part of the error, empty for none
	}{
		{Limit{Kinds: k, Held: 0.5, Over: 0.4, Bits: 0.61}, ""},
		{Limit{Kinds: k, Held: 0.6}, "true 0.500"},
		{Limit{Kinds: k, Mark: 20, Over: 0.5}, "said more than was true by 0.900"},
		{Limit{Kinds: k, Bits: 0.5}, "bits 0.600"},
		{Limit{Kinds: []string{"other"}}, "0 statements"},
		{Limit{Kinds: k, Spaces: []string{"2"}}, "2: said 0.000"},
		{Limit{Kinds: k, Raters: []string{"ordinary"}}, "0 statements"},
		{Limit{Kinds: k, Raters: []string{"ordinary"}, Never: true}, ""},
		{Limit{Kinds: k, Mark: 10, Never: true}, "after 10 answers: never, but said 1.000"},
	} {
		err := c.l.Check(studies)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.l, err, c.want)
		}
	}
}
