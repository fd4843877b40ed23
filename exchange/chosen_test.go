package exchange

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// meta gives duels what goes with them.
func meta(m prefer.Meta, duels ...prefer.Duel) []prefer.Duel {
	for i := range duels {
		duels[i].Answer.Meta = m
	}
	return duels
}

func TestReadChosen(t *testing.T) {
	pair := []prefer.Duel{duel("p3", "p17", "", prefer.First)}
	word := space.ValueOf[string]
	for name, c := range map[string]struct {
		text  string
		texts bool
		duels []prefer.Duel
		items []space.Item
		notes string
	}{
		"lines":         {text: `{"chosen":"p3","rejected":"p17"}`, duels: pair},
		"table":         {text: "chosen,rejected\np3,p17\n", duels: pair},
		"table with id": {text: "id,rejected,chosen\n7,p17,p3\n", duels: meta(prefer.Meta{"id": word("7")}, duel("p3", "p17", "", prefer.First))},
		"tie and judge": {text: "chosen,rejected,tie,judge,note\np3,p17,yes,gpt,close\n", duels: []prefer.Duel{{First: space.ItemOption("p3"), Second: space.ItemOption("p17"),
			Rater: "gpt", Answer: prefer.Answer{Choice: prefer.Tie, Note: "close"}}}},
		"prompt kept": {text: `{"prompt":"Say hi.","chosen_id":"p3","rejected_id":"p17"}`, duels: meta(prefer.Meta{"prompt": word("Say hi.")}, duel("p3", "p17", "", prefer.First))},
		"best of three": {text: `{"chosen":"a","rejected":["b","c"],"judge":"j"}`,
			duels: meta(prefer.Meta{"best_of": space.ValueOf(3)}, duel("a", "b", "j", prefer.First), duel("a", "c", "j", prefer.First)), notes: "1 rows of more than two"},
		"best of three in a table": {text: "chosen,rejected1,rejected2,rejected3\na,b,c,\n",
			duels: meta(prefer.Meta{"best_of": space.ValueOf(3)}, duel("a", "b", "", prefer.First), duel("a", "c", "", prefer.First)), notes: "1 rows of more than two"},
		"texts of models": {text: `{"chosen":"Hello!","rejected":[{"role":"user","content":"hi"},{"role":"assistant","content":"Go away."}],"chosen-model":"m1","rejected-model":"m2"}`,
			duels: []prefer.Duel{duel("m1", "m2", "", prefer.First)}, items: []space.Item{{ID: "m1", Text: "Hello!"}, {ID: "m2", Text: "Go away."}}},
		"models with several texts": {text: "{\"chosen\":\"x\",\"rejected\":\"y\",\"chosen_model\":\"m1\",\"rejected_model\":\"m2\"}\n{\"chosen\":\"z\",\"rejected\":\"y\",\"chosen_model\":\"m1\",\"rejected_model\":\"m2\"}",
			duels: []prefer.Duel{duel("m1", "m2", "", prefer.First), duel("m1", "m2", "", prefer.First)}, items: []space.Item{{ID: "m1"}, {ID: "m2", Text: "y"}}, notes: "have no text"},
	} {
		im, err := Pairs{Texts: c.texts}.Read(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(c.duels, im.Duels, sameValue); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		if d := cmp.Diff(c.items, im.Space.Items, sameValue); d != "" && c.items != nil {
			t.Errorf("%s:\n%s", name, d)
		}
		if notes := strings.Join(im.Notes, "\n"); !strings.Contains(notes, c.notes) || c.notes == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q", name, notes, c.notes)
		}
	}
}

