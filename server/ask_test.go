package server

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

func TestAsk(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	q := h.ask("ann")
	if q.ID != "q1" || q.Seq != 2 || q.Kind != "pair" || q.Prompt != "Which cup?" || q.Rater != "ann" || q.Repeat || len(q.Options) != 2 ||
		q.ShownOrder[0] != q.Options[0].ID || q.ShownOrder[1] != q.Options[1].ID || q.Options[0].ID == q.Options[1].ID ||
		len(q.Options[0].Params) != 2 || q.Status.Verdict != "keep_going" || q.Why == nil || q.Why.Method != "design" {
		t.Errorf("asked %+v", q)
	}
	again := h.ask("ann")
	again.Status, q.Status = Status{}, Status{}
	if !reflect.DeepEqual(again, q) {
		t.Errorf("asked again, it is\n%+v, want\n%+v", again, q)
	}
	var verb Question
	h.want(200, "POST", "/v1/studies/coffee:ask", `{"rater":"ann"}`, &verb)
	if verb.ID != q.ID {
		t.Errorf("study:ask is %q, want %q", verb.ID, q.ID)
	}
	h.want(200, "POST", "/v1/studies/coffee/ask", "", nil) // nobody in particular, and no body
	if bob := h.ask("bob"); bob.ID == q.ID {
		t.Error("two raters have the same question")
	}
	_, head, _ := h.do("POST", "/v1/studies/coffee/ask", `{"rater":"cat"}`)
	for _, part := range []string{"store;dur=", "fit;dur=", "search;dur="} {
		if !strings.Contains(head.Get("Server-Timing"), part) {
			t.Errorf("Server-Timing is %q, want %s in it", head.Get("Server-Timing"), part)
		}
	}
}

