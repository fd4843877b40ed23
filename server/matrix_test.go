package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/server/internal/gate"
)

const scrape = "scrape-token-of-this-test"

// The raters of a stage: requests are about ann, and nobody else may see their name.
const (
	ann = "ann-of-the-matrix"
	bob = "bob-of-the-matrix"
)

// parties are the kinds of credentials, in the order in which they try: those who may, last.
var parties = []string{"nobody", "wrong", "shared link", "withdrawn link", "expired link", "renewed link", "forgotten rater", "other study's rater", "scrape", "upload token", "withdrawn upload token", "guest", "other rater", "rater", "rater by cookie", "owner", "owner by cookie"}

// pageRules say who may open what is no operation of the API. An operation says so itself (x-who).
var pageRules = map[string]string{
	"GET /openapi.json": "public", "GET /healthz": "public", "GET /livez": "public", "GET /readyz": "public", "GET /page/{file}": "public", "GET /start/sample/{demo}": "public",
	"GET /metrics": "metrics", "GET /m/{study}/{file...}": gate.Rater, "GET /o/{code}": "secret", "POST /o/{code}": "secret", "/": "nothing",
	"GET /{$}": "owner's page", "POST /start/demo": "owner's page", "POST /start/params": "owner's page", "POST /start/paste": "owner's page", "GET /start/stage": "owner's page", "GET /s/{study}/thumb": "owner's page", "POST /start/files": "owner's page",
	"GET /s/{study}": "owner's page", "GET /s/{study}/result": "owner's page", "GET /s/{study}/details": "owner's page", "GET /s/{study}/map": "owner's page", "GET /s/{study}/path": "owner's page", "GET /s/{study}/history": "owner's page", "GET /s/{study}/draw": "owner's page", "GET /s/{study}/text": "owner's page",
	"GET /s/{study}/learned": "owner's page", "GET /s/{study}/ending": "owner's page", "GET /s/{study}/ahead": "owner's page", "POST /s/{study}/lost": "owner's page", "GET /s/{study}/owner": "owner's page",
	"GET /s/{study}/sheet": "owner's page", "POST /s/{study}/files": "owner's page", "POST /s/{study}/describe": "owner's page",
	"GET /s/{study}/jobs": "owner's page", "GET /s/{study}/qr": "owner's page", "POST /s/{study}/flip": "owner's page", "POST /s/{study}/pause": "owner's page",
	"GET /r/{token}": "link", "GET /r/{token}/result": "result link", "GET /r/{token}/details": "result link", "GET /r/{token}/map": "result link", "GET /r/{token}/path": "result link", "GET /r/{token}/draw": "link", "GET /r/{token}/text": "link",
	"GET /r/{token}/learned": "link", "GET /r/{token}/ending": "link", "GET /r/{token}/ahead": "link", "POST /r/{token}/lost": "link",
}

