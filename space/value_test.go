package space

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

// TestGetters: a value says what it is, and so does an option, also of a name it has not.
func TestGetters(t *testing.T) {
	o := Option{"number": ValueOf(2.6), "whole": ValueOf(-3), "word": ValueOf("true"), "yes": ValueOf(true), "no": ValueOf(false)}
	for name, want := range map[string]any{"number": 2.6, "whole": -3.0, "word": "true", "yes": true, "no": false, "none": 0.0} {
		if got := o[name].Any(); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if o.Float("number") != 2.6 || o.Int("number") != 3 || o.Int("whole") != -3 || o.Word("word") != "true" || !o.Bool("yes") || o.Bool("no") {
		t.Errorf("%v is read as %g, %d, %d, %q, %t and %t", o, o.Float("number"), o.Int("number"), o.Int("whole"), o.Word("word"), o.Bool("yes"), o.Bool("no"))
	}
}

// TestGettersPanic: an option does not answer for a parameter that it does not have, or of another kind.
func TestGettersPanic(t *testing.T) {
	o := Option{"sugar": ValueOf(2.5), "bean": ValueOf("robusta"), "milk": ValueOf(true)}
	for want, get := range map[string]func(){
		`prefer: the option has no parameter "suger", only bean, milk, sugar`: func() { o.Float("suger") },
		`prefer: the option has no parameter "cups", only bean, milk, sugar`:  func() { o.Int("cups") },
		`prefer: the option has no parameter "mlik", only bean, milk, sugar`:  func() { o.Bool("mlik") },
		`prefer: the option has no parameter "been", only bean, milk, sugar`:  func() { o.Word("been") },
		`prefer: parameter "bean" is robusta, which is not a number`:          func() { o.Float("bean") },
		`prefer: parameter "milk" is true, which is not a number`:             func() { o.Int("milk") },
		`prefer: parameter "sugar" is 2.5, which is not a yes or no`:          func() { o.Bool("sugar") },
		`prefer: parameter "sugar" is 2.5, which is not a word`:               func() { o.Word("sugar") },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("the panic says %v, want %s", got, want)
				}
			}()
			get()
		}()
	}
}
