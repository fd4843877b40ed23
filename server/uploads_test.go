package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/server/internal/gate"
)

// home returns the log of somebody who took a study home and gave so many answers there.
func (h *testServer) home(study, rater string, answers int) string {
	h.t.Helper()
	events, err := h.store.Events(h.t.Context(), study)
	if err != nil {
		h.t.Fatal(err)
	}
	at := events[0].Time
	s, err := prefer.Open(h.t.Context(), logfile.Beginning(events), prefer.OpenOptions{Now: func() time.Time { at = at.Add(time.Second); return at }})
	if err != nil {
		h.t.Fatal(err)
	}
	for i := range answers {
		q, err := s.Ask(h.t.Context(), prefer.Request{Rater: rater, Practice: i > 0}) // which needs no search
		if err != nil {
			h.t.Fatal(err)
		}
		if _, err := s.Tell(h.t.Context(), q.ID, prefer.Answer{Choice: prefer.First, ResponseTime: 1234567 * time.Nanosecond, Session: "<home>"}); err != nil {
			h.t.Fatal(err)
		}
	}
	return logText(h.t, s.Events(0))
}

func logText(t testing.TB, events []prefer.Event) string {
	t.Helper()
	var out bytes.Buffer
	if err := logfile.Write(&out, "home", events); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// uploader is the server for the holder of an upload token of a study.
func (h *testServer) uploader(study string) (*testServer, uploadAddress) {
	h.t.Helper()
	var l uploadAddress
	h.want(201, "POST", "/v1/studies/"+study+"/uploads", "", &l)
	if want := gate.UploadPath + "#" + l.Token; !strings.HasSuffix(l.URL, want) || len(l.Token) != len("upload-")+22 {
		h.t.Fatalf("the address is %q with the token %q, want one that ends in %q", l.URL, l.Token, want)
	}
	return h.as(l.Token), l
}

var logKind = []string{"Content-Type", "application/jsonl", "Origin", "null", "Sec-Fetch-Site", "cross-site"}

// TestUpload: logs come in, once, and continue; whatever else is sent is refused, in a way that a page of any origin can read, and
// changes nothing.
func TestUpload(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	invited := h.invite("coffee", "ann")
	up, link := h.uploader("coffee")
	var got uploaded
	for _, c := range []struct{ answers, fresh int }{{1, 1}, {1, 0}, {3, 2}, {2, 0}, {3, 0}} {
		up.want(200, "POST", gate.UploadPath, h.home("coffee", "dora", c.answers), &got, logKind...)
		if got.New != c.fresh || got.Answers != c.answers || len(got.Raters) != 1 || got.Raters[0].Rater != "dora" || got.Raters[0].New != c.fresh {
			t.Errorf("%d answers: %+v, want %d new", c.answers, got, c.fresh)
		}
	}
	if last := h.lastAnswer(); last.Rater != "dora" || last.Answer.ResponseTime != 1234567 || last.Answer.Session != "<home>" {
		t.Errorf("the last answer is %+v", last)
	}
	eve := h.home("coffee", "eve", 1)
	other := strings.Replace(coffee, `"seed":7`, `"seed":8`, 1)
	h.want(201, "POST", "/v1/studies", strings.Replace(other, `"coffee"`, `"tea"`, 1), nil)
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"cy"}`, nil)
	h.want(200, "POST", "/v1/studies/coffee/forget", `{"rater":"cy"}`, nil)
	before := h.export("coffee")
	for what, c := range map[string]struct {
		status     int
		kind, body string
	}{
		"nothing":                 {422, "invalid", "\n"},
		"rubbish":                 {422, "invalid", "rubbish"},
		"half a line":             {422, "invalid", eve[:len(eve)-9]},
		"a changed line":          {422, "invalid", strings.Replace(eve, "1234567", "1234568", 1)},
		"nobody's":                {422, "invalid", h.home("coffee", "eve", 0)},
		"no name":                 {422, "invalid", h.home("coffee", "", 1)},
		"a number in the name":    {422, "invalid", h.home("coffee", "eve#2", 1)},
		"a very long name":        {422, "invalid", h.home("coffee", strings.Repeat("e", 120), 1)},
		"the owner's":             {409, "name_taken", h.home("coffee", "owner", 1)},
		"somebody who has a link": {409, "name_taken", h.home("coffee", "ann", 1)},
		"somebody forgotten":      {410, "forgotten", h.home("coffee", "cy", 1)},
		"another study's":         {409, "other_configuration", h.home("tea", "eve", 1)},
		"another log of dora":     {409, "rater_differs", strings.ReplaceAll(unchained(h.home("coffee", "dora", 1)), "<home>", "<work>")},
		"two raters":              {422, "invalid", h.couple("coffee")},
		"a change of the study": {422, "invalid", unchained(eve) +
			`{"seq":4,"time":"2026-01-01T10:00:00Z","kind":"changed","changed":{"budget":1}}` + "\n"},
	} {
		_, head, text := up.do("POST", gate.UploadPath, c.body, logKind...)
		if head.Get("Access-Control-Allow-Origin") != "*" || head.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: no page can read %s: %v", what, text, head)
		}
		if c.kind == "other_configuration" && (!strings.Contains(string(text), "in seed: ") || strings.Contains(string(text), "not 7")) {
			t.Errorf("%s: %s, want the name of the field and not the value", what, text)
		}
		up.refused(c.status, c.kind, "", "POST", gate.UploadPath, c.body, logKind...)
		if h.export("coffee") != before {
			t.Fatalf("%s: the study has changed", what)
		}
	}
	up.refused(415, "content_type", "", "POST", gate.UploadPath, eve, "Content-Type", "application/x-www-form-urlencoded")
	if status, head, _ := up.do("POST", gate.UploadPath, strings.Repeat("x", 2*maxLog), logKind...); status != 413 || head.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a log of more than %d bytes is a %d with %v", maxLog, status, head)
	}
	h.as(invited.token).refused(403, "upload_token", "", "POST", gate.UploadPath, eve, logKind...)
	h.want(200, "PATCH", "/v1/studies/coffee", `{"page":{"paused":true}}`, nil)
	up.refused(409, "paused", "", "POST", gate.UploadPath, eve, logKind...)
	h.want(200, "PATCH", "/v1/studies/coffee", `{"page":{"paused":false}}`, nil)
	up.want(200, "POST", gate.UploadPath, eve, &got, logKind...) // from before the study was changed
	if got.New != 1 {
		t.Errorf("eve's: %+v", got)
	}
	var next uploadAddress
	h.want(201, "POST", "/v1/studies/coffee/uploads/"+link.ID+"/renew", "", &next)
	up.refused(401, "link_renewed", "", "POST", gate.UploadPath, eve, logKind...)
	h.as(next.Token).want(200, "POST", gate.UploadPath, eve, nil, logKind...)
	var list listedUploads
	h.want(200, "GET", "/v1/studies/coffee/uploads", "", &list)
	if len(list.Uploads) != 1 || list.Uploads[0].ID != link.ID || next.ID != link.ID {
		t.Errorf("the list is %+v, want %s alone", list, link.ID)
	}
	notes, err := h.store.Notes(t.Context(), "coffee", "")
	if err != nil || strings.Contains(fmt.Sprint(notes), next.Token) || strings.Contains(fmt.Sprint(notes), link.Token) {
		t.Errorf("the store has the token (%v)", err)
	}
	h.want(204, "DELETE", "/v1/studies/coffee/uploads/"+link.ID, "", nil)
	h.as(next.Token).refused(401, "link_withdrawn", "", "POST", gate.UploadPath, eve, logKind...)
	h.refused(404, "no_link", "", "DELETE", "/v1/studies/coffee/uploads/"+link.ID, "")
	h.refused(404, "no_study", "", "POST", "/v1/studies/nowhere/uploads", "")
	h.refused(422, "invalid", "body.expires", "POST", "/v1/studies/coffee/uploads", `{"expires":"2001-01-01T00:00:00Z"}`)
}

// TestUploadPreflight: browsers are told what they may send, from anywhere, to this address and to no other; nothing is counted, and no cookie counts.
func TestUploadPreflight(t *testing.T) {
	h := newTestServer(t, nil) // without a token everybody is the owner, elsewhere
	h.want(201, "POST", "/v1/studies", coffee, nil)
	up, _ := h.uploader("coffee")
	ask := []string{"Origin", "null", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type", "Sec-Fetch-Site", "cross-site"}
	status, head, _ := h.do("OPTIONS", gate.UploadPath, "", ask...)
	want := map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "Authorization, Content-Type",
		"Access-Control-Allow-Credentials": "", "Access-Control-Allow-Private-Network": ""}
	for name, value := range want {
		if status != 204 || head.Get(name) != value {
			t.Errorf("%d, %s: %q, want %q", status, name, head.Get(name), value)
		}
	}
	if _, head, _ := h.do("OPTIONS", gate.UploadPath, "", append(ask, "Access-Control-Request-Private-Network", "true")...); head.Get("Access-Control-Allow-Private-Network") != "true" {
		t.Error("a page on the web may not reach a server in the testServer")
	}
	for _, path := range []string{"/v1/studies", "/v1/studies/coffee/export", "/v1/studies/coffee/uploads", gate.UploadPath + "/", "/metrics"} {
		if status, head, _ := h.do("OPTIONS", path, "", ask...); status/100 == 2 || head.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("OPTIONS %s: %d %v", path, status, head)
		}
	}
	h.refused(401, "token", "", "POST", gate.UploadPath, h.home("coffee", "eve", 1), logKind...)
	up.refused(403, "upload_only", "", "GET", "/v1/studies/coffee/export", "")
	up.want(200, "POST", gate.UploadPath, h.home("coffee", "eve", 1), nil, logKind...)
	if status, _, _ := up.do("GET", gate.UploadPath, ""); status != 405 {
		t.Errorf("reading what was uploaded is a %d", status)
	}
}

// TestUploadTogether: many people at once, some of them twice, on one study.
func TestUploadTogether(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	up, _ := h.uploader("coffee")
	const people = 6
	var all sync.WaitGroup
	fresh := make([]int, 2*people)
	for i := range fresh {
		log := h.home("coffee", fmt.Sprint("rater ", i%people), 2)
		all.Go(func() {
			status, _, text := up.do("POST", gate.UploadPath, log, logKind...)
			for range 600 {
				if status != http.StatusTooManyRequests { // no more than atOnce at a time
					break
				}
				time.Sleep(10 * time.Millisecond)
				status, _, text = up.do("POST", gate.UploadPath, log, logKind...)
			}
			var got uploaded
			if err := json.Unmarshal(text, &got); err != nil || status != http.StatusOK {
				t.Errorf("%d %s", status, text)
			}
			fresh[i] = got.New
		})
	}
	all.Wait()
	for i := range people {
		if fresh[i]+fresh[i+people] != 2 {
			t.Errorf("of rater %d %d and %d answers were new, want 2 together", i, fresh[i], fresh[i+people])
		}
	}
	if events, err := h.store.Events(t.Context(), "coffee"); err != nil || len(events) != 1+4*people {
		t.Errorf("the study has %d events (%v), want %d", len(events), err, 1+4*people)
	}
}

// TestUploadLimit: uploads count under their token and their study, and who is refused hears when to come back, on a page, too.
func TestUploadLimit(t *testing.T) {
	h := newTestServer(t, func(c *Config) { withOwner(c); c.Rate, c.StudyRate = 1, 2 })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	up, _ := h.uploader("coffee")
	log := h.home("coffee", "eve", 1)
	for range 20 {
		status, head, _ := up.do("POST", gate.UploadPath, log, logKind...)
		if status == 200 {
			continue
		}
		if status != 429 || head.Get("Retry-After") == "" || !strings.Contains(head.Get("Access-Control-Expose-Headers"), "Retry-After") || head.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%d %v", status, head)
		}
		return
	}
	t.Error("nobody was refused")
}

// unchained returns a log as an older version wrote it, which anybody can change.
func unchained(log string) string {
	_, rest, _ := strings.Cut(log, "\n")
	return `{"format":"prefer.log","version":1,"study":"home"}` + "\n" + rest
}

// couple returns the log of two people who took a study home.
func (h *testServer) couple(study string) string {
	h.t.Helper()
	var logs []logfile.Log
	for _, rater := range []string{"fay", "gus"} {
		_, events, err := logfile.Read(strings.NewReader(h.home(study, rater, 1)))
		if err != nil {
			h.t.Fatal(err)
		}
		logs = append(logs, logfile.Log{Name: rater, Events: events})
	}
	m, err := logfile.Merge(h.t.Context(), nil, logs...)
	if err != nil {
		h.t.Fatal(err)
	}
	return logText(h.t, m.Events)
}

// export returns the log of a study.
func (h *testServer) export(study string) string {
	h.t.Helper()
	events, err := h.store.Events(context.Background(), study)
	if err != nil {
		h.t.Fatal(err)
	}
	return logText(h.t, events)
}