// verdictOf says how a request of a party must end: its status, or 2 for any of success, and the problem of a refusal.
func verdictOf(rule, party string, personal, shown bool) (status int, kind string) {
	party, cookie := strings.CutSuffix(party, " by cookie")
	why, unknown := map[string]string{"nobody": "token", "wrong": "token", "shared link": "token", "forgotten rater": "token",
		"withdrawn link": "link_withdrawn", "expired link": "link_expired", "renewed link": "link_renewed", "withdrawn upload token": "link_withdrawn"}[party]
	uploads := strings.HasSuffix(party, "upload token")
	switch {
	case rule == gate.Upload && cookie:
		return 401, "token"
	case rule == gate.Upload && !unknown && party != "scrape" && !uploads:
		return 403, "upload_token"
	case rule == gate.Upload && party == "upload token":
		return 2, ""
	case strings.HasSuffix(rule, "link") && uploads:
		return 404, "no_link"
	case party == "upload token" && rule != "secret" && rule != "public" && rule != "owner's page":
		return 403, "upload_only"
	case strings.HasSuffix(rule, "link") && unknown && why != "token":
		return 410, why
	case strings.HasSuffix(rule, "link") && (unknown && party != "shared link" || party == "scrape" || party == "owner"):
		return 404, "no_link"
	case rule == "secret":
		return 403, "used"
	case rule == "result link" && party != "shared link" && !shown:
		return 403, "result_hidden"
	case rule == "public" || strings.HasSuffix(rule, "link") || party == "owner":
		return 2, ""
	case rule == "owner's page":
		return 403, "owner_only"
	case unknown:
		return 401, why
	case party == "scrape" && rule == "metrics":
		return 2, ""
	case party == "scrape":
		return 403, "scrape_only"
	case rule == gate.All:
		return 2, ""
	case rule == gate.Owner || rule == "metrics":
		return 403, "owner_only"
	case party == "other study's rater":
		return 403, "other_study"
	case (party == "other rater" || party == "guest") && personal:
		return 403, "other_rater"
	case rule == gate.Result && !shown:
		return 403, "no_results"
	}
	return 2, ""
}

// stage is a study with people, for one operation.
type stage struct {
	*testServer
	study    string
	tokens   map[string]string // of the parties
	report   string            // the job of one
	count    int
	personal bool // whether the input is about ann, of all raters
}

// later is how much later it is in the houses of stages: a link expires in between.
var later atomic.Int64

func inStages() time.Time { return time.Now().Add(time.Duration(later.Load())) }

// endings makes a link for everybody, a guest who came through it, and links of ann that have ended in every way, and returns their tokens.
func (h *testServer) endings(study, name string) map[string]string {
	h.t.Helper()
	make := func(body string) link {
		var l link
		h.want(201, "POST", "/v1/studies/"+study+"/links", body, &l)
		return l
	}
	shared, withdrawn, renewed := make(`{"everybody":true}`), make(`{"rater":"`+ann+`"}`), make(`{"rater":"`+ann+`"}`)
	expired := make(`{"rater":"` + ann + `","expires":"` + h.server.cfg.Now().Add(time.Hour).Format(time.RFC3339) + `"}`)
	h.want(204, "DELETE", "/v1/studies/"+study+"/links/"+withdrawn.ID, "", nil)
	h.want(201, "POST", "/v1/studies/"+study+"/links/"+renewed.ID+"/renew", "", nil)
	guest, err := h.server.studies.Tokens.Visit(h.t.Context(), shared.Token, name, false)
	if err != nil {
		h.t.Fatal(err)
	}
	h.as(guest).want(200, "POST", "/v1/studies/"+study+"/ask", "", nil) // their name is theirs
	later.Add(int64(2 * time.Hour))
	return map[string]string{"shared link": shared.Token, "withdrawn link": withdrawn.Token, "renewed link": renewed.Token, "expired link": expired.Token, "guest": guest}
}

