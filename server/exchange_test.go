package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

func TestExchange(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.play("ann", 3)
	_, head, log := h.do("GET", "/v1/studies/coffee/export", "")
	if !strings.HasPrefix(head.Get("Content-Disposition"), "attachment") || strings.Count(string(log), "\n") != 8 {
		t.Errorf("exported %v\n%s", head, log)
	}
	var out imported
	h.want(200, "POST", "/v1/studies/copy/import?format=jsonl", string(log), &out, "Content-Type", "application/jsonl")
	if out.Answers != 3 {
		t.Errorf("imported %+v", out)
	}
	_, _, again := h.do("GET", "/v1/studies/copy/export?format=jsonl", "")
	if strings.Replace(string(again), `"copy"`, `"coffee"`, 1) != string(log) {
		t.Errorf("exported again it is\n%swant\n%s", again, log)
	}
	_, head, table := h.do("GET", "/v1/studies/coffee/export?format=csv", "")
	if !strings.HasPrefix(head.Get("Content-Type"), "text/csv") || strings.Count(string(table), "\n") != 4 {
		t.Errorf("the table is\n%s", table)
	}
	var whole struct {
		Name   string
		Events []prefer.Event
	}
	_, _, text := h.do("GET", "/v1/studies/coffee/export?format=json", "")
	if err := json.Unmarshal(text, &whole); err != nil || whole.Name != "coffee" || len(whole.Events) != 7 {
		t.Errorf("%v: %s", err, text)
	}
	pairs := `{"winner":{"milk":1,"sugar":1},"loser":{"milk":0,"sugar":1}}` + "\n" + `{"winner":{"milk":1,"sugar":2},"loser":{"milk":0,"sugar":2}}` + "\n"
	for range 2 { // the second time it changes nothing
		h.want(200, "POST", "/v1/studies/coffee/import", pairs, &out, "Content-Type", "application/jsonl")
		var study Study
		if h.want(200, "GET", "/v1/studies/coffee", "", &study); out.Answers != 2 || study.Count != 5 {
			t.Errorf("imported %+v, and there are %d answers", out, study.Count)
		}
	}
	for _, c := range []struct{ status, kind, format, body string }{
		{"409", "study_exists", "jsonl", string(log)},
		{"422", "invalid", "jsonl", string(log[:100])},
		{"422", "invalid", "pairs", "nonsense"},
		{"422", "option", "pairs", pairs + `{"winner":{"milk":9,"sugar":1},"loser":{"milk":0,"sugar":1}}`},
		{"422", "invalid", "optuna", "nonsense"},
		{"422", "invalid", "aepsych", "a,b\n1,2\n"},
	} {
		status := map[string]int{"409": 409, "422": 422}[c.status]
		h.refused(status, c.kind, "body", "POST", "/v1/studies/coffee/import?format="+c.format, c.body, "Content-Type", "text/plain")
	}
	h.refused(422, "invalid", "query.format", "GET", "/v1/studies/coffee/export?format=xml", "")
	var study Study
	if h.want(200, "GET", "/v1/studies/coffee", "", &study); study.Count != 5 {
		t.Errorf("%d answers, want those before the refusals", study.Count)
	}
}
