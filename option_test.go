package prefer

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
)

func TestOption(t *testing.T) {
	o := Option{"sugar": Number(1.5), "milk": Number(0.2), "cup": Word("tall"), "hot": Bool(true)}
	if got, want := o.String(), "cup tall, hot true, milk 0.2, sugar 1.5"; got != want {
		t.Errorf("String = %q, want %q", got, want)
	}
	if o.Float("sugar") != 1.5 || !math.IsNaN(o.Float("cup")) {
		t.Errorf("sugar %g, cup %g, want 1.5 and NaN", o.Float("sugar"), o.Float("cup"))
	}
	data, err := json.Marshal(o)
	if want := `{"cup":"tall","hot":true,"milk":0.2,"sugar":1.5}`; err != nil || string(data) != want {
		t.Errorf("JSON = %s (%v), want %s", data, err, want)
	}
	var back Option
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(o, back) {
		t.Errorf("read back as %v (%v)", back, err)
	}
	c := o.clone()
	c["sugar"] = Number(9)
	if o.Float("sugar") != 1.5 {
		t.Error("a clone shares its settings")
	}
	if Option(nil).clone() != nil {
		t.Error("the clone of no option is an option")
	}
}

// TestOptionMissing: a parameter that is not set is not the number 0.
func TestOptionMissing(t *testing.T) {
	if got := (Option{"milk": Number(1)}).Float("sugar"); !math.IsNaN(got) {
		t.Errorf("a missing parameter is %g, want NaN", got)
	}
}
