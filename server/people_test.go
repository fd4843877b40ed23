package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

func TestPerRater(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"seed":7`, `"people":"per_rater","seed":1`, 1), nil)
	h.play("ann", 3)
	h.play("bob", 3)
	h.refused(422, "invalid", "query.rater", "GET", "/v1/studies/coffee/best", "")
	h.want(200, "GET", "/v1/studies/coffee/best?rater=ann", "", nil)
	if st := h.ask("ann").Status; st.Answers != 3 {
		t.Errorf("ann's status is %+v", st)
	}
	status, _, text := h.do("GET", "/s/coffee/result", "")
	for _, want := range []string{"After 6 answers of 2 people", "/s/coffee/result?rater=ann", "bob&#39;s favourite so far", "The group’s pick"} {
		if status != 200 || !strings.Contains(string(text), want) {
			t.Errorf("the result of everybody: %d, no %q in %.3000s", status, want, text)
		}
	}
	if strings.Contains(string(text), "How far they agree") {
		t.Error("three answers each say how far two people agree")
	}
	if status, _, text := h.do("GET", "/s/coffee/result?rater=eve", ""); status != 404 || !strings.Contains(string(text), "eve") {
		t.Errorf("the result of nobody: %d %.300s", status, text)
	}
	if status, _, text = h.do("GET", "/s/coffee/result?rater=ann", ""); status != 200 || !strings.Contains(string(text), "ann&#39;s favourite so far") || !strings.Contains(string(text), "After 3 answers") || strings.Contains(string(text), "?more=1") {
		t.Errorf("ann's result: %d %.3000s", status, text)
	}
	if _, _, text := h.do("GET", "/s/coffee/owner", ""); !strings.Contains(string(text), "/s/coffee/result?rater=bob") {
		t.Error("the page of people does not lead to bob's result")
	}
	var g prefer.Group
	h.want(200, "GET", "/v1/studies/coffee/group", "", &g)
	if fmt.Sprint(g.Raters) != "[ann bob]" {
		t.Errorf("the group is %+v", g)
	}
}

func TestExclude(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.play("ann", 2)
	h.play("bob", 1)
	h.want(204, "POST", "/v1/studies/coffee/exclude", `{"rater":"ann","why":"in a hurry"}`, nil)
	var people ratersOutputBody
	h.want(200, "GET", "/v1/studies/coffee/raters", "", &people)
	if len(people.Raters) != 2 || !people.Raters[0].Out || people.Raters[0].OutWhy != "in a hurry" || people.Raters[1].Out {
		t.Errorf("raters %+v, want ann left out", people.Raters)
	}
	if st := h.ask("bob").Status; st.Answers != 1 {
		t.Errorf("%d answers count, want bob's", st.Answers)
	}
	h.want(204, "POST", "/v1/studies/coffee/exclude", `{"rater":"ann","back":true}`, nil)
	if st := h.ask("bob").Status; st.Answers != 3 {
		t.Errorf("%d answers count, want all", st.Answers)
	}
	h.refused(404, "no_rater", "body.rater", "POST", "/v1/studies/coffee/exclude", `{"rater":"eve"}`)
}

// TestRenameForget: a name for pages, and everything of somebody erased, their link with it.
func TestRenameForget(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.OwnerToken = owner })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.play("ann", 2)
	h.play("bob", 1)
	h.play("", 1)
	var link struct{ Token string }
	h.want(201, "POST", "/v1/studies/coffee/links", `{"rater":"ann"}`, &link)
	h.want(204, "POST", "/v1/studies/coffee/rename", `{"rater":"ann","name":"Annabel"}`, nil)
	h.refused(422, "invalid", "body.name", "POST", "/v1/studies/coffee/rename", `{"rater":"bob","name":"Annabel"}`)
	var people ratersOutputBody
	h.want(200, "GET", "/v1/studies/coffee/raters", "", &people)
	if len(people.Raters) != 3 || people.Raters[1].Name != "ann" || people.Raters[1].Called != "Annabel" || people.Raters[2].Called != "" {
		t.Errorf("raters %+v", people.Raters)
	}
	var gone forgetOutputBody
	h.want(200, "POST", "/v1/studies/coffee/forget", `{"rater":"ann"}`, &gone)
	if gone.Removed != 6 { // two questions, two answers, a link and a name
		t.Errorf("%d removed", gone.Removed)
	}
	h.want(200, "POST", "/v1/studies/coffee/forget", `{"rater":""}`, nil)
	people = ratersOutputBody{}
	h.want(200, "GET", "/v1/studies/coffee/raters", "", &people)
	if len(people.Raters) != 1 || people.Raters[0].Name != "bob" {
		t.Errorf("left are %+v", people.Raters)
	}
	h.as(link.Token).refused(401, "token", "", "POST", "/v1/studies/coffee/ask", `{}`)
	h.refused(404, "no_rater", "body.rater", "POST", "/v1/studies/coffee/forget", `{"rater":"ann"}`)
}

func TestEnqueue(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.want(202, "POST", "/v1/studies/coffee/enqueue", `{"option":{"milk":0.125,"sugar":4}}`, nil)
	q := h.ask("ann")
	if (q.Options[0].Params.Float("milk") == 0.125) == (q.Options[1].Params.Float("milk") == 0.125) {
		t.Errorf("asked %+v, want the option in the queue on one side", q.Options)
	}
	h.want(202, "POST", "/v1/studies/coffee/enqueue", `{"option":{"milk":0.25,"sugar":2},"against":{"milk":0.75,"sugar":3},"except":["judge"]}`, nil)
	for rater, want := range map[string]bool{"judge": false, "cy": true} {
		asked := h.ask(rater)
		milk := map[float64]bool{asked.Options[0].Params.Float("milk"): true, asked.Options[1].Params.Float("milk"): true}
		if got := milk[0.25] && milk[0.75]; got != want {
			t.Errorf("%s is asked %+v", rater, asked.Options)
		}
	}
	h.refused(422, "option", "body.option", "POST", "/v1/studies/coffee/enqueue", `{"option":{"milk":0.25,"sugar":2},"against":{"milk":0.25,"sugar":2}}`)
	h.refused(422, "invalid", "body.rater", "POST", "/v1/studies/coffee/enqueue", `{"option":{"milk":0.25,"sugar":2},"against":{"milk":0.5,"sugar":2},"rater":"ann"}`)
	h.refused(422, "invalid", "body.except", "POST", "/v1/studies/coffee/enqueue", `{"option":{"milk":0.25,"sugar":2},"except":["ann"]}`)
	h.refused(422, "option", "body.option", "POST", "/v1/studies/coffee/enqueue", `{"option":{"milk":0.125}}`)
	h.refused(422, "invalid", "body", "POST", "/v1/studies/coffee/enqueue", `{}`)
}