// newStage makes a study in which ann has answered, and invites everybody.
func newStage(h *testServer, name, config string) *stage {
	st := &stage{testServer: h, study: name, tokens: map[string]string{"wrong": strings.Repeat("x", 22), "scrape": scrape, "owner": owner}}
	other := name + "-other"
	var made Study
	h.want(201, "POST", "/v1/studies", strings.Replace(config, `"coffee"`, `"`+name+`"`, 1), &made)
	st.study, name = made.Name, made.Name
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"coffee"`, `"`+other+`"`, 1), nil)
	for party, at := range map[string][2]string{"rater": {name, ann}, "other rater": {name, bob}, "forgotten rater": {name, "gone"}, "other study's rater": {other, ann}} {
		st.tokens[party] = h.invite(at[0], at[1]).token
	}
	maps.Copy(st.tokens, h.endings(name, "P07"))
	var ended, works uploadAddress
	h.want(201, "POST", "/v1/studies/"+name+"/uploads", "", &ended)
	h.want(201, "POST", "/v1/studies/"+name+"/uploads", "", &works)
	h.want(204, "DELETE", "/v1/studies/"+name+"/uploads/"+ended.ID, "", nil)
	st.tokens["upload token"], st.tokens["withdrawn upload token"] = works.Token, ended.Token
	st.answer()
	st.personal = false
	if _, err := h.store.Forget(h.t.Context(), name, "gone"); err != nil {
		h.t.Fatal(err)
	}
	return st
}

// next returns a number that was not there before.
func (st *stage) next() string { st.count++; return fmt.Sprint(st.count) }

// question returns the id of a question that ann has open.
func (st *stage) question() string {
	st.personal = true
	var q Question
	st.want(200, "POST", "/v1/studies/"+st.study+"/ask", `{"rater":"`+ann+`"}`, &q)
	return q.ID
}

// answer returns the id of an answer of ann.
func (st *stage) answer() string {
	var out told
	st.want(200, "POST", "/v1/studies/"+st.study+"/tell", `{"question_id":"`+st.question()+`","choice":"first"}`, &out)
	return out.Answer
}

// link returns the id of a link.
func (st *stage) link() string {
	var l link
	st.want(201, "POST", "/v1/studies/"+st.study+"/links", `{"rater":"dan"}`, &l)
	return l.ID
}

// upload returns the id of an upload token.
func (st *stage) upload() string {
	var l uploadAddress
	st.want(201, "POST", "/v1/studies/"+st.study+"/uploads", "", &l)
	return l.ID
}

// job returns the id of a report that is done.
func (st *stage) job() string {
	j := Job{ID: st.report}
	if status, _, _ := st.do("GET", "/v1/studies/"+st.study+"/jobs/"+j.ID, ""); j.ID == "" || status != 200 {
		st.want(202, "POST", "/v1/studies/"+st.study+"/reports", "", &j)
		st.report = j.ID
	}
	await(st.t, "a report", func() bool {
		st.want(200, "GET", "/v1/studies/"+st.study+"/jobs/"+j.ID, "", &j)
		return j.State == "done"
	})
	return j.ID
}

// input is what one operation is called with.
type input struct{ path, query, body, kind string }

// inputs are the valid inputs of operations and pages for which {study} alone is not enough.
var inputs = map[string]func(*stage) input{
	"create-study": func(st *stage) input {
		return input{body: strings.Replace(coffee, `"coffee"`, fmt.Sprintf("%q", "made "+st.next()), 1)}
	},
	"ensure-study": func(st *stage) input {
		name := "made " + st.next()
		return input{path: "study=" + name, body: strings.Replace(coffee, `"coffee"`, fmt.Sprintf("%q", name), 1)}
	},
	"delete-study": func(st *stage) input { // both kinds of owner do
		st.do("POST", "/v1/studies", strings.Replace(coffee, `"coffee"`, `"`+st.study+`"`, 1))
		return input{}
	},
	"change-study": func(*stage) input { return input{body: `{"budget":20}`} },
	"undo-answer":  func(st *stage) input { return input{path: "answer=" + st.answer()} },
	"undo":         func(st *stage) input { st.answer(); return input{body: `{"rater":"` + ann + `"}`} },
	"ask":          func(*stage) input { return input{body: `{"rater":"` + ann + `"}`} },
	"tell":         func(st *stage) input { return input{body: `{"question_id":"` + st.question() + `","choice":"first"}`} },
	"take":         func(*stage) input { return input{body: `{"take":true,"rater":"` + ann + `"}`} },
	"exclude":      func(*stage) input { return input{body: `{"rater":"` + ann + `"}`} },
	"rename":       func(*stage) input { return input{body: `{"rater":"` + ann + `","name":""}`} },
	"forget": func(st *stage) input {
		leaver := `{"rater":"leaver ` + st.next() + `"}`
		st.do("POST", "/v1/studies/"+st.study+"/ask", leaver)
		return input{body: leaver}
	},
	"enqueue":          func(*stage) input { return input{body: `{"option":{"milk":0.5,"sugar":1}}`} },
	"withdraw":         func(st *stage) input { return input{path: "link=" + st.link()} },
	"renew":            func(st *stage) input { return input{path: "link=" + st.link()} },
	"withdraw-uploads": func(st *stage) input { return input{path: "upload=" + st.upload()} },
	"renew-uploads":    func(st *stage) input { return input{path: "upload=" + st.upload()} },
	"upload-log": func(st *stage) input {
		return input{body: st.home(st.study, "uploader "+st.next(), 1), kind: "application/jsonl"}
	},
	"invite":   func(*stage) input { return input{body: `{"rater":"eve"}`} },
	"simulate": func(*stage) input { return input{body: `{"raters":1,"max_questions":1}`} },
	"import": func(st *stage) input {
		return input{body: `{"winner":{"milk":1,"sugar":1},"loser":{"milk":0,"sugar":1}}`, kind: "application/jsonl"}
	},
	"join": func(st *stage) input { return input{body: `{"items":[{"id":"new ` + st.next() + `"}]}`} },
	"leave": func(st *stage) input { // both kinds of owner do
		id := "gone " + st.next()
		st.do("POST", "/v1/studies/"+st.study+"/items", `{"items":[{"id":"`+id+`"}]}`)
		return input{path: "item=" + id}
	},
	"upload": func(st *stage) input {
		body, kind := form(st.t, "a.png", pixel)
		return input{query: "study=" + st.study, body: body, kind: kind}
	},
	"job":         func(st *stage) input { return input{path: "job=" + st.job()} },
	"drop-job":    func(st *stage) input { return input{path: "job=" + st.job()} },
	"report-page": func(st *stage) input { return input{path: "job=" + st.job()} },
	"best":        lookAtAnn(""), "verdict": lookAtAnn(""), "belief": lookAtAnn(""), "contexts": lookAtAnn(""), "check": lookAtAnn(""), "map": lookAtAnn("&x=milk&y=sugar"),
	"predict": func(*stage) input {
		return input{query: "rater=" + ann, body: `{"options":[{"milk":0.5,"sugar":1}]}`}
	},
	"gain": func(*stage) input {
		return input{query: "rater=" + ann, body: `{"pairs":[[{"milk":0.5,"sugar":1},{"milk":0.1,"sugar":1}]]}`}
	},
	"GET /page/{file}":         func(*stage) input { return input{path: "file=style.css"} },
	"GET /start/sample/{demo}": func(*stage) input { return input{path: "demo=poster"} },
	"GET /m/{study}/{file...}": func(*stage) input { return input{path: "file...=y.png"} },
	"POST /start/demo":         func(*stage) input { return input{body: `{"name":"poster"}`} },
	"POST /start/params":       func(*stage) input { return input{body: `{"name":"by page","params":[{"name":"x","low":0,"high":1}]}`} },
	"POST /start/paste":        func(*stage) input { return input{body: `{"text":"--radius: 12px"}`} },
	"POST /start/files": func(st *stage) input {
		body, kind := form(st.t, "a.png", pixel, "b.png", pixel+"2")
		return input{body: body, kind: kind}
	},
	"POST /s/{study}/files": func(st *stage) input {
		body, kind := form(st.t, "new "+st.next()+".png", pixel)
		return input{body: body, kind: kind}
	},
	"POST /s/{study}/describe": func(*stage) input { return input{body: `{"item":"y","text":"a cup"}`} },
	"GET /s/{study}/draw":      func(*stage) input { return input{query: "milk=0.5&sugar=1"} },
	"GET /s/{study}/text":      func(*stage) input { return input{query: "item=x"} },
	"GET /s/{study}/qr":        func(*stage) input { return input{query: "text=hello"} },
	"POST /s/{study}/flip":     func(st *stage) input { return input{body: `{"answer":"` + st.answer() + `"}`} },
	"POST /s/{study}/lost":     func(*stage) input { return input{body: `{"question_id":"q1","side":0}`} },
	"POST /r/{token}/lost":     func(*stage) input { return input{body: `{"question_id":"q1","side":0}`} },
	"POST /s/{study}/pause":    func(*stage) input { return input{body: `{"paused":false}`} },
	"POST /o/{code}":           func(*stage) input { return input{path: "code=wrong"} },
	"GET /o/{code}":            func(*stage) input { return input{path: "code=wrong"} },
	"GET /s/{study}/path":      func(st *stage) input { st.answer(); st.answer(); return input{} },
}

func lookAtAnn(more string) func(*stage) input {
	return func(*stage) input { return input{query: "rater=" + ann + more} }
}

// configs are the studies of operations that are not for every one.
var configs = map[string]string{
	"join": pictures, "leave": pictures, "items": pictures, "GET /s/{study}/sheet": pictures, "POST /s/{study}/files": pictures, "POST /s/{study}/describe": pictures, "group": strings.Replace(coffee, `"seed"`, `"people":"per_rater","seed"`, 1),
	"GET /m/{study}/{file...}": strings.NewReplacer("coffee", "pictured", "sub/y.png", "y.png").Replace(pictures), "GET /s/{study}/text": pictures,
	"GET /s/{study}/draw": strings.Replace(coffee, `"seed"`, `"page":{"template":{"kind":"svg","text":"<svg xmlns='http://www.w3.org/2000/svg'/>"}},"seed"`, 1),
}

// seen returns what the store holds, as one text: a refused request must not change it.
func (st *stage) seen() string {
	st.t.Helper()
	await(st.t, "the end of jobs", func() bool { return st.server.studies.Jobs.Waiting() == 0 })
	all, err := st.store.List(st.t.Context())
	if err != nil {
		st.t.Fatal(err)
	}
	var out strings.Builder
	for _, i := range all {
		notes, err := st.store.Notes(st.t.Context(), i.Name, "")
		if err != nil {
			st.t.Fatal(err)
		}
		fmt.Fprint(&out, i.Name, i.Events, len(notes), notes)
	}
	return fmt.Sprint(len(all), " ", len(out.String()))
}

// call sends a request of a party. Of a stream it reads nothing.
func (st *stage) call(party, method, path string, in input) (status int, text []byte) {
	st.t.Helper()
	person, cookie := strings.CutSuffix(party, " by cookie")
	token := st.tokens[person]
	values := map[string]string{"study": st.study, "token": cmp.Or(token, "none")}
	if name, value, ok := strings.Cut(in.path, "="); ok {
		values[name] = value
	}
	for name, value := range values {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	path = strings.ReplaceAll(path, "{$}", "")
	if in.query != "" {
		path += "?" + in.query
	}
	ctx, stop := context.WithCancel(st.t.Context())
	defer stop()
	req, err := http.NewRequestWithContext(ctx, method, st.web.URL+path, strings.NewReader(in.body))
	if err != nil {
		st.t.Fatal(err)
	}
	if in.body != "" {
		req.Header.Set("Content-Type", cmp.Or(in.kind, "application/json"))
	}
	switch {
	case token == "" || strings.HasPrefix(path, "/r/"): // where it is in the address
	case cookie && person == "owner":
		req.AddCookie(&http.Cookie{Name: gate.OwnerCookie, Value: gate.CookieOf(owner)})
	case cookie:
		req.AddCookie(&http.Cookie{Name: gate.RaterCookie, Value: token})
	default:
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := st.web.Client().Do(req)
	if err != nil {
		st.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.Header.Get("Content-Type") == "text/event-stream" {
		return resp.StatusCode, nil
	}
	if text, err = io.ReadAll(resp.Body); err != nil {
		st.t.Fatal(err)
	}
	return resp.StatusCode, text
}

// TestMatrix: every operation of the description and every page, with valid input, from every kind of credential: who may
// by its rule does, and all others are refused with a reason and change nothing. What has no rule, or no valid input, fails.
func TestMatrix(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "y.png"), []byte("png"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newTestServer(t, func(c *Config) {
		withOwner(c)
		c.Now = inStages
		c.ScrapeToken, c.Media, c.Folders = scrape, t.TempDir(), map[string]string{"pictured": folder}
	})
	described := map[string]string{} // operations by pattern
	rules := maps.Clone(pageRules)
	calls, _ := h.calls()
	for _, c := range calls {
		described[c.method+" "+c.path], rules[c.method+" "+c.path] = c.id, c.who
	}
	stages := map[string]*stage{} // by what the study is made of
	tried := 0
	for _, pattern := range h.server.mux.patterns {
		rule := rules[pattern]
		if rule == "" || strings.Contains(pattern, " /v1/") && !slices.Contains([]string{gate.Owner, gate.Rater, gate.Result, gate.All, gate.Upload}, rule) {
			t.Errorf("%s says nowhere who may (%q): an operation in x-who, a page in pageRules", pattern, rule)
			continue
		}
		method, path, ok := strings.Cut(pattern, " ")
		if !ok {
			continue // what is nowhere else
		}
		name := cmp.Or(described[pattern], pattern)
		for _, shown := range []bool{false, true} {
			if shown && rule != gate.Result && rule != "result link" {
				continue
			}
			config := cmp.Or(configs[strings.Replace(name, "/r/{token}", "/s/{study}", 1)], coffee)
			if shown {
				config = strings.Replace(config, `"seed"`, `"show_result":true,"seed"`, 1)
			}
			if name == "delete-study" { // the one that leaves nothing to the others
				config = strings.Replace(config, `"seed":7`, `"seed":8`, 1)
			}
			if name != "gain" { // which this method has none of; else it matters who may ask, not what is asked
				config = strings.Replace(config, `"seed"`, `"method":"random","seed"`, 1)
			}
			st := stages[config]
			if st == nil {
				st = newStage(h, fmt.Sprint("s", len(stages)), config)
				stages[config] = st
			}
			before := ""
			for _, party := range parties {
				st.personal = false
				if strings.HasSuffix(rule, "link") && party == "other study's rater" {
					continue // whose link is for another study
				}
				in := input{}
				if make := inputs[strings.Replace(name, "/r/{token}", "/s/{study}", 1)]; make != nil {
					in, before = make(st), ""
				}
				personal := st.personal || strings.Contains(in.body+in.query, ann)
				want, kind := verdictOf(rule, party, personal, shown)
				if before == "" {
					before = st.seen()
				}
				status, text := st.call(party, method, path, in)
				tried++
				var p problemReply
				_ = json.Unmarshal(text, &p) // a page is none
				got := strings.TrimPrefix(p.Type, "urn:prefer:")
				switch {
				case want == 2 && status/100 != 2:
					t.Errorf("%s (%s): %s gets %d %s, want success: if that is because of its input, give it one in matrix_test.go", name, rule, party, status, text)
				case want != 2 && (status != want || got != kind):
					t.Errorf("%s (%s): %s gets %d %.300s, want %d %s", name, rule, party, status, text, want, kind)
				case want != 2 && st.seen() != before:
					t.Errorf("%s (%s): %s is refused, and has changed the store from %s to %s", name, rule, party, before, st.seen())
				}
				if want == 2 {
					before = ""
				}
				if party == "other rater" && contains(text, ann) && !personal {
					t.Errorf("%s: another rater reads of %s: %s", name, ann, text)
				}
			}
		}
	}
	if tried < 500 {
		t.Errorf("only %d requests were tried", tried)
	}
	t.Logf("%d requests of %d kinds of credentials", tried, len(parties))
}
