package exchange

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

func fixture(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReadOptunaLineEnds(t *testing.T) {
	text := fixture(t, "optuna.log")
	im, err := ReadOptuna(strings.NewReader("\xef\xbb\xbf"+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\r\n")), "")
	if d := cmp.Diff(coffee(), im, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

// TestReadOptunaReplay: operations Optuna refuses are passed over, and numbers count as Optuna counts them.
func TestReadOptunaReplay(t *testing.T) {
	const dist = `"{\"name\":\"FloatDistribution\",\"attributes\":{\"step\":null,\"low\":0.0,\"high\":1.0,\"log\":false}}"`
	im, err := ReadOptuna(strings.NewReader(`{"op_code":0,"study_name":"gone"}
{"op_code":0,"study_name":"s"}
{"op_code":0,"study_name":"s"}
{"op_code":4,"study_id":0}
{"op_code":1,"study_id":0}
{"op_code":4,"study_id":0}
{"op_code":4,"study_id":7}
{"op_code":3,"study_id":1,"system_attr":{"preference:is_preferential":true}}
{"op_code":4,"study_id":1}
{"op_code":5,"trial_id":1,"param_name":"x","param_value_internal":0.25,"distribution":`+dist+`}
{"op_code":6,"trial_id":1,"state":1,"values":[NaN]}
{"op_code":5,"trial_id":1,"param_name":"x","param_value_internal":0.5,"distribution":`+dist+`}
{"op_code":5,"trial_id":9,"param_name":"x","param_value_internal":0.5,"distribution":`+dist+`}
{"op_code":7,"trial_id":1,"step":0,"intermediate_value":-Infinity}
{"op_code":4,"study_id":1,"state":4,"params":{"x":1.5},"distributions":{"x":`+dist+`}}
{"op_code":3,"study_id":1,"system_attr":{"preference:valuesA":[[0,1]]}}
{"op_code":3,"study_id":1,"system_attr":{"preference:valuesB":[[1,0]]}}
{"op_code":3,"study_id":1,"system_attr":{"preference:valuesA":[]}}`), "")
	x := func(v float64) space.Option { return space.Option{"x": space.ValueOf(v)} }
	want := Import{Name: "s", Space: space.Box(space.Float("x", 0, 1.5)),
		Duels: []prefer.Duel{{First: x(1.5), Second: x(0.25), Answer: prefer.Answer{Choice: prefer.First}}},
		Notes: []string{"x is 1.5 in a trial, outside of its range [0, 1]: the range was widened"}}
	if d := cmp.Diff(want, im, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

func TestReadOptunaErrors(t *testing.T) {
	text := fixture(t, "optuna.log")
	for name, c := range map[string]struct {
		old, new string
		words    []string
	}{
		"torn":         {text[len(text)-30:], "", []string{"line ", "cut short"}},
		"op_code":      {`"op_code":4`, `"op_code":11`, []string{"line 4", `"op_code"`, "11"}},
		"no op_code":   {`"op_code":4`, `"op":4`, []string{"line 4", `"op_code"`}},
		"type":         {`"trial_id":0`, `"trial_id":"0"`, []string{"line 5", `"trial_id"`, "string"}},
		"pairs":        {`:[[0,1]]`, `:[[0,0]]`, []string{"preference:values", "[0 0]"}},
		"no pairs":     {`:[[0,1]]`, `:7`, []string{"preference:values", "7"}},
		"distribution": {`FloatDistribution`, `CauchyDistribution`, []string{"trial 0", `"milk"`, "Cauchy"}},
		"range":        {`\"high\": 0.5`, `\"high\": -0.5`, []string{"trial 0", `"milk"`, "no range"}},
		"null choice":  {`[true, false]`, `[true, null]`, []string{"trial 0", `"foam"`, "null"}},
		"value":        {`"param_value_internal":0.208511002351287`, `"param_value_internal":NaN`, []string{"trial 0", `"milk"`, "NaN"}},
		"other kind":   {`[\"kenya\", \"brasil\"]`, `[\"kenya\", \"peru\"]`, []string{"trial 1", `"bean"`, "peru", "brasil"}},
		"database":     {text, sqliteMagic, []string{"SQLite"}},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		if changed == text {
			t.Errorf("%s: the journal was not changed", name)
		}
		im, err := ReadOptuna(strings.NewReader(changed), "coffee")
		wantError(t, name, err, c.words...)
		if im.Duels != nil {
			t.Errorf("%s: %d duels beside the error", name, len(im.Duels))
		}
	}
}

func TestWithoutNaN(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":NaN,"b":[-Infinity,Infinity]}`: `{"a":null,"b":[null,null]}`,
		`{"NaN":"\"NaN\\","b":NaN}`:          `{"NaN":"\"NaN\\","b":null}`,
		`{"a":-1}`:                           `{"a":-1}`,
	} {
		if got := string(withoutNaN([]byte(in))); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

// FuzzReadOptuna: no panic; every option of what reads has exactly the parameters of the space, of their types.
func FuzzReadOptuna(f *testing.F) {
	text := fixture(f, "optuna.log")
	f.Add([]byte(text))
	f.Add([]byte(text[:len(text)/2]))
	f.Add([]byte(`{"op_code":0,"study_name":"s"}
{"op_code":3,"study_id":0,"system_attr":{"preference:is_preferential":true}}
{"op_code":4,"study_id":0,"state":4,"params":{"x":1},"distributions":{"x":"{\"name\":\"FloatDistribution\",\"attributes\":{\"low\":0,\"high\":1,\"step\":0.1}}"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		im, err := ReadOptuna(bytes.NewReader(data), "")
		if err != nil {
			return
		}
		fits(t, im)
	})
}

// fits checks that every option has exactly the parameters of the space, in their ranges or among their choices.
func fits(t *testing.T, im Import) {
	t.Helper()
	for _, d := range im.Duels {
		for _, o := range []space.Option{d.First, d.Second} {
			if len(o) != len(im.Space.Parameters) {
				t.Fatalf("option %v of space %+v", o, im.Space)
			}
			for _, p := range im.Space.Parameters {
				v, ok := o[p.Name]
				switch p.Type {
				case "float", "int":
					ok = ok && v.Float() >= p.Low && v.Float() <= p.High
				case "bool":
					ok = ok && kindOf(v) == "true/false"
				default:
					in := false
					for _, c := range p.Choices {
						in = in || c == v
					}
					ok = ok && in
				}
				if !ok {
					t.Fatalf("%q is %v, want one of %+v", p.Name, v, p)
				}
			}
		}
	}
}
