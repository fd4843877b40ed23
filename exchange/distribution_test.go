package exchange

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/space"
)

func TestDistributionParameter(t *testing.T) {
	numbers := func(x ...float64) (out []space.Value) {
		for _, v := range x {
			out = append(out, space.ValueOf(v))
		}
		return out
	}
	for text, c := range map[string]struct {
		occur []float64
		want  space.Parameter
		note  string
	}{
		`{"name":"FloatDistribution","attributes":{"low":-1,"high":2}}`:             {nil, space.Float("x", -1, 2), ""},
		`{"name":"FloatDistribution","attributes":{"low":1,"high":2,"log":true}}`:   {nil, space.LogFloat("x", 1, 2), ""},
		`{"name":"FloatDistribution","attributes":{"low":0,"high":1,"step":0.5}}`:   {[]float64{0.5}, space.Parameter{Name: "x", Type: "ordinal", Choices: numbers(0, 0.5, 1)}, ""},
		`{"name":"FloatDistribution","attributes":{"low":0,"high":1,"step":0.001}}`: {nil, space.Float("x", 0, 1), "x has steps of 0.001 in Optuna: it is continuous here"},
		`{"name":"FloatDistribution","attributes":{"low":0,"high":1,"step":0.25}}`:  {[]float64{0.3}, space.Float("x", 0, 1), "x is 0.3 in a trial, off its steps of 0.25: it is continuous here"},
		`{"name":"IntDistribution","attributes":{"low":1,"high":9,"step":1}}`:       {nil, space.Parameter{Name: "x", Type: "int", Low: 1, High: 9}, ""},
		`{"name":"IntDistribution","attributes":{"low":1,"high":9,"log":true}}`:     {nil, space.Parameter{Name: "x", Type: "int", Low: 1, High: 9, Log: true}, ""},
		`{"name":"CategoricalDistribution","attributes":{"choices":[1,2.5]}}`:       {nil, space.Parameter{Name: "x", Type: "categorical", Choices: numbers(1, 2.5)}, ""},
		`{"name":"CategoricalDistribution","attributes":{"choices":[false,true]}}`:  {nil, space.Parameter{Name: "x", Type: "bool"}, ""},
	} {
		d, err := readDistribution(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		p, note := d.parameter("x", c.occur)
		if diff := cmp.Diff(c.want, p, sameValue); diff != "" || note != c.note {
			t.Errorf("%s: note %q, want %q\n%s", text, note, c.note, diff)
		}
	}
}

func TestDistributionMerge(t *testing.T) {
	a := distribution{Type: "float", Low: 0, High: 1, Step: 0.5}
	got, err := a.merge(distribution{Type: "float", Low: -1, High: 0.5, Step: 0.5})
	if want := (distribution{Type: "float", Low: -1, High: 1}); err != nil || got.Low != want.Low || got.High != want.High || got.Step != 0 {
		t.Errorf("merged to %+v, %v; want %+v", got, err, want)
	}
	_, err = a.merge(distribution{Type: "int", Low: 0, High: 1})
	wantError(t, "kinds", err, "float", "int")
}
