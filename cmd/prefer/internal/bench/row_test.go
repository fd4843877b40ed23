package bench

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadRows(t *testing.T) {
	const whole = `{"problem":"branin2","method":"kg","setup":"paper","noise":0.1,"seed":3,"iter":1,"answers":9,"gap":0}`
	bare := Row{Problem: "levy6", Method: "kg", Setup: "theirs", Gap: 2.5}
	first := Row{Problem: "branin2", Method: "kg", Setup: "paper", Noise: 0.1, Seed: 3, Iter: 1, Answers: 9}
	for _, c := range []struct {
		name, text string
		want       []Row
		fault      string
	}{
		{"empty", "", nil, ""},
		{"one, and an empty line", whole + "\n\n", []Row{first}, ""},
		{"a row of another stack", whole + "\n" + `{"problem":"levy6","method":"kg","gap":2.5,"unknown":1}` + "\n", []Row{first, bare}, ""},
		{"no newline at the end", whole, []Row{first}, ""},
		{"torn at the end", whole + "\n" + whole[:40], []Row{first}, ""},
		{"torn in the middle", whole[:40] + "\n" + whole + "\n", nil, "theirs line 1"},
		{"no gap", `{"problem":"levy6","method":"kg"}` + "\n", nil, "line 1: a row needs at least problem, method and gap"},
		{"gap of null", whole + "\n" + `{"problem":"levy6","method":"kg","gap":null}` + "\n", []Row{first}, "line 2"},
		{"no problem", `{"method":"kg","gap":1}` + "\n", nil, "line 1"},
		{"no method", `{"problem":"levy6","gap":1}` + "\n", nil, "line 1"},
		{"gap of text", `{"problem":"levy6","method":"kg","gap":"1"}` + "\n", nil, "line 1"},
	} {
		var got []Row
		err := ReadRows(strings.NewReader(c.text), "theirs", func(r Row) error { got = append(got, r); return nil })
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if (err != nil) != (c.fault != "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.fault)
		}
	}
}
