package prefer

import (
	"encoding/json"
	"math"
	"testing"
)

func TestValue(t *testing.T) {
	for _, c := range []struct {
		value Value
		text  string
		json  string
		float float64
	}{
		{Value{}, "0", "0", 0},
		{ValueOf(0.1), "0.1", "0.1", 0.1},
		{ValueOf(-1e-300), "-1e-300", "-1e-300", -1e-300},
		{ValueOf(1e21), "1e+21", "1e+21", 1e21},
		{ValueOf("serif"), "serif", `"serif"`, math.NaN()},
		{ValueOf("1"), "1", `"1"`, math.NaN()},
		{ValueOf(""), "", `""`, math.NaN()},
		{ValueOf(true), "true", "true", math.NaN()},
		{ValueOf(false), "false", "false", math.NaN()},
	} {
		if got := c.value.String(); got != c.text {
			t.Errorf("%#v reads %q, want %q", c.value, got, c.text)
		}
		data, err := json.Marshal(c.value)
		if err != nil || string(data) != c.json {
			t.Errorf("%#v is %s in JSON (%v), want %s", c.value, data, err, c.json)
		}
		var back Value
		if err := json.Unmarshal(data, &back); err != nil || back != c.value {
			t.Errorf("%s reads back as %#v (%v), want %#v", data, back, err, c.value)
		}
		got := c.value.Float()
		if got != c.float && !(math.IsNaN(got) && math.IsNaN(c.float)) {
			t.Errorf("%#v is the number %g, want %g", c.value, got, c.float)
		}
		if !math.IsNaN(c.value.Float()) != !math.IsNaN(c.float) {
			t.Errorf("%#v: IsNumber = %t", c.value, !math.IsNaN(c.value.Float()))
		}
	}
}

// TestValueRefuses: null, lists and objects are no values, and what was there before stays.
func TestValueRefuses(t *testing.T) {
	for _, text := range []string{"null", "[1]", `{"a":1}`, "1e999", "x"} {
		v := ValueOf(7)
		if err := v.UnmarshalJSON([]byte(text)); err == nil || v != ValueOf(7) {
			t.Errorf("%s was read as %#v (%v)", text, v, err)
		}
	}
}
