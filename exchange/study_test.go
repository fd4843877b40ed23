package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// studyFiles are study files with whether they are right, and a part of what is said if not.
var studyFiles = []struct {
	text  string
	wrong string // empty: right
	known bool   // only a program can tell
}{
	{`{"params":[
	  {"name":"brightness","type":"float","low":0.2,"high":2.0,"log":true},
	  {"name":"blur","type":"int","low":0,"high":20,"step":2},
	  {"name":"font","type":"categorical","choices":["serif","sans","mono"]},
	  {"name":"size","type":"ordinal","choices":["S","M","L"]},
	  {"name":"shadow","type":"bool"}],
	 "constraints":["brightness + 0.05*blur <= 2.2"]}`, "", false},
	{`{"items":[{"id":"a17","media":"img/a17.png","features":{"hue":0.31}},{"id":"b","features":{"hue":0.5}}]}`, "", false},
	{`{"items":[{"id":"a","features":{"hue":350}},{"id":"b","features":{"hue":10}}],"circular":{"hue":360}}`, "", false},
	{`{"space":{"items":[{"id":"a","features":{"hue":350}},{"id":"b","features":{"hue":10}}],"circular":{"hue":360}}}`, "", false},
	{`{"items":[{"id":"a","features":{"hue":350}},{"id":"b","features":{"hue":10}}],"circular":{"hue":0}}`, `"hue" = 0, want a positive period`, false},
	{`{"items":[{"id":"a","features":{"hue":350}},{"id":"b","features":{"hue":10}}],"circular":{"huge":360}}`, `"huge" = 360, which is not a feature`, true},
	{`{"params":[{"name":"hue","low":0,"high":360}],"circular":{"hue":360}}`, "beside parameters", false},
	{`{"params":[{"name":"hue","low":0,"high":360,"circular":true},{"name":"hour","type":"int","low":0,"high":24,"circular":true}]}`, "", false},
	{`{"params":[{"name":"hue","low":1,"high":360,"log":true,"circular":true}]}`, "circular = true and log = true", false},
	{`{"params":[{"name":"hue","low":360,"high":0,"circular":true}]}`, "a period of -360", true},
	{`{"params":[{"name":"d","type":"int","low":0,"high":360,"step":7,"circular":true}]}`, "does not divide its period of 360", true},
	{`{"params":[{"name":"c","type":"categorical","choices":["a","b"],"circular":true}]}`, "circular", false},
	{`{"space":{"params":[{"name":"x","low":-1,"high":1}]},"seed":7,"prompt":"Which is warmer?","people":"per_rater","answers":{"grades":1}}`, "", false},
	{`{"$schema":"study.json","params":[{"name":"n","type":"ordinal","choices":[8,16,32]}],"confidence":0.8,"method":"eubo"}`, "", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"model":{"inference":"variational","lengthscale":"gamma(3,6)"},"search":{"starts":4}}`, "", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"budget":20,"tolerance":"5 %, 0.1 x","belief":"likeliest","both_bad":"tie"}`, "", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"tolerance":1,"tells":[{"effects":"polynomials","trend":"lognormal(0,2)"}]}`, "", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"people":"per_rater","kinship":"lognormal(0,1)","earlier":[{"first":{"x":0.5},"second":{"x":1},"rater":"1","answer":{"choice":"tie"}}]}`, "", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"kinship":"gamma(-1,1)"}`, "Kinship", true},
	{`{"params":[{"name":"x","low":0,"high":1}],"earlier":[{"first":{"x":0.5},"second":{"x":2},"answer":{"choice":"first"}}]}`, "Earlier[0]", true},
	{`{"params":[{"name":"x","low":0,"high":1}],"earlier":[{"first":{"x":0.5},"second":{"x":1},"answer":{"choice":"skip"}}]}`, "Earlier[0]", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"budget":0}`, "budget = 0 answers", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"budget":-3}`, "budget = -3 answers", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"budget":2.5}`, "budget", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"tolerance":-1}`, "Tolerance.Noise = -1", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"tolerance":""}`, "tolerance", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"tolerance":"a lot"}`, `"a lot"`, true},
	{`{"params":[{"name":"x","low":0,"high":1}],"tolerance":"1 salt"}`, `the unit "salt"`, true},
	{`{"params":[{"name":"x","low":0,"high":1}],"belief":"firm"}`, `Belief = "firm"`, false},
	{`{"params":[{"name":"x","low":0,"high":1}],"both_bad":"sad"}`, `BothBad = "sad"`, false},
	{`{"params":[{"name":"x","low":0,"high":1}],"tells":[{"efects":"cosines"}]}`, `unknown field "efects"`, false},
	{`{"params":[{"name":"x","low":0,"high":1},{"name":"noise","type":"categorical","choices":["quiet","babble"],"context":true},
	  {"name":"rain","type":"bool","context":true},{"name":"hour","type":"int","low":0,"high":24,"circular":true,"context":true},
	  {"name":"outside","low":-20,"high":40,"context":true},{"name":"size","type":"ordinal","choices":["S","M"],"context":false}]}`, "", false},
	{`{"params":[{"name":"x","low":0,"high":1},{"name":"noise","type":"categorical","choices":["quiet"],"context":true}]}`, "context with one value, quiet", false},
	{`{"params":[{"name":"rain","type":"bool","context":true}]}`, "contexts only", false},
	{`{"params":[{"name":"x","low":0,"high":1},{"name":"rain","type":"bool","context":"yes"}]}`, "context", false},
	{`{"items":[{"id":"a","context":true},{"id":"b"}]}`, `unknown field "context"`, false},
	{`{}`, "no parameters and no items", false},
	{`{"params":[]}`, "no parameters", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"sead":7}`, `unknown field "sead"`, false},
	{`{"params":[{"name":"x","low":0,"high":1,"stpe":1}]}`, `unknown field "stpe"`, false},
	{`{"params":[{"name":"x","type":"real","low":0,"high":1}]}`, `"real"`, false},
	{`{"params":[{"name":"x","type":"bool","low":0,"high":1}]}`, "bool", false},
	{`{"params":[{"name":"x","type":"categorical","choices":["a"]}]}`, "1 choices", false},
	{`{"params":[{"name":"x","type":"categorical","choices":["a","a"]}]}`, "twice", false},
	{`{"params":[{"name":"x","type":"int","low":0.5,"high":1}]}`, "whole", false},
	{`{"params":[{"name":"","low":0,"high":1}]}`, "no name", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"items":[{"id":"a"},{"id":"b"}]}`, "", false},
	{`{"space":{"params":[{"name":"x","low":0,"high":1}],"items":[{"id":"a","features":{"h":1}},{"id":"b","features":{"h":9}}],"circular":{"h":10},"own":true,"constraints":["x > 0.2"]}}`, "", false},
	{`{"params":[{"name":"rain","type":"bool","context":true}],"items":[{"id":"a"},{"id":"b"}]}`, "", false},
	{`{"params":[{"name":"item","low":0,"high":1}],"items":[{"id":"a"},{"id":"b"}]}`, `called "item"`, false},
	{`{"params":[{"name":"h","low":0,"high":1}],"items":[{"id":"a","features":{"h":1}},{"id":"b","features":{"h":9}}]}`, "both a parameter and a feature", true},
	{`{"constraints":["x > 0.2"],"items":[{"id":"a"},{"id":"b"}]}`, "no parameters", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"items":[` + manyItems(1001) + `]}`, "1001 items beside 1 parameters, at most 1000", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"items":[` + manyItems(1000) + `]}`, "", false},
	{`{"space":{"params":[{"name":"x","low":0,"high":1}]},"params":[{"name":"x","low":0,"high":1}]}`, "both", false},
	{`{"items":[{"id":"a"}]}`, "1 items", false},
	{`{"items":[{"id":"a"},{"id":""}]}`, "no id", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"confidence":1}`, "Confidence = 1", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"answers":{"grades":10}}`, "Grades = 10", false},
	{`{"params":[{"name":"x","low":0,"high":1}],"people":"all"}`, `People = "all"`, false},
	{`{"params":[{"name":"x","low":0,"high":1}],"method":"magic"}`, `"magic"`, true},
	{`{"params":[{"name":"x","low":0,"high":1}],"mixture":4}`, `"mixture", which no longer exists`, false},
	{`{"params":[{"name":"x","low":0,"high":1}],"search":{"nested":true}}`, `"nested" under "search", which no longer exists`, false},
	{`{"params":{"name":"x"}}`, "params", false},
	{`{"params":[{"name":"x","type":"categorical","choices":["a",null]}]}`, "null", false},
}

// manyItems writes n items.
func manyItems(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"id":"p%d"}`, i)
	}
	return strings.Join(all, ",")
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(StudySchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("study.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("study.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestReadStudy: the reader and the published schema agree on what is a study.
func TestReadStudy(t *testing.T) {
	s := compiled(t)
	for _, c := range studyFiles {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); (err == nil) != (c.wrong == "" || c.known) {
			t.Errorf("the schema says %v of %s", err, c.text)
		}
		cfg, err := ReadStudy(strings.NewReader(c.text))
		switch {
		case c.wrong == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.wrong == "":
			if again := rewritten(t, cfg); !cmp.Equal(again, filled(t, cfg), cmp.AllowUnexported(space.Value{}, prefer.Config{}, acquisition.Search{}), ignoreFuncs) {
				t.Errorf("%s: written and read again %+v", c.text, again)
			}
		case err == nil || !strings.Contains(err.Error(), c.wrong):
			t.Errorf("%s: error %v, want one about %q", c.text, err, c.wrong)
		}
	}
	if _, err := ReadStudy(strings.NewReader(`{"params":[{"name":"x","low":0,"high":1}]} {}`)); err == nil {
		t.Error("a second value was accepted")
	}
}

var ignoreFuncs = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Now" }, cmp.Ignore())

// filled spells out the defaults.
func filled(t *testing.T, c prefer.Config) prefer.Config {
	t.Helper()
	s, err := prefer.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s.Config()
}

// rewritten writes a config with its defaults, as a log does, and reads it again.
func rewritten(t *testing.T, c prefer.Config) prefer.Config {
	t.Helper()
	text, err := json.Marshal(filled(t, c))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled(t).Validate(doc); err != nil {
		t.Errorf("the schema refuses what a log holds, %s: %v", text, err)
	}
	again, err := ReadStudy(bytes.NewReader(text))
	if err != nil {
		t.Errorf("%s: %v", text, err)
	}
	return filled(t, again)
}

// TestEnums: where the schema lists words they are the program's.
func TestEnums(t *testing.T) {
	var doc struct {
		Properties struct {
			People  struct{ Enum []prefer.People }
			Belief  struct{ Enum []string }
			BothBad struct{ Enum []string } `json:"both_bad"`
		}
		Defs struct {
			Model struct {
				Properties struct {
					Inference struct{ Enum []gp.Inference }
					Effects   struct{ Enum []gp.Effects }
				}
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(StudySchema()), &doc); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]prefer.People{"", prefer.Shared, prefer.PerRater}, doc.Properties.People.Enum); d != "" {
		t.Errorf("people: %s", d)
	}
	if d := cmp.Diff([]gp.Inference{gp.EP, gp.Variational, gp.Laplace, gp.Sparse, gp.Reduced}, doc.Defs.Model.Properties.Inference.Enum); d != "" {
		t.Errorf("inference: %s", d)
	}
	if d := cmp.Diff([]gp.Effects{gp.Cosines, gp.Polynomials, gp.Lines}, doc.Defs.Model.Properties.Effects.Enum); d != "" {
		t.Errorf("effects: %s", d)
	}
	if d := cmp.Diff([]string{"", "averaged", "likeliest"}, doc.Properties.Belief.Enum); d != "" {
		t.Errorf("belief: %s", d)
	}
	if d := cmp.Diff([]string{"", "level", "tie"}, doc.Properties.BothBad.Enum); d != "" {
		t.Errorf("both_bad: %s", d)
	}
}

// TestSchemaKnowsEveryField: a field added to Config is added to the schema.
func TestSchemaKnowsEveryField(t *testing.T) {
	var doc struct {
		Properties map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"properties"`
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(StudySchema()), &doc); err != nil {
		t.Fatal(err)
	}
	fields := func(typ reflect.Type) (names []string) {
		for i := range typ.NumField() {
			if name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); name != "-" && name != "" {
				names = append(names, name)
			}
		}
		return names
	}
	typ := reflect.TypeFor[prefer.Config]()
	for _, name := range fields(typ) {
		if _, ok := doc.Properties[name]; !ok {
			t.Errorf("the schema has no %q", name)
		}
	}
	for _, inner := range []string{"Model", "Search", "Answers", "Space"} {
		f, _ := typ.FieldByName(inner)
		top, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		for _, name := range fields(f.Type) {
			known := doc.Properties[top].Properties
			if known == nil {
				known = doc.Defs[top].Properties
			}
			if _, ok := known[name]; !ok && name != "scales" { // the space decides those
				t.Errorf("the schema has no %s.%s", top, name)
			}
		}
	}
}

func FuzzReadStudy(f *testing.F) {
	for _, c := range studyFiles {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cfg, err := ReadStudy(strings.NewReader(text))
		if err != nil {
			return
		}
		written, err := json.Marshal(cfg)
		if err != nil {
			t.Fatalf("%s was read and cannot be written: %v", text, err)
		}
		if _, err := ReadStudy(bytes.NewReader(written)); err != nil {
			t.Fatalf("%s was read, written as %s and not read again: %v", text, written, err)
		}
	})
}
