package server

import (
	"bytes"
	"encoding/base64"
	"html"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sayTea answers n questions of the study tea.
func (h *testServer) sayTea(rater string, n int) {
	h.t.Helper()
	for range n {
		var q Question
		h.want(200, "POST", "/v1/studies/tea/ask", `{"rater":"`+rater+`"}`, &q)
		h.want(200, "POST", "/v1/studies/tea/tell", `{"question_id":"`+q.ID+`","choice":"first"}`, nil)
	}
}

// TestReport: it is about the log as it was when it was asked for, cannot run a script, and goes when somebody
// is forgotten, so that asking again makes a new one.
func TestReport(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Version = "prefer v9.9" })
	h.want(201, "POST", "/v1/studies", tea, nil)
	h.sayTea("zelda", 2)
	var e, again, later Job
	h.want(202, "POST", "/v1/studies/tea/reports", `{"title":"Sweet <b>tea</b>"}`, &e)
	h.sayTea("bob", 1)
	if e.Kind != "report" || e.Seq != 5 || e.Answers != 2 || e.Parts != 1 {
		t.Fatalf("asked for %+v", e)
	}
	if e = h.finish("tea", e.ID); e.State != "done" || e.URL != "/v1/studies/tea/jobs/"+e.ID+"/page" {
		t.Fatalf("it ended as %+v", e)
	}
	status, head, page := h.do("GET", e.URL, "")
	if status != 200 || head.Get("Content-Type") != "text/html; charset=utf-8" || !strings.HasPrefix(head.Get("Content-Security-Policy"), "sandbox;") ||
		strings.Contains(head.Get("Content-Security-Policy"), "allow-") {
		t.Errorf("%d %v", status, head)
	}
	if !contains(page, "zelda") || whole.Match(page) || !contains(page, "Sweet &lt;b&gt;tea") || !contains(page, "prefer v9.9") {
		t.Errorf("the page is\n%.3000s", page)
	}
	h.want(202, "POST", "/v1/studies/tea/reports", "", &later)
	if later.ID == e.ID || later.Seq != 7 {
		t.Errorf("of a longer log it is %+v", later)
	}
	h.finish("tea", later.ID)
	h.want(202, "POST", "/v1/studies/tea/reports", "{}", &again)
	if again.ID != later.ID || again.State != "done" || h.server.studies.Counters.JobsSent.Load() != 2 {
		t.Errorf("asked again it is %+v, of %d", again, h.server.studies.Counters.JobsSent.Load())
	}
	if _, err := h.store.Forget(t.Context(), "tea", "zelda"); err != nil {
		t.Fatal(err)
	}
	h.refused(404, "no_job", "", "GET", e.URL, "")
	var list struct{ Jobs []Job }
	h.want(200, "GET", "/v1/studies/tea/jobs", "", &list)
	if len(list.Jobs) != 0 {
		t.Errorf("still there: %+v", list.Jobs)
	}
	h.want(202, "POST", "/v1/studies/tea/reports", "", &again)
	if again = h.finish("tea", again.ID); again.State != "done" {
		t.Fatalf("after forgetting it ends as %+v", again)
	}
	if _, _, page := h.do("GET", again.URL, ""); contains(page, "zelda") || !contains(page, "bob") {
		t.Errorf("after forgetting the page is\n%.3000s", page)
	}
	h.want(204, "DELETE", "/v1/studies/tea/jobs/"+again.ID, "", nil)
	notes, err := h.store.Notes(t.Context(), "tea", "derived/")
	if err != nil || len(notes) != 0 {
		t.Errorf("notes are left: %v, %v", notes, err)
	}
	if status, _, text := h.do("GET", "/v1/studies/tea/jobs/"+again.ID+"/page", ""); status != 404 || contains(text, "<html") {
		t.Errorf("its page is still there: %d", status)
	}
}

// TestReportForgotten: somebody is forgotten when the page is there and nobody has looked yet; asked for again it is
// made again.
func TestReportForgotten(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", tea, nil)
	h.sayTea("zelda", 1)
	h.sayTea("bob", 1)
	var e, again Job
	h.want(202, "POST", "/v1/studies/tea/reports", "", &e)
	await(t, "the page", func() bool {
		notes, err := h.store.Notes(t.Context(), "tea", "derived/report-")
		return err != nil || len(notes) == 1
	})
	if _, err := h.store.Forget(t.Context(), "tea", "zelda"); err != nil {
		t.Fatal(err)
	}
	h.want(202, "POST", "/v1/studies/tea/reports", "", &again)
	if again.ID != e.ID {
		t.Errorf("it is another job: %s and %s", e.ID, again.ID)
	}
	if again = h.finish("tea", again.ID); again.State != "done" {
		t.Fatalf("it ended as %+v", again)
	}
	if _, _, page := h.do("GET", again.URL, ""); contains(page, "zelda") || !contains(page, "bob") {
		t.Errorf("the page is\n%.3000s", page)
	}
}

// TestReportOfRater: in a study per rater it is about the group or one of them.
func TestReportOfRater(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", strings.Replace(tea, "{", `{"people":"per_rater",`, 1), nil)
	h.sayTea("zelda", 2)
	h.sayTea("bob", 2)
	h.refused(422, "invalid", "body.rater", "POST", "/v1/studies/tea/reports", `{"rater":"eve"}`)
	var group, one Job
	h.want(202, "POST", "/v1/studies/tea/reports", "", &group)
	h.want(202, "POST", "/v1/studies/tea/reports", `{"rater":"bob"}`, &one)
	if group, one = h.finish("tea", group.ID), h.finish("tea", one.ID); group.State != "done" || one.State != "done" || one.Rater != "bob" || group.ID == one.ID {
		t.Errorf("%+v and %+v", group, one)
	}
}

// whole is a name, and not letters of a font.
var whole = regexp.MustCompile(`\bbob\b`)

// TestReportOfNothing: a study without answers has a report, too.
func TestReportOfNothing(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", tea, nil)
	var e Job
	h.want(202, "POST", "/v1/studies/tea/reports", "", &e)
	if e = h.finish("tea", e.ID); e.State != "done" {
		t.Errorf("it ended as %+v", e)
	}
}

// TestReportOfPictures: what items look like is in the page.
func TestReportOfPictures(t *testing.T) {
	dir := t.TempDir()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.png"), picture.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	h := newTestServer(t, func(c *Config) { c.Folders = map[string]string{"tea": dir} })
	h.want(201, "POST", "/v1/studies", `{"name":"tea","items":[{"id":"a","media":"a.png"},{"id":"b"}],"method":"random"}`, nil)
	h.sayTea("ann", 2)
	var e Job
	h.want(202, "POST", "/v1/studies/tea/reports", "", &e)
	if _, _, page := h.do("GET", h.finish("tea", e.ID).URL, ""); !strings.Contains(html.UnescapeString(string(page)), base64.StdEncoding.EncodeToString(picture.Bytes())) {
		t.Errorf("there is no picture in\n%.3000s", page)
	}
}
