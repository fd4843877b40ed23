package server

import (
	"bytes"
	"testing"
)

func contains(text []byte, part string) bool { return bytes.Contains(text, []byte(part)) }

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
