package server

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestPageRights: what the owner sees nobody else does, and a rater sees their study only.
func TestPageRights(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.OwnerToken = owner })
	h.want(200, "POST", "/start/demo", `{"name":"palette"}`, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	var link struct{ URL string }
	h.want(201, "POST", "/v1/studies/coffee/links", `{"rater":"Anna"}`, &link)
	nobody := h.as("")
	for _, c := range []struct {
		method, path, body string
		owner, nobody      int
	}{
		{"GET", "/", "", 200, 403},
		{"GET", "/s/coffee", "", 200, 403},
		{"GET", "/s/coffee/result", "", 200, 403},
		{"GET", "/s/coffee/owner", "", 200, 403},
		{"GET", "/s/coffee/jobs", "", 200, 403},
		{"GET", "/s/coffee/qr?text=x", "", 200, 403},
		{"GET", "/s/coffee/learned", "", 200, 403},
		{"GET", "/s/nowhere", "", 404, 403},
		{"GET", "/s/coffee/draw?milk=0.5&sugar=1", "", 404, 403}, // no template
		{"GET", "/s/palette/draw?hue=10&spread=20&chroma=0.1&lightness=0.6&contrast=0.1", "", 200, 403},
		{"GET", "/s/palette/draw?hue=1000&spread=20&chroma=0.1&lightness=0.6&contrast=0.1", "", 422, 403},
		{"GET", "/s/palette/draw?hue=10", "", 422, 403},
		{"GET", "/s/palette?check=100", "", 422, 403},
		{"POST", "/start/demo", `{"name":"nothing"}`, 404, 403},
		{"POST", "/start/demo", `{"name":1}`, 422, 403},
		{"POST", "/start/params", `{"name":"a","params":[{"name":"x","type":"float","low":1,"high":0}]}`, 422, 403},
		{"POST", "/start/params", `{"name":"a","params":[{"name":"x","type":"float","low":0,"high":1}],"page":{"template":{"kind":"svg","text":"{{y}}"}}}`, 422, 403},
		{"POST", "/s/coffee/flip", `{"answer":"a9"}`, 404, 403},
		{"POST", "/s/coffee/pause", `{"paused":false}`, 200, 403},
		{"GET", "/page/style.css", "", 200, 200},
		{"GET", "/page/nothing.js", "", 404, 404},
		{"GET", "/start/sample/poster", "", 200, 200},
		{"GET", "/r/nothing", "", 404, 404},
		{"GET", link.URL, "", 200, 200},
		{"GET", link.URL + "/result", "", 403, 403}, // the study does not show its result
		{"GET", link.URL + "/owner", "", 404, 404},
		{"GET", link.URL + "/jobs", "", 404, 404},
	} {
		if got, _, text := h.do(c.method, c.path, c.body); got != c.owner {
			t.Errorf("owner: %s %s: %d, want %d\n%.300s", c.method, c.path, got, c.owner, text)
		}
		if got, _, text := nobody.do(c.method, c.path, c.body); got != c.nobody {
			t.Errorf("nobody: %s %s: %d, want %d\n%.300s", c.method, c.path, got, c.nobody, text)
		}
	}
}

