package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/server/internal/gate"
)

// forged is a log of a study with one question of eve's and these events, numbered from 3 on; T stands for a minute after the study was made.
func (h *testServer) forged(study string, lines ...string) string {
	h.t.Helper()
	events, err := h.store.Events(h.t.Context(), study)
	if err != nil {
		h.t.Fatal(err)
	}
	created, err := events[0].Line()
	if err != nil {
		h.t.Fatal(err)
	}
	out := []string{`{"format":"prefer.log","version":1,"study":"home"}`, string(created),
		`{"seq":2,"time":"T","kind":"asked","asked":{"id":"q1","rater":"eve","first":{"milk":1,"sugar":0},"second":{"milk":0,"sugar":1},"method":"design"}}`}
	text := strings.Join(append(out, lines...), "\n") + "\n"
	return strings.ReplaceAll(text, `"T"`, events[0].Time.Add(time.Minute).Format(`"`+time.RFC3339Nano+`"`))
}

const eveAnswers = `{"seq":3,"time":"2030-01-01T00:00:00Z","kind":"answered","answered":{"id":"a1","question":"q1","answer":{"choice":"first"}}}`

// TestUploadRules: a log that is uploaded has what a page that was packed writes. What else it has is refused with its line and its field.
func TestUploadRules(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	h := newTestServer(t, func(c *Config) { withOwner(c); c.Now = func() time.Time { return now } })
	strict := strings.Replace(coffee, `{`, `{"checks":{"min_rt_ms":5000,"catch":[{"better":{"milk":1,"sugar":0},"worse":{"milk":0,"sugar":5}}]},`, 1)
	h.want(201, "POST", "/v1/studies", strict, nil)
	up, _ := h.uploader("coffee")
	before := h.export("coffee")
	duel := `"duel":{"first":{"milk":1,"sugar":1},"second":{"milk":0,"sugar":0},"rater":"eve","answer":{"choice":"first"}}`
	for what, c := range map[string]struct{ kind, field, line string }{
		"a duel of one's own": {"invalid", "kind", `{"seq":3,"time":"T","kind":"observed","observed":{"id":"a1",` + duel + `}}`},
		"an option to try":    {"invalid", "kind", `{"seq":3,"time":"T","kind":"enqueued","enqueued":{"option":{"milk":1,"sugar":1},"rater":"eve"}}`},
		"a pair for others":   {"invalid", "kind", `{"seq":3,"time":"T","kind":"enqueued","enqueued":{"option":{"milk":1,"sugar":1},"against":{"milk":0,"sugar":1},"except":["ann"]}}`},
		"who is left out":     {"invalid", "kind", `{"seq":3,"time":"T","kind":"excluded","excluded":{"rater":"eve","out":true}}`},
		"a result taken":      {"invalid", "kind", `{"seq":3,"time":"T","kind":"taken","taken":{"id":"t3","option":{"milk":1,"sugar":1},"rater":"eve","take":true}}`},
		"the year 1":          {"invalid", "time", strings.Replace(eveAnswers, "2030-", "0001-", 1)},
		"the year 9998":       {"invalid", "time", strings.Replace(eveAnswers, "2030-", "9998-", 1)},
		"a quick answer":      {"too_quick", "answered.answer.response_ns", strings.Replace(eveAnswers, `"choice":`, `"response_ns":4999000000,"choice":`, 1)},
		"a quick answer that says otherwise": {"too_quick", "answered.answer.response_ns",
			strings.Replace(strings.Replace(eveAnswers, `"2030-01-01T00:00:00Z"`, `"T"`, 1), `"choice":`, `"response_ns":9000000000,"choice":`, 1)},
		"an answer to nothing": {"invalid", "answered.question", strings.Replace(eveAnswers, `"q1"`, `"q7"`, 1)},
		"an origin":            {"invalid", "origin", strings.Replace(eveAnswers, `"kind"`, `"origin":"x","kind"`, 1)},
	} {
		log := h.forged("coffee", c.line)
		if what == "a quick answer that says otherwise" { // its question came a second before it
			at := now.Add(-time.Second).Format(time.RFC3339)
			log = h.forged("coffee", strings.Replace(c.line, `"T"`, `"`+now.Format(time.RFC3339)+`"`, 1))
			first := strings.Index(log, `"kind":"asked"`)
			line := strings.LastIndex(log[:first], "\n")
			log = log[:line+1] + strings.Replace(log[line+1:], log[line+1+len(`{"seq":2,"time":"`):first-2], at, 1)
		}
		up.refused(422, c.kind, "body.line[4]."+c.field, "POST", gate.UploadPath, log, logKind...)
		if _, _, text := up.do("POST", gate.UploadPath, log, logKind...); !strings.Contains(string(text), "line 4: field \\\""+c.field) {
			t.Errorf("%s: %s, want the line and the field", what, text)
		}
		if h.export("coffee") != before {
			t.Fatalf("%s: the study has changed", what)
		}
	}
	catch := strings.Replace(h.forged("coffee", eveAnswers), `"method":"design"`, `"method":"catch","catch":true`, 1)
	up.refused(422, "invalid", "body.line[4].answered.answer.check", "POST", gate.UploadPath, catch, logKind...)
	up.want(200, "POST", gate.UploadPath, h.forged("coffee", strings.Replace(eveAnswers, `"choice":`, `"response_ns":5000000000,"choice":`, 1)), nil, logKind...)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `{"name":"coffee"`, `{"own_duels":true,"show_result":true,"name":"tea"`, 1), nil)
	free, _ := h.uploader("tea")
	free.want(200, "POST", gate.UploadPath, h.forged("tea", `{"seq":3,"time":"T","kind":"observed","observed":{"id":"a1",`+duel+`}}`,
		`{"seq":4,"time":"T","kind":"taken","taken":{"id":"t4","option":{"milk":1,"sugar":1},"rater":"eve","take":true}}`), nil, logKind...)
}

