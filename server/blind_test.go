package server

import (
	"maps"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

// blind asks a blind duel.
func (h *testServer) blind(rater string) Question {
	h.t.Helper()
	var q Question
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"`+rater+`","blind":true}`, &q)
	if !q.Blind || q.Why != nil || q.Repeat {
		h.t.Errorf("a blind duel is %+v", q)
	}
	return q
}

func (h *testServer) check(rater string) prefer.BlindCheck {
	h.t.Helper()
	var c prefer.BlindCheck
	h.want(200, "GET", "/v1/studies/coffee/check?rater="+rater, "", &c)
	return c
}

// TestBlind: a check over HTTP, beside a question that is open, by a client that does not say learn: false. It counts
// for itself and for nothing else.
func TestBlind(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.refused(409, "no_pick", "", "POST", "/v1/studies/coffee/ask", `{"blind":true}`)
	h.refused(409, "no_pick", "", "GET", "/v1/studies/coffee/check", "")
	h.refused(409, "no_pick", "", "POST", "/v1/studies/coffee/take", `{"take":true}`)
	h.play("ann", 6)
	waiting := h.ask("ann")
	for i := range live.BlindQuestions {
		q := h.blind("ann")
		if again := h.blind("ann"); again.ID != q.ID {
			t.Errorf("%s is open, and %s is asked", q.ID, again.ID)
		}
		c := h.check("ann")
		held := 0
		for side, o := range q.Options {
			if maps.Equal(o.Params, c.Pick) {
				held = side
			}
		}
		choice := []string{"first", "second"}[held]
		if i == live.BlindQuestions-1 {
			choice = "tie"
		}
		if out := h.tell(q, choice); out.Status.Answers != 6 {
			t.Errorf("after a blind duel there are %d answers, want 6", out.Status.Answers)
		}
		if e := h.lastAnswer(); !e.Blind || !e.Answer.Check || e.Method != "blind" {
			t.Errorf("the history has %+v", e)
		}
	}
	if c := h.check(""); c.Won != 7 || c.Tied != 1 || c.Of != 8 || c.Kind != "holds" || c.Strong.Of != 4 || c.Low < 0.5 {
		t.Errorf("the check is %+v", c)
	}
	if q := h.ask("ann"); q.ID != waiting.ID || q.Blind {
		t.Errorf("beside the check the rater has %+v, want %s", q, waiting.ID)
	}
	h.want(200, "POST", "/v1/studies/coffee/undo", `{"rater":"ann"}`, nil)
	if c := h.check(""); c.Of != 7 {
		t.Errorf("taken back, the check is %+v", c)
	}
	for body, field := range map[string]string{`{"blind":true,"hold_best":true}`: "body.blind", `{"blind":true,"fixed":{"milk":0.5}}`: "body.blind"} {
		h.refused(422, "invalid", field, "POST", "/v1/studies/coffee/ask", body)
	}
	var many struct{ Questions []Question }
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"ann","blind":true,"count":3}`, &many)
	if len(many.Questions) != 3 || !many.Questions[0].Blind || !many.Questions[2].Blind {
		t.Errorf("three at once are %+v", many)
	}
	var taken prefer.Taken
	before := h.check("")
	h.want(200, "POST", "/v1/studies/coffee/take", `{"take":false,"rater":"ann"}`, &taken)
	// A no teaches, and may move the pick: then the check of the old one is stale.
	if c := h.check(""); taken.Take || taken.Rater != "ann" || !maps.Equal(taken.Option, before.Pick) || c.Decline != 1 && c.Stale != before.Of {
		t.Errorf("the rater would not take %+v, and the check says %+v", taken, c)
	}
	h.refused(422, "option", "body", "POST", "/v1/studies/coffee/take", `{"take":true,"option":{"milk":7,"sugar":0}}`)
	h.refused(422, "invalid", "body", "POST", "/v1/studies/coffee/take", `{}`)
}

// TestBlindRaters: a rater checks the pick where the study shows them results, for themselves; elsewhere the duels would tell
// what they must not know.
func TestBlindRaters(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"seed"`, `"people":"per_rater","show_result":true,"seed"`, 1), nil)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"name":"coffee"`, `"name":"hidden"`, 1), nil)
	h.play("ann", 4)
	h.play("bob", 4)
	ann := h.invite("coffee", "ann")
	q := ann.blind("ann")
	ann.tell(q, "first")
	ann.refused(403, "other_rater", "", "POST", "/v1/studies/coffee/ask", `{"rater":"bob","blind":true}`)
	ann.want(200, "POST", "/v1/studies/coffee/take", `{"take":true}`, nil)
	if a, b := ann.check(""), h.check("bob"); (a.Of != 1 || a.Take != 1) && a.Stale != 1 || b.Of != 0 || b.Take != 0 || b.Kind != "unchecked" {
		t.Errorf("ann's check is %+v, bob's %+v", a, b)
	}
	h.refused(422, "invalid", "query.rater", "GET", "/v1/studies/coffee/check", "")
	cat := h.invite("hidden", "cat")
	cat.refused(403, "no_results", "", "POST", "/v1/studies/hidden/ask", `{"blind":true}`)
	cat.refused(403, "no_results", "", "GET", "/v1/studies/hidden/check", "")
	cat.refused(403, "no_results", "", "POST", "/v1/studies/hidden/take", `{"take":true}`)
}