// TestReadTexts: the same answer to the same prompt is one item, to another prompt another; pairs that nothing connects are said to be so.
func TestReadTexts(t *testing.T) {
	long := strings.Repeat("word ", 1000)
	im, err := Pairs{Texts: true}.Read(strings.NewReader(`{"prompt":"One?","chosen":"Yes.","rejected":"No."}
{"prompt":"One?","chosen":"Yes.","rejected":"Perhaps."}
{"prompt":"` + long + `","chosen":[{"role":"user","content":"Two?"},{"role":"assistant","content":"Yes."}],"rejected":"No."}`))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, it := range im.Space.Items {
		said = append(said, it.Text)
	}
	if d := cmp.Diff([]string{"Yes.", "No.", "Perhaps.", "Yes.", "No."}, said); d != "" {
		t.Error(d)
	}
	if im.Duels[0].First.Item() != im.Duels[1].First.Item() || im.Duels[0].First.Item() == im.Duels[2].First.Item() {
		t.Errorf("%v", im.Duels)
	}
	if got := im.Duels[1].Answer.Meta["prompt"].String(); got != "One?" {
		t.Errorf("prompt %q", got)
	}
	want := []string{"not read: prompt", "the 5 items are in 2 groups that are never compared with each other: nothing tells which of two in different groups is better"}
	if d := cmp.Diff(want, im.Notes); d != "" {
		t.Error(d)
	}
}

func TestReadChosenErrors(t *testing.T) {
	long := strings.Repeat("x", maxName+1)
	for text, words := range map[string][]string{
		"chosen,rejected\n":                                         {"no pairs"},
		"chosen,rejected\na,\n":                                     {"line 2", `"rejected"`, "empty"},
		"chosen,rejected\na,a\n":                                    {"line 2", "itself"},
		"chosen,reject\na,b\n":                                      {"line 2", `no field "rejected"`},
		"prompt,chosen,rejected\nq,a,b\n":                           {"line 2", `"prompt"`, "--texts", "chosen_id"},
		"chosen,rejected\n" + long + ",b\n":                         {"line 2", `"chosen"`, "200", "--texts"},
		"chosen,rejected\na,\"b\nc\"\n":                             {"line 2", `"rejected"`, "--texts"},
		"chosen,rejected,winner\na,b,c\n":                           {"line 1", "winner as well as chosen"},
		"chosen,rejected,ranking\na,b,c\n":                          {"line 1", "chosen and rejected as well as ranking"},
		"chosen,rejected1,rejected2\na,,b\n":                        {"line 2", `"rejected1"`, "empty"},
		"chosen,rejected1,rejected3\na,b,c\n":                       {"line 2", `"rejected2"`, "empty"},
		"chosen,rejected,rejected1\na,b,c\n":                        {"line 2", `"rejected" as well as "rejected1"`},
		"prompt,completion,label\nq,a,true\n":                       {"line 1", `"label"`, "one option alone", "pairs"},
		`{"prompt":"q","completion":"a"}`:                           {"line 1", `"completion"`, "one option alone"},
		`{"chosen":"a"}`:                                            {"line 1", `"rejected"`},
		`{"rejected":"a"}`:                                          {"line 1", `"chosen"`},
		`{"chosen":"a","rejected":[]}`:                              {"line 1", "list of 0"},
		`{"chosen":"a","rejected":["b",["c"]]}`:                     {"line 1", `"rejected"`, "text"},
		`{"chosen":"a","rejected":["b","a"]}`:                       {"line 1", `"a"`, "itself"},
		`{"chosen":"a","rejected":["b","c"],"tie":true}`:            {"line 1", `"tie"`, "3 options"},
		`{"chosen":[{"role":"user","content":"x"}],"rejected":"b"}`: {"line 1", `"chosen"`, "--texts"},
		`{"chosen_id":"a","rejected":"b"}`:                          {"line 1", `"rejected_id"`},
		`{"chosen":"a","rejected":"b","judge":["gpt-4","pair"]}`:    {"line 1", `"judge"`},
		"{\"chosen\":\"a\",\"rejected\":\"b\"}\n{\"chosen\":{\"x\":1},\"rejected\":{\"x\":2}}": {"line 2", "another sort"},
	} {
		im, err := Pairs{}.Read(strings.NewReader(text))
		wantError(t, text, err, words...)
		if im.Duels != nil {
			t.Errorf("%s: %d duels beside the error", text, len(im.Duels))
		}
	}
	_, err := Pairs{Texts: true}.Read(strings.NewReader(`{"chosen":7,"rejected":"b"}`))
	wantError(t, "a number as a text", err, `"chosen"`, "not a text")
}
