package server

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// TestTell: "first" is what was shown first, whatever the log calls it, and both sides are used alike.
func TestTell(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	swapped := 0
	for i := range 8 {
		q := h.ask("ann")
		choice := []string{"first", "second"}[i/2%2]
		out := h.tell(q, choice)
		if out.Answer != fmt.Sprintf("a%d", i+1) || out.Status.Answers != i+1 {
			t.Errorf("told %+v", out)
		}
		e := h.lastAnswer()
		won := e.First
		if e.Answer.Choice == prefer.Second {
			won = e.Second
		}
		if want := q.Options[i/2%2].Params; !maps.Equal(won, want) {
			t.Errorf("the rater chose %v, the log says %v", want, won)
		}
		if e.Answer.Swapped != maps.Equal(e.Second, q.Options[0].Params) {
			t.Errorf("the log says swapped %v, and %v of {%v}, {%v} was shown first", e.Answer.Swapped, q.Options[0].Params, e.First, e.Second)
		}
		if e.Answer.Swapped {
			swapped++
		}
		if i%2 == 1 && swapped != (i+1)/2 {
			t.Errorf("%d of %d questions were exchanged, want half of them", swapped, i+1)
		}
	}
	for _, choice := range []string{"tie", "both_bad", "skip"} {
		h.tell(h.ask("ann"), choice)
		if e := h.lastAnswer(); string(e.Answer.Choice) != choice {
			t.Errorf("told %s, kept %+v", choice, e.Answer)
		}
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"rater":"ann","choice":"first","rt_ms":2140,"session":"s","learn":false}`, h.ask("ann").ID), nil)
	if a := h.lastAnswer().Answer; a.ResponseTime != 2140*time.Millisecond || a.Session != "s" || !a.Check {
		t.Errorf("kept %+v", a)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", `{"winner":{"milk":0.1,"sugar":1},"loser":{"milk":0.2,"sugar":2},"rater":"bob"}`, nil)
	if e := h.lastAnswer(); !e.Observed || e.Rater != "bob" || e.First.Float("milk") != 0.1 || e.Answer.Choice != prefer.First {
		t.Errorf("kept %+v", e)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", `{"winner":{"milk":0.1,"sugar":1},"loser":{"milk":0.2,"sugar":2},"tie":true}`, nil)
	if e := h.lastAnswer(); e.Answer.Choice != prefer.Tie {
		t.Errorf("kept %+v", e)
	}
}

func TestTellKey(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	q := h.ask("ann")
	body := fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, q.ID)
	var one, two told
	h.want(200, "POST", "/v1/studies/coffee/tell?next=1", body, &one, "Idempotency-Key", "k1")
	h.want(200, "POST", "/v1/studies/coffee/tell?next=1", body, &two, "Idempotency-Key", "k1")
	if one.Answer != two.Answer || one.Next == nil || two.Next == nil || one.Next.ID != two.Next.ID || two.Status.Answers != 1 || one.Next.Rater != "ann" {
		t.Errorf("told %+v, again %+v", one, two)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k1"}`, q.ID), &two)
	if one.Answer != two.Answer {
		t.Errorf("told %+v, again %+v", one, two)
	}
	h.refused(422, "invalid", "body.key", "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k2"}`, one.Next.ID), "Idempotency-Key", "k3")
	h.refused(422, "answer", "body", "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k1"}`, one.Next.ID))
	h.refused(409, "no_question", "", "POST", "/v1/studies/coffee/tell", body)
}

func TestTellRefused(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	id := h.ask("ann").ID
	for _, c := range []struct {
		status            int
		kind, field, body string
	}{
		{422, "invalid", "body.question_id", `{}`},
		{422, "invalid", "body.question_id", `{"choice":"first"}`},
		{404, "no_question", "", `{"question_id":"q99","choice":"first"}`},
		{422, "invalid", "body.choice", `{"question_id":"` + id + `","choice":"third"}`},
		{422, "answer", "body", `{"question_id":"` + id + `"}`},
		{422, "answer", "body", `{"question_id":"` + id + `","choice":"first","strength":2}`},
		{422, "invalid", "body.strength", `{"question_id":"` + id + `","choice":"first","strength":99}`},
		{422, "invalid", "body.best", `{"question_id":"` + id + `","best":"o_1a"}`},
		{422, "invalid", "body.ranking", `{"question_id":"` + id + `","ranking":["o_1a","o_1b"]}`},
		{422, "invalid", "body.rt_ms", `{"question_id":"` + id + `","choice":"first","rt_ms":-5}`},
		{403, "other_rater", "", `{"question_id":"` + id + `","choice":"first","rater":"bob"}`},
		{422, "invalid", "body.question_id", `{"question_id":"` + id + `","winner":{},"loser":{}}`},
		{422, "invalid", "body", `{"winner":{"milk":0,"sugar":0}}`},
		{422, "option", "body", `{"winner":{"milk":0,"sugar":0},"loser":{"milk":0}}`},
		{422, "invalid", "body.choice", `{"winner":{"milk":0,"sugar":0},"loser":{"milk":1,"sugar":0},"choice":"first"}`},
		{422, "invalid", "body.tie", `{"question_id":"` + id + `","tie":true}`},
		{422, "invalid", "body.key", `{"question_id":"` + id + `","choice":"first","key":"a\u0000"}`},
		{422, "invalid", "body.colour", `{"question_id":"` + id + `","choice":"first","colour":"red"}`},
	} {
		h.refused(c.status, c.kind, c.field, "POST", "/v1/studies/coffee/tell", c.body)
	}
	var got Study
	if h.want(200, "GET", "/v1/studies/coffee", "", &got); got.Count != 0 {
		t.Errorf("%d answers were kept of those refused", got.Count)
	}
}

func TestUndo(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	first := h.ask("ann")
	h.tell(first, "first")
	second := h.ask("ann")
	answer := h.tell(second, "tie")
	h.tell(h.ask("bob"), "second")
	var out undone
	h.want(200, "POST", "/v1/studies/coffee/undo", `{"rater":"ann"}`, &out)
	if out.Answer != answer.Answer || out.Question != second.ID || out.Status.Answers != 2 {
		t.Errorf("undone %+v", out)
	}
	if q := h.ask("ann"); q.ID != second.ID || q.Options[0].ID != second.Options[0].ID {
		t.Errorf("after the undo %+v is open, want %+v", q, second)
	}
	h.want(200, "DELETE", "/v1/studies/coffee/answers/a1", "", &out)
	if q := h.ask("ann"); q.ID != first.ID || out.Question != first.ID {
		t.Errorf("after the undo %+v is open, want %+v", q, first)
	}
	h.refused(404, "no_answer", "", "DELETE", "/v1/studies/coffee/answers/a1", "")
	h.refused(404, "no_answer", "", "DELETE", "/v1/studies/coffee/answers/a99", "")
	h.refused(404, "no_answer", "", "POST", "/v1/studies/coffee/undo", `{"rater":"ann"}`)
	h.refused(404, "no_study", "", "POST", "/v1/studies/tea/undo", `{}`)
}
