package coding

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

func TestSpaceValidate(t *testing.T) {
	many := space.Space{}
	for j := range 32 + 1 {
		many.Parameters = append(many.Parameters, space.Float(fmt.Sprint(j), 0, 1))
	}
	for _, c := range []struct {
		space space.Space
		want  string
	}{
		{space.Space{}, "no parameters"},
		{many, "33 parameters"},
		{space.Box(space.Float("", 0, 1)), "parameter 0 has no name"},
		{space.Box(space.Float("a", 0, 1), space.Float("a", 0, 1)), `two parameters are called "a"`},
		{space.Box(space.Parameter{Name: "a", Type: "colour", High: 1}), `type "colour"`},
		{space.Box(space.Float("a", 1, 1)), `"a" has range [1, 1]`},
		{space.Box(space.Float("a", 2, 1)), `"a" has range [2, 1]`},
		{space.Box(space.Float("a", 0, math.Inf(1))), `"a" has range [0, +Inf]`},
		{space.Box(space.Float("a", math.NaN(), 1)), `"a" has range [NaN, 1]`},
		{space.Box(space.LogFloat("a", 0, 1)), `"a" is on a log scale with low = 0`},
		{space.Box(space.LogFloat("a", -2, 1)), `"a" is on a log scale with low = -2`},
		{space.Box(space.Float("a", -1e308, 1e308)), `"a" has range [-1e+308, 1e+308]`},
		{space.Box(space.LogFloat("a", 1e-300, 1e300)), `"a" has range [1e-300, 1e+300]`},
	} {
		if _, err := New(c.space); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one that says %q", c.space, err, c.want)
		}
	}
	many.Parameters = many.Parameters[:32]
	for _, s := range []space.Space{many, space.Box(space.Parameter{Name: "a", High: 1})} {
		if _, err := New(s); err != nil {
			t.Error(err)
		}
	}
	if Dimension(many) != 32 {
		t.Errorf("Dim = %d, want %d", Dimension(many), 32)
	}
}

// TestSpaceJSON fixes the form in which spaces are written down.
func TestSpaceJSON(t *testing.T) {
	for _, c := range []struct {
		space space.Space
		text  string
	}{
		{space.Box(space.LogFloat("brightness", 0.2, 2)), `{"params":[{"name":"brightness","type":"float","low":0.2,"high":2,"log":true}]}`},
		{space.Box(space.Float("milk", 0, 0.1), space.Float("tilt", -1.5, 1e-9)),
			`{"params":[{"name":"milk","type":"float","low":0,"high":0.1},{"name":"tilt","type":"float","low":-1.5,"high":1e-9}]}`},
	} {
		data, err := json.Marshal(c.space)
		if err != nil || string(data) != c.text {
			t.Errorf("written %s (%v), want %s", data, err, c.text)
		}
		var back space.Space
		if err := json.Unmarshal([]byte(c.text), &back); err != nil || !reflect.DeepEqual(back, c.space) {
			t.Errorf("read %v (%v), want %v", back, err, c.space)
		}
	}
}
