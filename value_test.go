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

// TestGetters: a value says what it is and nothing it is not, and so does an option, also of a name it has not.
func TestGetters(t *testing.T) {
	o := Option{"number": ValueOf(2.6), "whole": ValueOf(-3), "word": ValueOf("true"), "yes": ValueOf(true), "no": ValueOf(false)}
	for name, want := range map[string]struct {
		i int
		w string
		b bool
	}{
		"number": {3, "", false}, "whole": {-3, "", false}, "word": {0, "true", false}, "yes": {0, "", true}, "no": {0, "", false}, "none": {0, "", false},
	} {
		v := o[name]
		if v.Int() != want.i || v.Word() != want.w || v.Bool() != want.b {
			t.Errorf("%s: %d %q %t, want %d %q %t", name, v.Int(), v.Word(), v.Bool(), want.i, want.w, want.b)
		}
		if o.Int(name) != want.i || o.Word(name) != want.w || o.Bool(name) != want.b {
			t.Errorf("option, %s: %d %q %t, want %d %q %t", name, o.Int(name), o.Word(name), o.Bool(name), want.i, want.w, want.b)
		}
	}
	if o.Float("number") != 2.6 || !math.IsNaN(o.Float("word")) || !math.IsNaN(o.Float("none")) {
		t.Errorf("%g, %g and %g, want 2.6 and twice none", o.Float("number"), o.Float("word"), o.Float("none"))
	}
}
