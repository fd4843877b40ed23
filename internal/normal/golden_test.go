package normal

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"strconv"
	"testing"
)

// golden reads a file written by testdata/golden.py or testdata/golden_esn.R: one map per row, column name to value.
// Numbers too large or too small for float64 become ±Inf or 0; each test says from where on it stops comparing.
func golden(t *testing.T, name string) []map[string]float64 {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Tool, Command string
		Columns       []string
		Rows          [][]string
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if file.Tool == "" || file.Command == "" || len(file.Rows) == 0 {
		t.Fatalf("%s: no provenance or no rows", name)
	}
	rows := make([]map[string]float64, len(file.Rows))
	for i, r := range file.Rows {
		rows[i] = make(map[string]float64, len(r))
		for j, s := range r {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				t.Fatal(err)
			}
			rows[i][file.Columns[j]] = v
		}
	}
	return rows
}

// Limits. promised is what the package comment promises everywhere; a function that does better is held to sharp, some ten
// units in the last place, so that a lost digit shows before it hurts.
const (
	promised = 1e-13
	sharp    = 2.5e-15
)

// tiny is the smallest magnitude we compare relatively: below it come the subnormal numbers, with fewer digits.
const tiny = 1e-300

// worst collects the largest error a test sees and reports it, so that "go test -v" prints the error table.
type worst struct {
	t     *testing.T
	name  string
	limit float64
	err   float64
	at    []float64
	n     int
}

// check records |got − want|/scale at the arguments. NaN or an infinity in one of the two only counts as infinite error.
func (w *worst) check(got, want, scale float64, at ...float64) {
	w.t.Helper()
	w.n++
	e := math.Abs(got-want) / scale
	switch {
	case got == want:
		e = 0
	case math.IsNaN(e) || math.IsInf(got, 0):
		e = math.Inf(1)
	}
	if e > w.limit {
		w.t.Errorf("%s%v = %.17g, want %.17g (error %.2g of scale %.3g)", w.name, at, got, want, e, scale)
	}
	if e >= w.err {
		w.err, w.at = e, at
	}
}

// rel is check with the value itself as scale, skipping values below tiny.
func (w *worst) rel(got, want float64, at ...float64) {
	w.t.Helper()
	if math.Abs(want) < tiny && want != 0 {
		return
	}
	w.check(got, want, math.Abs(want), at...)
}

func (w *worst) report() {
	w.t.Helper()
	if w.n == 0 {
		w.t.Errorf("%s: nothing checked", w.name)
	}
	w.t.Logf("%-22s max error %8.2g at %v (%d values, limit %.0e)", w.name, w.err, w.at, w.n, w.limit)
}

// track opens an error record that is reported when the test ends.
func track(t *testing.T, name string, limit float64) *worst {
	w := &worst{t: t, name: name, limit: limit}
	t.Cleanup(w.report)
	return w
}
