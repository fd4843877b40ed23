package server

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"
)

// TestAgree: ending, result and report say the same of one study, word for word: at a budget that only the page knows, and of a team of which one has given
// all of their answers and one has not.
func TestAgree(t *testing.T) {
	h := newTestServer(t, nil)
	for name, c := range map[string]struct {
		raters map[string]int // answers of each
		kind   string
	}{"budget": {map[string]int{"": 4}, "budget_reached"}, "team": {map[string]int{"ann": 4, "bob": 1}, "keep_going"}} {
		h.want(201, "POST", "/v1/studies", fmt.Sprintf(`{"name":%q,"seed":5,"show_result":true,"page":{"goal":4},"params":[{"name":"sugar","low":0,"high":9}]}`, name), nil)
		for rater, n := range c.raters {
			for range n {
				var q Question
				h.want(200, "POST", "/v1/studies/"+name+"/ask", fmt.Sprintf(`{"rater":%q}`, rater), &q)
				h.want(200, "POST", "/v1/studies/"+name+"/tell", fmt.Sprintf(`{"question_id":%q,"rater":%q,"choice":"first"}`, q.ID, rater), nil)
			}
		}
		at := "/s/" + name // of the owner, who is the one person here, or looks on
		if _, ok := c.raters["ann"]; ok {
			var link struct{ URL string }
			h.want(201, "POST", "/v1/studies/"+name+"/links", `{"rater":"ann"}`, &link)
			at = link.URL
		}
		var end struct{ Headline, Text, More string }
		_, _, text := h.do("GET", at+"/ending", "")
		if err := json.Unmarshal(text, &end); err != nil {
			t.Fatal(err)
		}
		_, _, page := h.do("GET", at+"/result", "", "Accept", "text/html")
		var job Job
		h.want(202, "POST", "/v1/studies/"+name+"/reports", "{}", &job)
		if job = h.finish(name, job.ID); job.State != "done" {
			t.Fatalf("%s: the report ended as %+v", name, job)
		}
		_, _, report := h.do("GET", job.URL, "")
		more, _, _ := strings.Cut(end.More, " After ") // the result says how many answered in a line of its own, the report at its head
		for _, say := range []string{end.Headline, end.Text, more} {
			for where, all := range map[string][]byte{"result": page, "report": report} {
				if say == "" || !strings.Contains(html.UnescapeString(string(all)), say) {
					t.Errorf("%s: the end says %q, the %s does not", name, say, where)
				}
			}
		}
		var v struct{ Kind string }
		if h.want(200, "GET", "/v1/studies/"+name+"/verdict", "", &v); v.Kind != c.kind {
			t.Errorf("%s ended as %q, want %q: the test needs one", name, v.Kind, c.kind)
		}
	}
}
