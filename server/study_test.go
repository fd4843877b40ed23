package server

import (
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/live"
)

func TestStudies(t *testing.T) {
	h := newTestServer(t, nil)
	var made, got Study
	h.want(201, "POST", "/v1/studies", coffee, &made)
	h.want(200, "GET", "/v1/studies/coffee", "", &got)
	if made.Name != "coffee" || made.Prompt != "Which cup?" || made.People != "shared" || len(made.Space.Parameters) != 2 || made.Count != 0 || made.Seq != 1 || made.Created.IsZero() {
		t.Errorf("made %+v", made)
	}
	if got.Name != made.Name || !got.Created.Equal(made.Created) || got.Seq != made.Seq {
		t.Errorf("got %+v, want %+v", got, made)
	}
	list := `{"name":"a list","items":[{"id":"x","text":"one"},{"id":"y","text":"two"},{"id":"z","text":"three"}],"show_result":true,"checks":{"repeat_rate":0.1,"min_rt_ms":5,"catch":[{"better":{"item":"x"},"worse":{"item":"y"}}]}}`
	h.want(201, "POST", "/v1/studies", list, &made)
	if made.Space.Items != 3 || made.Settings == nil || !made.Settings.ShowResult || made.Settings.Checks.RepeatRate != 0.1 || len(made.Settings.Checks.Catch) != 1 {
		t.Errorf("made %+v with %+v", made, made.Settings)
	}
	var all struct {
		Studies []Study
		Next    string
	}
	h.want(200, "GET", "/v1/studies", "", &all)
	if len(all.Studies) != 2 || all.Studies[0].Name != "a list" || all.Studies[1].Name != "coffee" || all.Next != "" {
		t.Errorf("listed %+v", all)
	}
	h.want(200, "GET", "/v1/studies?limit=1", "", &all)
	if len(all.Studies) != 1 || all.Next != "a list" {
		t.Errorf("the first of the list is %+v", all)
	}
	h.want(200, "GET", "/v1/studies?after=a%20list", "", &all)
	if len(all.Studies) != 1 || all.Studies[0].Name != "coffee" {
		t.Errorf("the rest of the list is %+v", all)
	}
	h.want(204, "DELETE", "/v1/studies/a%20list", "", nil)
	h.refused(404, "no_study", "", "GET", "/v1/studies/a%20list", "")
	h.refused(404, "no_study", "", "DELETE", "/v1/studies/a%20list", "")
	h.want(201, "POST", "/v1/studies", list, nil)
}

func TestStudyRefused(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	const space = `"params":[{"name":"x","type":"float","low":0,"high":1}]`
	for _, c := range []struct{ kind, field, body string }{
		{"json", "", `{`},
		{"json", "", `null`},
		{"json", "", `[]`},
		{"invalid", "body.name", `{}`},
		{"invalid", "body.name", `{"name":1,` + space + `}`},
		{"study_name", "body.name", `{"name":"a/b",` + space + `}`},
		{"study_exists", "body.name", coffee},
		{"invalid", "body", `{"name":"x"}`},
		{"invalid", "body.colour", `{"name":"x","colour":1,` + space + `}`},
		{"invalid", "body", `{"name":"x","method":"magic",` + space + `}`},
		{"invalid", "body.seed", `{"name":"x","seed":"seven",` + space + `}`},
		{"invalid", "body.budget", `{"name":"x","budget":0,` + space + `}`},
		{"invalid", "body.budget", `{"name":"x","budget":-1,` + space + `}`},
		{"invalid", "body.budget", `{"name":"x","budget":"some",` + space + `}`},
		{"invalid", "body.tolerance", `{"name":"x","tolerance":"1 salt",` + space + `}`},
		{"invalid", "body.tolerance", `{"name":"x","tolerance":"a lot",` + space + `}`},
		{"invalid", "body.tolerance", `{"name":"x","tolerance":true,` + space + `}`},
		{"invalid", "body.page", `{"name":"x","page":{"goal":-1},` + space + `}`},
		{"invalid", "body.checks", `{"name":"x","checks":{"rate":1},` + space + `}`},
		{"invalid", "body.checks.repeat_rate", `{"name":"x","checks":{"repeat_rate":2},` + space + `}`},
		{"invalid", "body.checks.min_rt_ms", `{"name":"x","checks":{"min_rt_ms":-1},` + space + `}`},
		{"invalid", "body.checks.catch_every", `{"name":"x","checks":{"catch_every":1},` + space + `}`},
		{"invalid", "body.checks.catch[0]", `{"name":"x","checks":{"catch":[{"better":{"x":5},"worse":{"x":0}}]},` + space + `}`},
	} {
		status := 422
		switch c.kind {
		case "json":
			status = 400
		case "study_exists":
			status = 409
		}
		h.refused(status, c.kind, c.field, "POST", "/v1/studies", c.body)
	}
	h.refused(413, "invalid", "", "POST", "/v1/studies", `{"name":"`+strings.Repeat("x", maxBody)+`"}`)
	h.refused(422, "study_name", "", "GET", "/v1/studies/%00", "")
	h.refused(405, "method", "", "PUT", "/v1/studies", "")
	h.refused(404, "no_address", "", "GET", "/v1/nothing", "")
	h.refused(404, "no_address", "", "GET", "/nothing", "")
	h.refused(422, "invalid", "query.colour", "GET", "/v1/studies?colour=red", "")
	h.refused(415, "content_type", "", "POST", "/v1/studies", coffee, "Content-Type", "text/plain")
}

