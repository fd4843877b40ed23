package exchange

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestRecords: cells keep their types in JSON, columns their order, and nothing is an empty cell or null.
func TestRecords(t *testing.T) {
	r := newRecords([]space.Value{space.ValueOf(0.1), space.ValueOf("a, b"), space.ValueOf(true)}, func(v space.Value) (row record) {
		row.add("z", true, v)
		row.add("a", !math.IsNaN(v.Float()), 1.0/3)
		row.add("n", true, 7)
		return row
	})
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	const want = "z,a,n\r\n0.1,0.3333333333333333,7\r\n\"a, b\",,7\r\ntrue,,7\r\n"
	if text.String() != want {
		t.Errorf("wrote %q, want %q", text.String(), want)
	}
	body, err := json.Marshal(r)
	const object = `[{"z":0.1,"a":0.3333333333333333,"n":7},{"z":"a, b","a":null,"n":7},{"z":true,"a":null,"n":7}]`
	if err != nil || string(body) != object {
		t.Errorf("%s, %v, want %s", body, err, object)
	}
	none, err := json.Marshal(newRecords[int](nil, func(int) (row record) { row.add("x", true, 1); return row }))
	if err != nil || string(none) != "[]" {
		t.Errorf("of nothing %s, %v", none, err)
	}
}