// TestPagePolicy: pages allow nothing inline; what a template draws is shut in wherever it is opened.
func TestPagePolicy(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"frame","params":[{"name":"x","type":"float","low":0,"high":1}],"page":{"template":{"kind":"html","text":"<b>{{x}}</b>"}}}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"far","params":[{"name":"x","type":"float","low":0,"high":1}],"page":{"template":{"kind":"image","text":"https://example.org/r?x={{x}}"}}}`, nil)
	policy := func(path string) string {
		_, header, _ := h.do("GET", path, "")
		return header.Get("Content-Security-Policy")
	}
	for _, path := range []string{"/", "/s/frame", "/s/frame/result", "/s/frame/owner"} {
		if p := policy(path); !strings.Contains(p, "script-src 'self';") || strings.Contains(p, "unsafe") || !strings.Contains(p, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %s", path, p)
		}
	}
	if p := policy("/s/frame/draw?x=0.5"); !strings.HasPrefix(p, "sandbox allow-scripts;") || strings.Contains(p, "allow-same-origin") || !strings.Contains(p, "default-src 'none'") {
		t.Errorf("a template's policy is %s", p)
	}
	if p := policy("/s/far"); !strings.Contains(p, "img-src 'self' data: https://example.org;") {
		t.Errorf("a template elsewhere has the policy %s", p)
	}
	h.web.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if status, header, _ := h.do("GET", "/s/far/draw?x=0.5", ""); status != http.StatusSeeOther || header.Get("Location") != "https://example.org/r?x=0.5" {
		t.Errorf("a template elsewhere leads to %q (%d)", header.Get("Location"), status)
	}
}

// TestPagePause: a paused study asks raters nothing, on the page or off it, and the owner goes on.
func TestPagePause(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.OwnerToken = owner })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	var link struct{ URL, Token string }
	h.want(201, "POST", "/v1/studies/coffee/links", `{"rater":"Anna"}`, &link)
	h.want(200, "POST", "/s/coffee/pause", `{"paused":true}`, nil)
	anna := h.as(link.Token)
	anna.want(409, "POST", "/v1/studies/coffee/ask", `{}`, nil)
	anna.want(503, "GET", link.URL, "", nil)
	h.want(200, "POST", "/v1/studies/coffee/ask", `{}`, nil)
	h.want(200, "POST", "/s/coffee/pause", `{"paused":false}`, nil)
	anna.want(200, "POST", "/v1/studies/coffee/ask", `{}`, nil)
}

// TestPageStop: the form of the start page takes a budget and a tolerance, and refuses those that make no sense by field and value.
func TestPageStop(t *testing.T) {
	h := newTestServer(t, nil)
	const tea = `"name":"tea","params":[{"name":"sugar","type":"float","low":0,"high":5}]`
	for field, value := range map[string]string{"budget": `0`, "tolerance": `"1 salt"`} {
		h.refused(422, "invalid", "body."+field, "POST", "/start/params", `{`+tea+`,"`+field+`":`+value+`}`)
	}
	h.want(200, "POST", "/start/params", `{`+tea+`,"budget":7,"tolerance":"0.5 sugar"}`, nil)
	study, err := h.store.Study(t.Context(), "tea")
	if err != nil {
		t.Fatal(err)
	}
	if c := study.Config(); c.Budget != 7 || c.Tolerance.String() != "0.5 sugar" {
		t.Errorf("the study has a budget of %d answers and tolerates %q", c.Budget, c.Tolerance)
	}
}

// TestPageStage: a preview has an origin of its own and no network, but for the one place that it is told of.
func TestPageStage(t *testing.T) {
	h := newTestServer(t, nil)
	for origin, want := range map[string]string{"": "frame-src 'none';", "https://example.org:8443": "img-src data: blob: https://example.org:8443; font-src data:; media-src data: blob:; frame-src https://example.org:8443;"} {
		status, header, _ := h.do("GET", "/start/stage?origin="+url.QueryEscape(origin), "")
		policy := header.Get("Content-Security-Policy")
		if status != 200 || !strings.HasPrefix(policy, "sandbox allow-scripts; default-src 'none'; ") || !strings.Contains(policy, want) || header.Get("X-Frame-Options") != "" {
			t.Errorf("%q: %d, %s", origin, status, policy)
		}
	}
	for _, origin := range []string{"example.org", "https://", "https://example.org/", "ftp://example.org", "https://a.org https://b.org", "https://a.org;script-src", "javascript:alert(1)", "https://*", "https://u@a.org"} {
		h.refused(422, "invalid", "query.origin", "GET", "/start/stage?origin="+url.QueryEscape(origin), "")
	}
}

// TestPageThumb: a study is shown by what was taken most often, and of several the latest; before that by its first item.
func TestPageThumb(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"dots","items":[{"id":"a"},{"id":"b"},{"id":"c"}],"page":{"template":{"kind":"html","text":"<p>{{item}}"}}}`, nil)
	drawn := func(want string) {
		t.Helper()
		var thumb struct{ Draw string }
		if h.want(200, "GET", "/s/dots/thumb", "", &thumb); thumb.Draw != "/s/dots/draw?item="+want {
			t.Errorf("drawn is %q, want item %s", thumb.Draw, want)
		}
	}
	drawn("a")
	for _, step := range []struct{ winner, loser, want string }{{"b", "a", "b"}, {"c", "a", "c"}, {"b", "c", "b"}, {"a", "c", "b"}} {
		h.want(200, "POST", "/v1/studies/dots/tell", `{"winner":{"item":"`+step.winner+`"},"loser":{"item":"`+step.loser+`"}}`, nil)
		drawn(step.want)
	}
	h.want(201, "POST", "/v1/studies", `{"name":"sizes","params":[{"name":"size","type":"int","low":0,"high":10}],"page":{"template":{"kind":"svg","text":"<svg r='{{size}}'/>"}}}`, nil)
	if _, header, text := h.do("GET", "/s/sizes/thumb", ""); string(text) != "<svg r='5'/>" || header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("%s %s", header.Get("Content-Type"), text)
	}
}