// TestUploadAnswers: a log has so many answers and no more, however large it may be.
func TestUploadAnswers(t *testing.T) {
	h := newTestServer(t, func(c *Config) { withOwner(c); c.MaxLog = 8 << 20 })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	up, _ := h.uploader("coffee")
	var lines []string
	for seq := 3; len(lines) < 3*10_001; seq += 3 {
		n := len(lines)/3 + 2
		lines = append(lines, fmt.Sprintf(`{"seq":%d,"time":"T","kind":"answered","answered":{"id":"a%d","question":"q1","answer":{"choice":"first"}}}`, seq, n),
			fmt.Sprintf(`{"seq":%d,"time":"T","kind":"undone","undone":{"answer":"a%d"}}`, seq+1, n), fmt.Sprintf(`{"seq":%d,"time":"T","kind":"undone","undone":{"answer":"a%d"}}`, seq+2, n))
	}
	status, _, text := up.do("POST", gate.UploadPath, h.forged("coffee", lines...), logKind...)
	if status != 422 || !strings.Contains(string(text), "with 10000 answers so far: a log that is uploaded has at most 10000 answers and 30000 events") {
		t.Errorf("%d %s", status, text)
	}
}

// TestUploadOrigin: what was uploaded says by which token, never with its secret, where the owner looks; and all that came by a token can be left
// out, taken back and erased, whatever the names.
func TestUploadOrigin(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.tell(h.ask("ann"), "first")
	up, link := h.uploader("coffee")
	other, kept := h.uploader("coffee")
	for _, name := range []string{"dora", "eve"} {
		up.want(200, "POST", gate.UploadPath, h.home("coffee", name, 1), nil, logKind...)
	}
	up.want(200, "POST", gate.UploadPath, h.home("coffee", "dora", 3), nil, logKind...) // more of what has an origin by now
	other.want(200, "POST", gate.UploadPath, h.home("coffee", "fay", 1), nil, logKind...)
	origins := func(path string) map[string]string {
		t.Helper()
		status, _, text := h.do("GET", path, "")
		var got struct {
			Answers []prefer.Entry
			Raters  []Rater
		}
		if err := json.Unmarshal(text, &got); err != nil || status != http.StatusOK || strings.Contains(string(text), link.Token) {
			t.Fatalf("%d %s, %v", status, text, err)
		}
		out := map[string]string{}
		for _, e := range got.Answers {
			out[e.Rater] = e.Origin
		}
		for _, r := range got.Raters {
			out[r.Name] = strings.Join(r.Origins, " ")
		}
		return out
	}
	want := fmt.Sprint(map[string]string{"ann": "", "dora": link.ID, "eve": link.ID, "fay": kept.ID})
	for _, path := range []string{"history", "raters"} {
		if got := fmt.Sprint(origins("/v1/studies/coffee/" + path)); got != want {
			t.Errorf("%s says %s, want %s", path, got, want)
		}
	}
	log := h.export("coffee")
	if n := strings.Count(log, `"origin":"`+link.ID+`"`); n != 8 {
		t.Errorf("%d events of the log have the origin, want 8:\n%s", n, log)
	}
	if _, events, err := logfile.Read(strings.NewReader(log)); err != nil || h.store.Import(t.Context(), "copy", events) != nil || strings.Replace(h.export("copy"), "copy", "home", 1) != log {
		t.Errorf("the log does not come back as it was: %v", err)
	}
	if _, _, csv := h.do("GET", "/v1/studies/coffee/export?format=csv", ""); strings.Count(string(csv), link.ID) != 4 {
		t.Errorf("the table is\n%s", csv)
	}
	var study studyReply
	left := func(answers int) {
		t.Helper()
		h.want(200, "GET", "/v1/studies/coffee/verdict", "", &study)
		if study.Answers != answers {
			t.Errorf("%d answers count, want %d", study.Answers, answers)
		}
	}
	left(4)
	h.want(204, "POST", "/v1/studies/coffee/exclude", `{"origin":"`+link.ID+`","why":"a flood"}`, nil)
	left(2)
	h.want(204, "POST", "/v1/studies/coffee/exclude", `{"origin":"`+link.ID+`","back":true}`, nil)
	left(4)
	var gone forgetOutputBody
	h.want(200, "POST", "/v1/studies/coffee/forget", `{"origin":"`+link.ID+`"}`, &gone)
	if text := h.export("coffee"); gone.Removed < 8 || strings.Contains(text, "dora") || strings.Contains(text, "eve\"") || strings.Contains(text, link.ID) || !strings.Contains(text, "fay") || !strings.Contains(text, "ann") {
		t.Errorf("%d removed, left is\n%s", gone.Removed, text)
	}
	for _, verb := range []string{"forget", "exclude"} {
		path := "/v1/studies/coffee/" + verb
		h.refused(404, "no_rater", "", "POST", path, `{"origin":"`+link.ID+`"}`)
		h.refused(422, "invalid", "body.origin", "POST", path, `{"rater":"ann","origin":"`+link.ID+`"}`)
		h.refused(422, "invalid", "body.rater", "POST", path, `{}`)
	}
}

// studyReply is what of a verdict matters here.
type studyReply struct {
	Answers int `json:"answers"`
}

// TestUploadNames: a log under a name that looks like somebody's is refused, and the one of before goes on.
func TestUploadNames(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.invite("coffee", "anna")
	h.tell(h.ask("zoe"), "first")
	h.want(200, "POST", "/v1/studies/coffee/forget", `{"rater":"zoe"}`, nil)
	up, _ := h.uploader("coffee")
	up.want(200, "POST", gate.UploadPath, h.home("coffee", "Dora", 1), nil, logKind...)
	for name, want := range map[string]struct {
		status int
		kind   string
	}{"anna ": {422, "invalid"}, "Anna": {409, "name_taken"}, "\u0430nna": {409, "name_taken"}, "dora": {409, "name_taken"}, "Zoe": {410, "forgotten"}, "e\u202eve": {422, "invalid"}} {
		up.refused(want.status, want.kind, "", "POST", gate.UploadPath, h.home("coffee", name, 1), logKind...)
	}
	up.want(200, "POST", gate.UploadPath, h.home("coffee", "Dora", 2), nil, logKind...)
}
