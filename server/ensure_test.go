package server

import (
	"strings"
	"testing"
)

// TestEnsure: a study is made once however often it is sent, goes on as it is when it is sent again, and is not taken for one of another
// configuration.
func TestEnsure(t *testing.T) {
	h := newTestServer(t, nil)
	const space = `"params":[{"name":"x","low":0,"high":1}]`
	var made, found Study
	h.want(201, "PUT", "/v1/studies/line", `{`+space+`,"seed":9007199254740993,"page":{"goal":7}}`, &made)
	h.want(200, "PUT", "/v1/studies/line", `{"name":"line",`+space+`,"seed":9007199254740993,"page":{"goal":7}}`, &found)
	if made.Hash != found.Hash || made.Seq != found.Seq || made.Budget != 7 {
		t.Errorf("made %+v, found %+v", made, found)
	}
	h.want(200, "PUT", "/v1/studies/line", `{"space":{`+strings.Replace(space, `"low"`, `"type":"float","low"`, 1)+`},"seed":9007199254740993,"budget":7}`, nil)
	h.want(200, "POST", "/v1/studies/line/tell", `{"winner":{"x":1},"loser":{"x":0}}`, nil)
	h.want(200, "PATCH", "/v1/studies/line", `{"prompt":"Which is longer?","budget":20}`, nil)
	h.want(200, "PUT", "/v1/studies/line", `{`+space+`,"seed":9007199254740993,"budget":7}`, &found)
	if found.Count != 1 || found.Prompt != "Which is longer?" || found.Budget != 20 {
		t.Errorf("what was said and changed since is not there: %+v", found)
	}
	for other, differs := range map[string]string{
		space + `,"seed":9007199254740992,"budget":7`:                                                    "another seed:",
		`"params":[{"name":"x","low":0,"high":2}],"seed":9007199254740993,"budget":7`:                    "another space.params:",
		`"items":[{"id":"a"},{"id":"b"}],"seed":9007199254740993,"budget":7`:                             "another space.items, space.params:",
		space + `,"seed":9007199254740993,"prompt":"Which is longer?","answers":{"grades":1},"budget":7`: "another answers.grades, prompt:",
	} {
		h.refused(409, "study_differs", "", "PUT", "/v1/studies/line", `{`+other+`}`)
		if _, _, text := h.do("PUT", "/v1/studies/line", `{`+other+`}`); !strings.Contains(string(text), differs) {
			t.Errorf("%s: %s, want %q", other, text, differs)
		}
	}
	h.refused(422, "invalid", "body.name", "PUT", "/v1/studies/line", `{"name":"dot",`+space+`}`)
	h.refused(422, "invalid", "body.colour", "PUT", "/v1/studies/dot", `{"colour":1,`+space+`}`)
	h.refused(422, "study_name", "body.name", "PUT", "/v1/studies/%00", `{`+space+`}`)
	h.want(404, "GET", "/v1/studies/dot", "", nil)
}

// TestEnsureTogether: of many who make one study at once one makes it, and the others find it.
func TestEnsureTogether(t *testing.T) {
	h := newTestServer(t, nil)
	statuses := make(chan int)
	for range 8 {
		go func() {
			status, _, _ := h.do("PUT", "/v1/studies/line", `{"params":[{"name":"x","low":0,"high":1}]}`)
			statuses <- status
		}()
	}
	count := map[int]int{}
	for range 8 {
		count[<-statuses]++
	}
	if count[201] != 1 || count[200] != 7 {
		t.Errorf("statuses %v, want one 201 and seven 200", count)
	}
}
