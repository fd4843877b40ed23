package coding

import (
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestCategoriesAreEquallyFar: no choice of a categorical lies between two others.
func TestCategoriesAreEquallyFar(t *testing.T) {
	for n := 2; n <= 6; n++ {
		c, err := New(space.Box(space.Categorical("c", strings.Split("uvwxyz", "")[:n]...), space.Float("f", 0, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 3, false: n + 1}[n == 2] - map[bool]int{true: 1, false: 0}[n == 2]; c.Dim != want {
			t.Errorf("%d choices and a float are %d coordinates, want %d", n, c.Dim, want)
		}
		for i, v := range c.Axes[0].Vals {
			for j, w := range c.Axes[0].Vals[:i] {
				x, _ := c.Unit(space.Option{"c": v, "f": space.ValueOf(0.5)})
				y, _ := c.Unit(space.Option{"c": w, "f": space.ValueOf(0.5)})
				var r2 float64
				for k := range x {
					r2 += (x[k] - y[k]) * (x[k] - y[k])
				}
				if math.Abs(r2-1) > 1e-15 {
					t.Errorf("choices %d and %d of %d are %g apart", i, j, n, math.Sqrt(r2))
				}
			}
		}
	}
}

func TestParameterMistakes(t *testing.T) {
	for _, c := range []struct {
		p    space.Parameter
		want string
	}{
		{space.Parameter{Name: "x", Type: "real"}, `"real"`},
		{space.Parameter{Name: "x", Type: "int", Low: 0, High: 7, Step: 2}, "want high = 6 or 8"},
		{space.Parameter{Name: "x", Type: "int", Low: 0.5, High: 7}, "whole numbers"},
		{space.Parameter{Name: "x", Type: "int", Low: 0, High: 8, Step: 1.5}, "step = 1.5"},
		{space.Parameter{Name: "x", Type: "int", Low: 0, High: 8, Step: -1}, "step = -1"},
		{space.Parameter{Name: "x", Type: "int", Low: 1, High: 9, Step: 2, Log: true}, "log scale with step = 2"},
		{space.Parameter{Name: "x", Type: "int", Low: 0, High: 9, Log: true}, "low > 0"},
		{space.Parameter{Name: "x", Type: "int", Low: 0, High: 1e6}, "at most 100000"},
		{space.Parameter{Name: "x", Type: "int", Low: 0, High: 1 << 54}, "whole numbers"},
		{space.Parameter{Name: "x", Low: 0, High: 1, Step: 0.1}, "step = 0.1"},
		{space.Parameter{Name: "x", Low: 0, High: 1, Choices: []space.Value{space.ValueOf("a")}}, "choices"},
		{space.Parameter{Name: "x", Type: "ordinal", Choices: []space.Value{space.ValueOf("a")}}, "1 choices"},
		{space.Parameter{Name: "x", Type: "categorical", Choices: []space.Value{space.ValueOf("a"), space.ValueOf("b"), space.ValueOf("a")}}, "a twice"},
		{space.Parameter{Name: "x", Type: "ordinal", Choices: []space.Value{space.ValueOf(1), space.ValueOf(math.NaN())}}, "NaN"},
		{space.Parameter{Name: "x", Type: "ordinal", Low: 1, Choices: []space.Value{space.ValueOf("a"), space.ValueOf("b")}}, "range"},
		{space.Parameter{Name: "x", Type: "bool", High: 1}, "bool"},
	} {
		_, err := New(space.Box(c.p))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `"x"`) {
			t.Errorf("%+v: error %v, want one about %q", c.p, err, c.want)
		}
	}
}