// TestAskOfRater: a rater says where they are, and nothing else about the question they get. The best option so far is the result, held or not, and is
// not told where the study does not show it; nor how long what took.
func TestAskOfRater(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"params":[`, `"params":[{"name":"noise","type":"categorical","choices":["quiet","babble"],"context":true},`, 1), nil)
	ann := h.invite("coffee", "ann")
	const ask = "/v1/studies/coffee/ask"
	h.want(200, "POST", "/v1/studies/coffee/tell", `{"winner":{"milk":0.2,"sugar":1,"noise":"quiet"},"loser":{"milk":0.9,"sugar":4,"noise":"quiet"},"rater":"ann"}`, nil)
	for field, value := range map[string]string{
		"hold_best": `true`, "hold": `{"milk":0.25,"sugar":1,"noise":"quiet"}`, "count": `2`, "budget_ms": `60000`, "fixed": `{"noise":"quiet","milk":0.25}`,
	} {
		body := fmt.Sprintf(`{"fixed":{"noise":"quiet"},%q:%s}`, field, value)
		if field == "fixed" {
			body = fmt.Sprintf(`{"fixed":%s}`, value)
		}
		ann.refused(403, "owner_only", "body."+field, "POST", ask, body)
		if status, _, text := h.do("POST", ask, strings.Replace(body, "{", `{"rater":"owner's `+field+`",`, 1)); status != 200 {
			t.Errorf("the owner's %s: %d %s", body, status, text)
		}
	}
	ann.refused(403, "no_results", "", "POST", ask, `{"blind":true,"fixed":{"noise":"quiet"}}`)
	ann.refused(422, "context", "body", "POST", ask, "{}")
	var q Question
	ann.want(200, "POST", ask, `{"fixed":{"noise":"quiet"},"count":1}`, &q)
	if q.Options[0].Params.Word("noise") != "quiet" {
		t.Errorf("under quiet they are asked %+v", q.Options)
	}
	if _, head, _ := ann.do("POST", ask, `{"fixed":{"noise":"quiet"}}`); head.Get("Server-Timing") != "" {
		t.Errorf("a rater reads that it took %s", head.Get("Server-Timing"))
	}
	ann.refused(403, "owner_only", "body.learn", "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","learn":false}`, q.ID))
	ann.want(200, "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","learn":true}`, q.ID), nil)
}

// TestOptionIDs: what an option is called says where it is shown, and not where the log has it, which may be the place of what was held.
func TestOptionIDs(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	for i := range 4 {
		if q := h.ask(fmt.Sprint("rater", i)); q.Options[0].ID != fmt.Sprintf("o_%da", i+1) || q.Options[1].ID != fmt.Sprintf("o_%db", i+1) {
			t.Errorf("%s is about %s and %s", q.ID, q.Options[0].ID, q.Options[1].ID)
		}
	}
}

func TestAskConditions(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	var q Question
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"ann","fixed":{"milk":0.5}}`, &q)
	for _, o := range q.Options {
		if o.Params.Float("milk") != 0.5 {
			t.Errorf("with milk fixed at 0.5 there is %v", o.Params)
		}
	}
	h.refused(409, "question_open", "", "POST", "/v1/studies/coffee/ask", `{"rater":"ann"}`)
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"bob","hold":{"milk":0.25,"sugar":1}}`, &q)
	if held := q.Options[0].Params.Float("milk") == 0.25; held == (q.Options[1].Params.Float("milk") == 0.25) {
		t.Errorf("not one of %v is held", q.Options)
	}
	h.tell(q, "first")
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"bob","hold_best":true}`, &q)
	var many struct{ Questions []Question }
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"cat","count":3}`, &many)
	ids := map[string]bool{}
	for i, q := range many.Questions {
		if ids[q.ID] = true; q.Rater != "cat" {
			t.Errorf("question %d is for %q", i, q.Rater)
		}
	}
	if len(ids) != 3 {
		t.Fatalf("asked %+v, want three", many)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"rater":"cat","question_id":%q,"choice":"first"}`, many.Questions[1].ID), nil)
	var again struct{ Questions []Question }
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"cat","count":3}`, &again)
	if got := again.Questions; len(got) != 3 || got[0].ID != many.Questions[0].ID || got[1].ID != many.Questions[2].ID || ids[got[2].ID] {
		t.Errorf("after one answer they have %+v, want the two that are left and a new one", got)
	}
	for _, c := range []struct{ field, body string }{
		{"body.k", `{"k":3}`},
		{"body.hold_best", `{"hold_best":true,"hold":{"milk":0,"sugar":0}}`},
		{"body", `{"rater":"dan","hold":{"milk":7,"sugar":0}}`},
		{"body", `{"rater":"dan","fixed":{"colour":7}}`},
		{"body.count", `{"count":33}`},
		{"body.count", `{"count":"two"}`},
		{"body.budget_ms", `{"budget_ms":-1}`},
		{"body.rater", `{"rater":"ann#1"}`},
		{"body.rater", `{"rater":"a\u0000b"}`},
		{"body.colour", `{"colour":"red"}`},
		{"body.fixed.milk", `{"fixed":{"milk":[]}}`},
	} {
		kind := "invalid"
		if c.field == "body" {
			kind = "option"
		}
		h.refused(422, kind, c.field, "POST", "/v1/studies/coffee/ask", c.body)
	}
	h.refused(400, "invalid", "body", "POST", "/v1/studies/coffee/ask", `{`)
	h.refused(404, "no_study", "", "POST", "/v1/studies/tea/ask", `{}`)
	h.want(201, "POST", "/v1/studies", strings.Replace(strings.Replace(coffee, "coffee", "each", 1), `"seed"`, `"people":"per_rater","seed"`, 1), nil)
	h.want(200, "POST", "/v1/studies/each/ask", `{"rater":"cat","count":2}`, &many)
	if len(many.Questions) != 2 || many.Questions[1].Rater != "cat" {
		t.Errorf("in a study per rater asked %+v, want two of theirs", many.Questions)
	}
	h.refused(422, "per_rater", "", "POST", "/v1/studies/each/ask", `{"count":2}`)
}

// TestAskTogether: however many ask for one rater at once, there is one question; raters have their own.
func TestAskTogether(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	var mu sync.Mutex
	ids := map[string]map[string]bool{}
	var wait sync.WaitGroup
	for i := range 24 {
		wait.Go(func() {
			rater := fmt.Sprint("rater", i%3)
			q := h.ask(rater)
			mu.Lock()
			defer mu.Unlock()
			if ids[rater] == nil {
				ids[rater] = map[string]bool{}
			}
			ids[rater][q.ID] = true
		})
	}
	wait.Wait()
	all := map[string]bool{}
	for rater, of := range ids {
		if len(of) != 1 {
			t.Errorf("%s was asked %v, want one question", rater, of)
		}
		for id := range of {
			all[id] = true
		}
	}
	if len(all) != 3 {
		t.Errorf("three raters have the questions %v", all)
	}
}

// TestAskAhead: while a rater looks the next question is chosen, and it is the one that would have been chosen.
func TestAskAhead(t *testing.T) {
	h, plain := newTestServer(t, nil), newTestServer(t, nil)
	for _, each := range []*testServer{h, plain} {
		each.want(201, "POST", "/v1/studies", coffee, nil)
	}
	for i := range 7 {
		q, want := h.ask("ann"), plain.ask("ann")
		if !reflect.DeepEqual(q.Options, want.Options) {
			t.Fatalf("question %d is %v, want %v", i, q.Options, want.Options)
		}
		err := h.server.studies.With(t.Context(), "coffee", func(open *live.Study) error {
			host := open.Study.Host()
			host.Shown = func(id prefer.QuestionID) prefer.Answer {
				asked, _ := open.Study.Question(id)
				return prefer.Answer{Swapped: asked.First.String() != q.Options[0].Params.String(), RandomSides: true}
			}
			n, err := host.Prefetch(t.Context(), "ann")
			if n != 3 {
				t.Errorf("%d chosen ahead", n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		h.tell(q, "first")
		plain.tell(want, "first")
	}
}
