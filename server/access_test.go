package server

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/store/sqlstore"
)

const owner = "owner-token-of-this-test"

func withOwner(c *Config) { c.OwnerToken = owner }

// invite returns the server for a rater with a link.
func (h *testServer) invite(study, rater string) *testServer {
	h.t.Helper()
	var l link
	h.want(201, "POST", "/v1/studies/"+study+"/links", `{"rater":"`+rater+`"}`, &l)
	if l.URL != h.server.cfg.Prefix+"/r/"+l.Token || len(l.Token) != 22 || l.Rater != rater {
		h.t.Errorf("invited to %+v", l)
	}
	return h.as(l.Token)
}

// TestRater: a rater asks, tells, takes back their own and sees the status of their study. What they may not is TestMatrix's.
func TestRater(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, "coffee", "tea", 1), nil)
	ann, bob := h.invite("coffee", "ann"), h.invite("coffee", "bob")
	var me struct{ Role, Study, Rater string }
	ann.want(200, "GET", "/v1/me", "", &me)
	if me.Role != "rater" || me.Study != "coffee" || me.Rater != "ann" {
		t.Errorf("ann is %+v", me)
	}
	h.want(200, "GET", "/v1/me", "", &me)
	if me.Role != "owner" {
		t.Errorf("the owner is %+v", me)
	}
	var q Question
	ann.want(200, "POST", "/v1/studies/coffee/ask", "", &q)
	if q.Rater != "ann" || q.Why != nil {
		t.Errorf("ann was asked %+v", q)
	}
	answer := fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, q.ID)
	var out told
	ann.want(200, "POST", "/v1/studies/coffee/tell?next=1", answer, &out)
	if out.Next == nil || out.Next.Why != nil {
		t.Errorf("ann was told %+v", out)
	}
	bob.refused(404, "no_answer", "", "POST", "/v1/studies/coffee/undo", "")
	var history struct{ Answers []struct{ Rater string } }
	bob.want(200, "GET", "/v1/studies/coffee/history", "", &history)
	if len(history.Answers) != 0 {
		t.Errorf("bob sees %+v", history)
	}
	ann.want(200, "DELETE", "/v1/studies/coffee/answers/"+out.Answer, "", nil)
	var study Study
	ann.want(200, "GET", "/v1/studies/coffee", "", &study)
	if study.Settings != nil {
		t.Error("a rater sees how they are checked")
	}
	h.want(204, "DELETE", "/v1/studies/coffee", "", nil)
	bob.refused(401, "token", "", "GET", "/v1/me", "")
	h.refused(404, "no_study", "", "POST", "/v1/studies/none/links", `{"rater":"eve"}`)
	h.refused(422, "invalid", "body.rater", "POST", "/v1/studies/tea/links", `{"rater":""}`)
}

// TestOwnerLink: the button at the address makes one browser the owner's, and looking at it none.
func TestOwnerLink(t *testing.T) {
	h := newTestServer(t, withOwner)
	link := h.server.OwnerLink()
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for range 3 { // a chat looks at what is posted in it
		for _, method := range []string{"GET", "HEAD"} {
			if status, header, text := h.as("").do(method, link, ""); status != 200 || header.Get("Set-Cookie") != "" || method == "GET" && !strings.Contains(string(text), `<form method="post" action="`+link+`">`) {
				t.Fatalf("%s: %d %v %s", method, status, header, text)
			}
		}
	}
	press, err := http.NewRequest("POST", h.web.URL+link, nil)
	if err != nil {
		t.Fatal(err)
	}
	press.Header.Set("Origin", "null") // so a browser over plain http, which was told to name no referrer
	resp, err := browser.Do(press)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	cookies := resp.Cookies()
	if resp.StatusCode != 303 || len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || strings.Contains(cookies[0].Value, owner) {
		t.Fatalf("%d %v", resp.StatusCode, cookies)
	}
	stranger := h.as("")
	cookie := cookies[0].Name + "=" + cookies[0].Value
	stranger.want(200, "GET", "/v1/studies", "", nil, "Cookie", cookie)
	stranger.want(201, "POST", "/v1/studies", coffee, nil, "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
	stranger.refused(403, "used", "", "GET", link, "")
	stranger.refused(403, "used", "", "POST", link, "")
	stranger.refused(401, "token", "", "GET", "/v1/studies", "", "Cookie", cookies[0].Name+"=x")
}

// TestSecureCookies: a cookie is kept to https where the browser came over it, as far as anybody says so, and no
// header makes it less safe.
func TestSecureCookies(t *testing.T) {
	for _, c := range []struct {
		public, proto string
		want          bool
	}{
		{"", "", false}, {"", "http", false}, {"", "https", true}, {"", "HTTPS", true}, {"", " https , http", true}, {"", "http, https", false},
		{"http://prefer.example.org", "", false}, {"https://prefer.example.org", "", true}, {"https://prefer.example.org", "http", true},
	} {
		h := newTestServer(t, func(cfg *Config) { cfg.OwnerToken, cfg.PublicURL = owner, c.public })
		h.web.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		_, head, _ := h.as("").do("POST", h.server.OwnerLink(), "", "X-Forwarded-Proto", c.proto)
		cookie, err := http.ParseSetCookie(head.Get("Set-Cookie"))
		if err != nil || cookie.Secure != c.want {
			t.Errorf("%+v: %v, %v", c, cookie, err)
		}
	}
	for _, bad := range []string{"prefer.example.org", "ftp://x", "https://", "https://x?y", "https://x#y", "://"} {
		st, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(Config{Store: st, PublicURL: bad}); err == nil || !strings.Contains(err.Error(), "PublicURL") {
			t.Errorf("PublicURL %q: %v", bad, err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}
}
