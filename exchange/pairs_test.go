package exchange

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

func duel(first, second, rater string, c prefer.Choice) prefer.Duel {
	return prefer.Duel{First: space.ItemOption(first), Second: space.ItemOption(second), Rater: rater, Answer: prefer.Answer{Choice: c}}
}

func TestReadPairsItems(t *testing.T) {
	abc := []prefer.Duel{duel("a", "b", "", prefer.First), duel("b", "c", "", prefer.First)}
	with := func(d prefer.Duel, meta prefer.Meta) prefer.Duel {
		d.Answer.Meta = meta
		return d
	}
	rated := []prefer.Duel{duel("a", "b", "ann", prefer.First), duel("b", "c", "", prefer.Tie)}
	when, t1 := slices.Clone(rated), slices.Clone(rated)
	when[0], t1[0] = with(rated[0], prefer.Meta{"when": space.ValueOf("now")}), with(rated[0], prefer.Meta{"t": space.ValueOf(1)})
	battles := []prefer.Duel{duel("a", "b", "ann", prefer.Second), duel("b", "c", "2", prefer.Tie), duel("c", "a", "", prefer.Tie), duel("a", "c", "", prefer.First)}
	turns := slices.Clone(battles)
	turns[0] = with(battles[0], prefer.Meta{"turn": space.ValueOf(1), "anony": space.ValueOf(true), "question_id": space.ValueOf("q7")})
	for name, c := range map[string]struct {
		text  string
		duels []prefer.Duel
		notes []string
	}{
		"two columns":         {"a,b\nb,c\n", abc, nil},
		"no last newline":     {"a,b\r\nb,c", abc, nil},
		"header":              {"\xef\xbb\xbfwinner,loser\r\n\"a\",b\r\n\r\nb,c\r\n", abc, nil},
		"columns in disorder": {"tie,loser, rater ,winner,when\nfalse,b,ann,a,now\nYES,c,,b,\n", when, nil},
		"array":               {` [["a","b"], ["b","c"]] `, abc, nil},
		"lines":               {"{\"winner\":\"a\",\"loser\":\"b\"}\n\n{\"loser\":\"c\",\"winner\":\"b\"}", abc, nil},
		"lines with raters":   {"{\"winner\":\"a\",\"loser\":\"b\",\"rater\":\"ann\",\"t\":1}\n{\"loser\":\"c\",\"winner\":\"b\",\"tie\":true,\"rater\":null}", t1, nil},
		"item options":        {`[{"winner":{"item":"a"},"loser":"b"},{"winner":"b","loser":{"item":"c"}}]`, abc, nil},
		"arena": {`[{"model_a":"a","model_b":"b","winner":"model_b","judge":"ann","turn":1,"anony":true,"question_id":"q7","conversation_a":[{"role":"user","content":"hi"}]},
			{"model_a":"b","model_b":"c","winner":"tie","judge":2},
			{"model_a":"c","model_b":"a","winner":"tie (bothbad)"},
			{"model_a":"a","model_b":"c","winner":"model_a","judge":null}]`, turns, []string{"not read: conversation_a", "1 pairs where both were bad count as ties"}},
		"arena table": {"model_a,model_b,winner,judge\na,b,model_b,ann\nb,c,tie,2\nc,a,tie (bothbad),\na,c,model_a,\n", battles,
			[]string{"1 pairs where both were bad count as ties"}},
	} {
		im, err := Pairs{}.Read(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := Import{Duels: c.duels, Notes: c.notes, Space: space.Space{Items: []space.Item{{ID: "a"}, {ID: "b"}, {ID: "c"}}}}
		if d := cmp.Diff(want, im, sameValue); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

// TestReadPairsChoix: choix writes (i, j) for "i beat j", with whole numbers for items.
func TestReadPairsChoix(t *testing.T) {
	im, err := Pairs{}.Read(strings.NewReader("[[3, 0], [0, 12]]"))
	want := Import{Duels: []prefer.Duel{duel("3", "0", "", prefer.First), duel("0", "12", "", prefer.First)},
		Space: space.Space{Items: []space.Item{{ID: "3"}, {ID: "0"}, {ID: "12"}}}}
	if d := cmp.Diff(want, im, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

func TestReadPairsSettings(t *testing.T) {
	im, err := Pairs{}.Read(strings.NewReader(`{"winner":{"x":0.5,"bean":"kenya","foam":true,"y":1},"loser":{"x":-2,"bean":"brasil","foam":true,"y":1},"rater":"ann"}
{"winner":{"x":3,"bean":"kenya","foam":false,"y":1},"loser":{"x":0,"bean":"kenya","foam":true,"y":1},"tie":true}`))
	if err != nil {
		t.Fatal(err)
	}
	cup := func(x float64, bean string, foam bool) space.Option {
		return space.Option{"x": space.ValueOf(x), "bean": space.ValueOf(bean), "foam": space.ValueOf(foam), "y": space.ValueOf(1)}
	}
	want := Import{
		Duels: []prefer.Duel{
			{First: cup(0.5, "kenya", true), Second: cup(-2, "brasil", true), Rater: "ann", Answer: prefer.Answer{Choice: prefer.First}},
			{First: cup(3, "kenya", false), Second: cup(0, "kenya", true), Answer: prefer.Answer{Choice: prefer.Tie}},
		},
		Space: space.Box(
			space.Parameter{Name: "bean", Type: "categorical", Choices: []space.Value{space.ValueOf("kenya"), space.ValueOf("brasil")}},
			space.Parameter{Name: "foam", Type: "bool"},
			space.Float("x", -2, 3),
			space.Float("y", 1, 1)),
		Notes: []string{"y is 1 throughout: a new study needs a range for it", "the file gives no ranges: a new study takes those of its values"},
	}
	if d := cmp.Diff(want, im, sameValue); d != "" {
		t.Error(d)
	}
}

// TestReadPairsObserved: what was read can be observed in a study of the suggested space.
func TestReadPairsObserved(t *testing.T) {
	im, err := Pairs{}.Read(strings.NewReader("{\"winner\":{\"x\":1},\"loser\":{\"x\":2}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := prefer.New(t.Context(), prefer.Config{Space: im.Space})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Observe(t.Context(), im.Duels[0]); err != nil {
		t.Error(err)
	}
}

func TestReadPairsErrors(t *testing.T) {
	for text, words := range map[string][]string{
		"":                                      {"empty"},
		" \n":                                   {"empty"},
		"winner,loser\n":                        {"no pairs"},
		"[]":                                    {"no pairs"},
		"winner,loser\na,b\nc\n":                {"line 3", "1 columns", "has 2"},
		"winner,loser\na,b\na,\"b\n":            {"line 3", "quote"},
		"winner,loser\na,b\nc,c\n":              {"line 3", `"c"`, "itself"},
		"winner,loser\na,\n":                    {"line 2", `"loser"`, "empty"},
		"winner,loser,tie\na,b,perhaps\n":       {"line 2", `"tie"`, `"perhaps"`},
		"winner,loser,loser\na,b,c\n":           {"line 1", "columns 2 and 3", `"loser"`},
		"winner,loser,\na,b,c\n":                {"line 1", "column 3 has no name"},
		"winner,looser\na,b\n":                  {"line 1", "winner,looser", `neither "loser" nor`},
		"Winner,Loser\na,b\n":                   {"line 1", "Winner,Loser", "want winner and loser"},
		"preferred,other\na,b\n":                {"line 1", "preferred,other", "want winner and loser"},
		"winner,loser,model_a\na,b,c\n":         {"line 1", "winner and loser as well as model_a"},
		"winner,loser,rater,judge\na,b,c,d\n":   {"line 2", `"rater" as well as "judge"`},
		"winner;loser\na;b\n":                   {"line 1", "semicolons"},
		"a,b\n,c\n":                             {"line 2", "winner", "empty"},
		"a,b,c\n":                               {"line 1", "a,b,c"},
		"model_a,model_b,winner\na,b,a\n":       {"line 2", `"winner"`, `"a"`, "model_b"},
		"[[1,2],[3]]":                           {"pair 2", "1 elements"},
		"[[1,2],[3,[4]]]":                       {"pair 2", `"loser"`, "[4]"},
		"[[1,2],[3,4.5]]":                       {"pair 2", "4.5"},
		"[[1,2],[3,":                            {"pair 2", "cut short"},
		"[[1,2]":                                {"after pair 1", "cut short"},
		"[[1,2]] x":                             {"more after"},
		"[[1,2],[\"\xff\",3]]":                  {"pair 2", "UTF-8"},
		"{\"winner\":1,\"loser\":\"\xff\"}":     {"line 1", "UTF-8"},
		"[1,2]":                                 {"pair 1"},
		"{\"winner\":\"a\"}":                    {"line 1", `"loser"`},
		"{\"winner\":\"\",\"loser\":1}":         {"line 1", `"winner"`},
		"{\"winner\":\"a\",\"loser\":\"b\"":     {"line 1", "cut short"},
		`{"winner":{"x":1},"loser":"b"}`:        {"line 1", "another sort"},
		`{"winner":{"x":1},"loser":{"y":1}}`:    {"line 1", `"y"`},
		`{"winner":{},"loser":{}}`:              {"line 1", "no settings"},
		`{"winner":{"x":1},"loser":{"x":"a"}}`:  {`"x"`, "number", "word"},
		`{"winner":{"x":null},"loser":{"x":1}}`: {"line 1", `"winner"`, "null"},
		"{\"winner\":\"a\",\"loser\":\"b\"}\n{\"winner\":{\"x\":1},\"loser\":{}}": {"line 2", "another sort"},
		`{"model_a":"a","model_b":"b","winner":7}`:                                {"line 1", `"winner"`, "7"},
		`{"winner":"a","loser":"b","tie":"no"}`:                                   {"line 1", `"tie"`},
		`{"winner":"a","loser":"b","rater":[1]}`:                                  {"line 1", `"rater"`},
	} {
		im, err := Pairs{}.Read(strings.NewReader(text))
		wantError(t, text, err, words...)
		if im.Duels != nil {
			t.Errorf("%s: %d duels beside the error", text, len(im.Duels))
		}
	}
}

// pairLines writes duels as the JSON Lines that ReadPairs reads.
func pairLines(t testing.TB, duels []prefer.Duel) []byte {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	for _, d := range duels {
		if d.Answer.Choice == prefer.Second {
			d.First, d.Second, d.Answer.Choice = d.Second, d.First, prefer.First
		}
		line := map[string]any{"winner": d.First, "loser": d.Second, "tie": d.Answer.Choice == prefer.Tie}
		if d.Rater != "" {
			line["rater"] = d.Rater
		}
		if err := enc.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	return buf.Bytes()
}

// FuzzReadPairs: what reads, in whatever format, reads the same again as JSON Lines, up to which came first.
func FuzzReadPairs(f *testing.F) {
	for _, s := range []string{"a,b\nb,c\n", "winner,loser,tie,rater\na,b,1,x\n", "[[1,2],[2,3]]", `{"winner":{"x":1,"b":"c"},"loser":{"x":2,"b":"d"}}`,
		`[{"model_a":"a","model_b":"b","winner":"tie (bothbad)","judge":1}]`, "model_a,model_b,winner\na,b,model_b\n",
		"chosen,rejected,prompt_id\na,b,7\n", `{"chosen":"a","rejected":["b","c"],"note":"x"}`, "ranking\na > b = c\n", "rank1,rank2,rank3\na,b=c,d\n", "chosen,rejected1,rejected2\na,b,\n",
		`{"chosen_id":"a","rejected_id":"b","chosen":"x","rejected":[{"role":"user","content":"y"}]}`, `{"prompt":"p","completion":"c","label":true}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if im, err := (Pairs{Texts: true}).Read(bytes.NewReader(data)); err == nil && len(im.Duels) == 0 {
			t.Fatal("neither pairs nor an error")
		}
		im, err := Pairs{}.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, d := range im.Duels {
			if err := (prefer.Answers{}).Validate(prefer.Answer{Choice: prefer.First, Meta: d.Answer.Meta}); err != nil && !bytes.Contains(data, []byte("meta")) {
				t.Fatal(err)
			}
		}
		once := pairLines(t, im.Duels)
		back, err := Pairs{}.Read(bytes.NewReader(once))
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if again := pairLines(t, back.Duels); !bytes.Equal(again, once) {
			t.Fatalf("read back as\n%s\nwant\n%s", again, once)
		}
		if len(im.Space.Items) != len(back.Space.Items) || len(im.Space.Parameters) != len(back.Space.Parameters) {
			t.Fatalf("the space is %+v, and then %+v", im.Space, back.Space)
		}
	})
}