// TestChange: whose favourite a study seeks, its budget and its prompt can be changed while it runs; all answers count either way, and what makes no
// sense is refused by its field.
func TestChange(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.OwnerToken = owner })
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"seed"`, `"page":{"goal":5},"seed"`, 1), nil)
	h.play("ann", 3)
	h.play("bob", 2)
	var link struct{ Token string }
	h.want(201, "POST", "/v1/studies/coffee/links", `{"rater":"ann"}`, &link)
	change := func(body string) (out Study) {
		t.Helper()
		h.want(200, "PATCH", "/v1/studies/coffee", body, &out)
		return out
	}
	if st := change(`{"people":"per_rater"}`); st.People != "per_rater" || st.Budget != 5 || st.Count != 5 || st.Prompt != "Which cup?" {
		t.Errorf("each their own: %+v", st)
	}
	if st := h.ask("ann").Status; st.Answers != 3 || st.Raters != 1 {
		t.Errorf("ann's status, each their own, is %+v", st)
	}
	if st := change(`{"people":"shared","budget":2,"prompt":"Or this?"}`); st.People != "shared" || st.Budget != 2 || st.Prompt != "Or this?" {
		t.Errorf("one for the team: %+v", st)
	}
	if q := h.ask("ann"); q.Status.Answers != 5 || q.Status.Raters != 2 || q.Status.Verdict != "budget_reached" || q.Prompt != "Which cup?" {
		t.Errorf("ann's open question, one for the team, is %+v", q)
	}
	if q := h.ask("cat"); q.Prompt != "Or this?" {
		t.Errorf("a question asked afterwards is %q", q.Prompt)
	}
	st := change(`{"show_result":true,"checks":{"repeat_rate":0.1,"catch":[{"better":{"milk":0,"sugar":0},"worse":{"milk":1,"sugar":5}}]},"page":{"complete":"https://a.example/done","paused":true,"language":"de","prompts":{"ar":"أيهما؟"}}}`)
	want := live.Settings{ShowResult: true, Checks: live.Checks{RepeatRate: 0.1, Catch: st.Settings.Checks.Catch}, Page: live.Appearance{Complete: "https://a.example/done", Paused: true, Language: "de", Prompts: map[string]string{"ar": "أيهما؟"}}}
	if !reflect.DeepEqual(*st.Settings, want) || len(want.Checks.Catch) != 1 {
		t.Errorf("the settings are %+v", st.Settings)
	}
	if st := change(`{"checks":{"catch":[]},"page":{"complete":"","paused":false,"language":"","prompts":{}}}`); len(st.Settings.Checks.Catch) != 0 || st.Settings.Checks.RepeatRate != 0.1 || !reflect.DeepEqual(st.Settings.Page, live.Appearance{}) {
		t.Errorf("the settings are %+v", st.Settings)
	}
	if st := change(`{"budget":0}`); st.Budget != 0 {
		t.Errorf("no budget: %+v", st)
	}
	seq := change(`{"people":"shared"}`).Seq
	if again := change(`{"people":"shared"}`).Seq; again != seq {
		t.Errorf("a change to what is there adds %d events", again-seq)
	}
	h.refused(422, "invalid", "body", "PATCH", "/v1/studies/coffee", `{}`)
	h.refused(422, "invalid", "body.people", "PATCH", "/v1/studies/coffee", `{"people":"nobody"}`)
	h.refused(422, "invalid", "body.budget", "PATCH", "/v1/studies/coffee", `{"budget":-1}`)
	h.refused(422, "invalid", "body.page.complete", "PATCH", "/v1/studies/coffee", `{"prompt":"never","page":{"complete":"javascript:1"}}`)
	h.refused(422, "invalid", "body.checks.catch[0]", "PATCH", "/v1/studies/coffee", `{"checks":{"catch":[{"better":{"tea":0},"worse":{"tea":1}}]}}`)
	h.refused(422, "invalid", "body.page.language", "PATCH", "/v1/studies/coffee", `{"page":{"language":"tlh"}}`)
	h.refused(422, "invalid", "body.page.prompts.de", "PATCH", "/v1/studies/coffee", `{"page":{"prompts":{"de":""}}}`)
	h.refused(422, "invalid", "body.page.template", "PATCH", "/v1/studies/coffee", `{"page":{"template":{}}}`)
	h.refused(422, "invalid", "body.space", "PATCH", "/v1/studies/coffee", `{"space":{}}`)
	h.refused(404, "no_study", "", "PATCH", "/v1/studies/tea", `{"budget":1}`)
	h.as(link.Token).refused(403, "owner_only", "", "PATCH", "/v1/studies/coffee", `{"budget":1}`)
}
