package exchange

import (
	"strings"
	"testing"
)

func TestValues(t *testing.T) {
	for cells, want := range map[string]string{
		"1 2.5 -3e2":      "number",
		"1 nan":           "word",
		"1 inf":           "word",
		"0x10 1":          "word",
		"1_000 1":         "word",
		"1e999 1":         "word",
		"1-2 1":           "word",
		"e 1":             "word",
		"true FALSE True": "true/false",
		"true 1":          "word",
		"a b":             "word",
	} {
		in := strings.Fields(cells)
		for i, v := range values(in) {
			if kindOf(v) != want {
				t.Errorf("%q in %q is a %s, want a %s", in[i], cells, kindOf(v), want)
			}
			if want == "word" && v.String() != in[i] {
				t.Errorf("%q became %q", in[i], v)
			}
		}
	}
}