// TestPageFlip turns an answer round as it was shown: sides, rater and time stay, the winner changes.
func TestPageFlip(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	for range 2 { // of two questions one is shown exchanged
		var q Question
		h.want(200, "POST", "/v1/studies/coffee/ask", `{}`, &q)
		var told struct {
			ID string `json:"answer_id"`
		}
		h.want(200, "POST", "/v1/studies/coffee/tell", `{"question_id":"`+q.ID+`","choice":"first","rt_ms":700,"note":"warmer","meta":{"cup":1}}`, &told)
		h.want(200, "POST", "/s/coffee/flip", `{"answer":"`+told.ID+`"}`, nil)
		study, err := h.store.Study(t.Context(), "coffee")
		if err != nil {
			t.Fatal(err)
		}
		history := study.History()
		was, is := history[len(history)-2], history[len(history)-1]
		if was.Answer.Note != "warmer" || was.Answer.Meta["cup"].Float() != 1 {
			t.Errorf("the answer before it was flipped has the note %q and %v", was.Answer.Note, was.Answer.Meta)
		}
		want := was.Answer
		want.Note, want.Meta = "", nil // they spoke of the other
		want.Choice = map[prefer.Choice]prefer.Choice{prefer.First: prefer.Second, prefer.Second: prefer.First}[was.Answer.Choice]
		if !was.Undone || is.Undone || is.Question != was.Question || !reflect.DeepEqual(is.Answer, want) {
			t.Errorf("flipped %+v to %+v", was, is)
		}
	}
}

// TestPagePrefix: mounted under a prefix every address a page names begins with it.
func TestPagePrefix(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Prefix = "/prefer" })
	h.want(200, "POST", "/prefer/start/demo", `{"name":"creatures"}`, nil)
	for _, path := range []string{"/prefer/", "/prefer/s/creatures", "/prefer/s/creatures/result", "/prefer/s/creatures/owner"} {
		status, _, text := h.do("GET", path, "")
		if status != 200 {
			t.Errorf("%s: %d", path, status)
		}
		for _, attribute := range []string{` href="/`, ` src="/`, ` data-base="/`, ` action="/`} {
			for _, rest := range strings.Split(string(text), attribute)[1:] {
				if !strings.HasPrefix(rest, "prefer/") {
					t.Errorf("%s: %s%.40s", path, attribute, rest)
				}
			}
		}
	}
}
