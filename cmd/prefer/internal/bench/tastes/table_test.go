package tastes

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// made are studies of two variants on n tastes: the gaps of "b" are 0.1 below those of "a", which vary by much more; range 2.
func made(n int) []Study {
	rng := rand.New(rand.NewPCG(1, 1))
	var out []Study
	for i := range n {
		gap := 1 + rng.Float64()
		for _, setup := range []string{"a", "b"} {
			s := Study{taste: taste{0, "x", i}, Shape: "box", Kind: "smooth", Family: "linear", Dim: 1 + i%3, Rater: "exact", Setup: setup, Method: "kg",
				Range: 2, Sigma: 1, Picks: []Pick{{5, gap}}, CPU: 0.5}
			if i%2 == 1 {
				s.Kind, s.Family = "rugged", "hills"
			}
			if setup == "b" {
				s.Picks[0].Gap -= 0.1
			}
			out = append(out, s)
		}
	}
	return out
}

func TestTable(t *testing.T) {
	studies := made(30)
	table, err := NewTable(studies, []int{5, 10}, "")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]Row{}
	for _, r := range table.Rows {
		if r.Measure == "share missed" {
			rows[r.Group+" "+r.Series+" "+r.Versus] = r
		}
	}
	mean, n := 0.0, 0
	for _, s := range studies {
		if s.Setup == "a" && s.Kind == "rugged" {
			mean += s.Picks[0].Gap / 2
			n++
		}
	}
	if r := rows["rugged a/kg "]; r.Tastes != n || math.Abs(r.Values[0].Value-mean/float64(n)) > 1e-12 || r.Values[1] != nil {
		t.Errorf("%+v, want %g of %d", r, mean/float64(n), n)
	}
	if r := rows["all a/kg "]; r.Tastes != 30 || !(r.Values[0].Upper-r.Values[0].Lower > 0.05) {
		t.Errorf("%+v: the tastes vary", r)
	}
	for _, group := range []string{"all", "smooth", "rugged", "1 to 2 parts", "3 to 4 parts", "linear", "hills"} {
		r, ok := rows[group+" b/kg a/kg"]
		if !ok || math.Abs(r.Values[0].Value+0.05) > 1e-12 || math.Abs(r.Values[0].Upper-r.Values[0].Lower) > 1e-12 {
			t.Errorf("%s: the difference is %+v, want −0.05 at every taste", group, r)
		}
	}
	if _, ok := rows["box a/kg "]; ok {
		t.Error("there is one shape: a row for it says nothing new")
	}
	if want := []float64{0.1, 0.1}; !reflect.DeepEqual(table.Seconds, want) {
		t.Errorf("seconds per answer %v, want %v", table.Seconds, want)
	}
	if _, err := NewTable(studies, []int{5}, "c/kg"); err == nil || !strings.Contains(err.Error(), "c/kg") {
		t.Errorf("a baseline nobody knows: %v", err)
	}
	slices.Reverse(studies)
	if other, err := NewTable(studies, []int{5, 10}, "a/kg"); err != nil || !reflect.DeepEqual(values(other), values(table)) {
		t.Errorf("the table depends on the order of the studies: %v", err)
	}
	var b bytes.Buffer
	if err := table.Write(&b); err != nil || !strings.Contains(b.String(), "| all | 30 | b/kg | **-0.050** [-0.050, -0.050] | – |") ||
		!strings.Contains(b.String(), "| share missed | exact | all | 30 | b/kg | **-0.050**") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// values returns the numbers of a table by what they are about.
func values(t Table) map[[4]string]float64 {
	out := map[[4]string]float64{}
	for _, r := range t.Rows {
		v := *r.Values[0]
		out[[4]string{r.Measure, r.Group, r.Series, r.Versus}] = v.Value + 3*v.Lower + 7*v.Upper
	}
	return out
}
