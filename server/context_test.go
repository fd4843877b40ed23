package server

import (
	"net/url"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

const hearing = `{"name":"hearing","params":[{"name":"gain","low":0,"high":40},{"name":"noise","type":"categorical","choices":["quiet","babble"],"context":true}],
	"initial":2,"budget":4,"show_result":true}`

// TestContext: questions, status, verdicts and beliefs under a context over HTTP are those of the study, and what leaves it out is
// refused by name.
func TestContext(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", hearing, nil)
	const at = "/v1/studies/hearing"
	h.refused(422, "context", "body", "POST", at+"/ask", `{"rater":"ann"}`)
	h.refused(422, "option", "body", "POST", at+"/ask", `{"rater":"ann","fixed":{"noise":"loud"}}`)
	h.refused(422, "context", "body", "POST", at+"/ask", `{"rater":"ann","blind":true}`)
	for k := range 6 {
		noise := []string{"quiet", "quiet", "babble"}[k%3]
		var q Question
		h.want(200, "POST", at+"/ask", `{"rater":"ann","fixed":{"noise":"`+noise+`"}}`, &q)
		for _, o := range q.Options {
			if o.Params.Word("noise") != noise {
				t.Fatalf("asked under %s: %v", noise, o.Params)
			}
		}
		if given := []int{0, 1, 0, 2, 3, 1}[k]; q.Status.Given != given || q.Status.Budget != 4 {
			t.Errorf("question %d under %s: %d of %d given, want %d of 4", k, noise, q.Status.Given, q.Status.Budget, given)
		}
		choice := "first"
		if less := q.Options[0].Params.Float("gain") < q.Options[1].Params.Float("gain"); less == (noise == "babble") {
			choice = "second"
		}
		h.want(200, "POST", at+"/tell", `{"question_id":"`+q.ID+`","choice":"`+choice+`"}`, nil)
	}
	study, err := h.store.Study(t.Context(), "hearing")
	if err != nil {
		t.Fatal(err)
	}
	var all standings
	h.want(200, "GET", at+"/contexts?rater=ann", "", &all)
	for i, each := range []struct {
		noise string
		kind  prefer.VerdictKind
		given int
	}{{"quiet", prefer.BudgetReached, 4}, {"babble", prefer.KeepGoing, 2}} {
		look := prefer.Look{Fixed: space.Option{"noise": space.ValueOf(each.noise)}}
		want, err := study.Best(t.Context(), look)
		if err != nil {
			t.Fatal(err)
		}
		var v prefer.Verdict
		h.want(200, "GET", at+"/verdict?rater=ann&fixed=noise="+each.noise, "", &v)
		if s := all.Contexts[i]; v.Kind != each.kind || v.Given != each.given || s.Verdict.Kind != v.Kind || s.Verdict.Given != v.Given || s.Fixed.Word("noise") != each.noise {
			t.Errorf("under %s the verdict is %s with %d given, among all %s with %d, want %+v", each.noise, v.Kind, v.Given, s.Verdict.Kind, s.Verdict.Given, each)
		}
		var best prefer.Best
		h.want(200, "GET", at+"/best?fixed="+url.QueryEscape(`{"noise":"`+each.noise+`"}`), "", &best)
		if best.Option.Float("gain") != want.Option.Float("gain") || best.Confidence != want.Confidence {
			t.Errorf("under %s the best is %+v, want %+v", each.noise, best, want)
		}
		var b belief
		h.want(200, "GET", at+"/belief?fixed=noise="+each.noise, "", &b)
		if len(b.Slices) != 1 || len(b.Importance) != 1 || b.Best.Float("gain") != want.Option.Float("gain") {
			t.Errorf("under %s it believes %+v", each.noise, b)
		}
	}
	for _, path := range []string{"/best", "/verdict", "/belief", "/check"} {
		h.refused(422, "context", "query.fixed", "GET", at+path, "")
		h.refused(422, "option", "query.fixed", "GET", at+path+"?fixed=noise=loud", "")
		h.refused(422, "option", "query.fixed", "GET", at+path+"?fixed=nose=quiet", "")
		h.refused(422, "invalid", "query.fixed", "GET", at+path+"?fixed=quiet", "")
		h.refused(422, "invalid", "query.fixed", "GET", at+path+"?fixed="+url.QueryEscape(`{"noise":`), "")
	}
	h.refused(422, "invalid", "query.params", "GET", at+"/belief?fixed=noise=quiet&params=noise", "")
	var p predicted
	h.want(200, "POST", at+"/predict", `{"pairs":[[{"gain":1,"noise":"quiet"},{"gain":30,"noise":"quiet"}]]}`, &p)
	if len(p.PFirst) != 1 || p.PFirst[0] < 0.5 {
		t.Errorf("in quiet 1 is taken before 30 with probability %v", p.PFirst)
	}
	h.refused(422, "context", "body.pairs[0]", "POST", at+"/predict", `{"pairs":[[{"gain":1,"noise":"quiet"},{"gain":30,"noise":"babble"}]]}`)
	h.refused(422, "context", "body", "POST", at+"/tell", `{"winner":{"gain":1,"noise":"quiet"},"loser":{"gain":30,"noise":"babble"}}`)
	var q Question
	h.want(200, "POST", at+"/ask", `{"rater":"ann","blind":true,"fixed":{"noise":"babble"}}`, &q)
	if q.Options[0].Params.Word("noise") != "babble" || q.Options[1].Params.Word("noise") != "babble" {
		t.Errorf("a blind duel under babble: %+v", q.Options)
	}
	all = standings{}
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.want(200, "GET", "/v1/studies/coffee/contexts", "", &all)
	if len(all.Contexts) != 0 {
		t.Errorf("a study without contexts has %+v", all.Contexts)
	}
	var best prefer.Best
	h.want(200, "GET", "/v1/studies/coffee/best?fixed=milk=1", "", &best)
	if best.Option.Float("milk") != 1 {
		t.Errorf("the best with milk = 1 is %v", best.Option)
	}
	own := strings.Replace(strings.Replace(hearing, `"hearing"`, `"own"`, 1), `"initial":2`, `"people":"per_rater"`, 1)
	h.want(201, "POST", "/v1/studies", own, nil)
	h.refused(422, "context", "query.fixed", "GET", "/v1/studies/own/group", "")
	h.refused(422, "option", "query.fixed", "GET", "/v1/studies/own/group?fixed=noise=loud", "")
	h.want(200, "GET", "/v1/studies/own/group?fixed=noise=quiet", "", nil)
}
