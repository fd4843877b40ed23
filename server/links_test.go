package server

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/live/token"
)

// browser is somebody who opens links, with the cookies that they got.
type visitorBrowser struct {
	*testServer
	cookies map[string]string
}

func (h *testServer) browser() *visitorBrowser {
	h.web.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &visitorBrowser{h.as(""), map[string]string{}}
}

// open opens an address and returns the status, the token it leads to, if it does, and what the page says.
func (b *visitorBrowser) open(path string) (status int, token, text string) {
	b.t.Helper()
	var sent []string
	for name, value := range b.cookies {
		sent = append(sent, name+"="+value)
	}
	status, header, body := b.do("GET", path, "", "Accept", "text/html", "Cookie", strings.Join(sent, "; "))
	for _, line := range header.Values("Set-Cookie") {
		c, err := http.ParseSetCookie(line)
		if err != nil || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode {
			b.t.Errorf("%q, %v", line, err)
			continue
		}
		b.cookies[c.Name] = c.Value
	}
	token, _, _ = strings.Cut(strings.TrimPrefix(header.Get("Location"), "/r/"), "?")
	return status, token, string(body)
}

// opened fails unless an address leads to a token of this rater, and returns it.
func (b *visitorBrowser) opened(path, rater string) string {
	b.t.Helper()
	status, token, text := b.open(path)
	if status != http.StatusSeeOther {
		b.t.Fatalf("%s: %d\n%s", path, status, text)
	}
	b.is(token, rater)
	return token
}

// is fails unless a token is this rater's.
func (h *testServer) is(token, rater string) {
	h.t.Helper()
	var me struct{ Rater string }
	h.as(token).want(200, "GET", "/v1/me", "", &me)
	if me.Rater != rater && (rater != "" || !strings.HasPrefix(me.Rater, "guest-")) {
		h.t.Errorf("the token is %q's, want %q", me.Rater, rater)
	}
}

func (h *testServer) everybody() (l link) {
	h.t.Helper()
	h.want(201, "POST", "/v1/studies/coffee/links", `{"everybody":true}`, &l)
	return l
}

// TestEverybody: everyone who opens a shared link gets a name, and finds their place again in the same browser; no other browser
// gets it by that name, and the shared link itself is not a token.
func TestEverybody(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	all := h.everybody()
	h.as(all.Token).refused(401, "token", "", "POST", "/v1/studies/coffee/ask", `{}`)
	ann, bob := h.browser(), h.browser()
	const p42 = "?PROLIFIC_PID=p42&SESSION_ID=s7"
	if _, header, _ := h.browser().do("GET", all.URL+p42, ""); !strings.HasSuffix(header.Get("Location"), "?SESSION_ID=s7") {
		t.Errorf("they go to %s", header.Get("Location"))
	}
	token := ann.opened(all.URL+p42, "p42")
	if again := ann.opened(all.URL+p42, "p42"); again != token {
		t.Errorf("in the same browser p42 has %s and %s", token, again)
	}
	other := ann.opened(all.URL+"?PROLIFIC_PID=p43", "p43") // at the same computer
	guest := ann.opened(all.URL, "")
	if again := ann.opened(all.URL, ""); again != guest || guest == bob.opened(all.URL, "") {
		t.Error("a guest has no place of their own")
	}
	early := bob.opened(all.URL+p42, "p42") // nobody has the name yet
	q := h.as(token).askAs("p42")
	h.as(other).askAs("p43")
	h.as(token).tell(q, "first")

	// p42 is ann's from now on, and their ID opens nothing.
	h.as(early).refused(401, "name_taken", "", "POST", "/v1/studies/coffee/ask", `{}`)
	h.as(early).refused(401, "name_taken", "", "GET", "/v1/studies/coffee/history", "")
	for range 2 {
		status, _, text := bob.open(all.URL + p42)
		if status != 409 || !strings.Contains(text, "This name is taken") || !strings.Contains(text, "PROLIFIC_PID=p42&amp;SESSION_ID=s7&amp;anew=1") && !strings.Contains(text, "anew=1") {
			t.Errorf("another browser: %d %s", status, text)
		}
	}
	status, fresh, _ := bob.open(all.URL + p42 + "&anew=1")
	var me struct{ Rater string }
	h.as(fresh).want(200, "GET", "/v1/me", "", &me)
	if status != 303 || !strings.HasPrefix(me.Rater, "p42-") {
		t.Errorf("started over: %d, %+v", status, me)
	}
	if again := bob.opened(all.URL+p42, me.Rater); again != fresh { // and that browser knows it
		t.Errorf("started over at %s, then %s", fresh, again)
	}
	if again := ann.opened(all.URL+p42, "p42"); again != token {
		t.Errorf("p42 has lost their place to %s", again)
	}
	for _, bad := range []string{"a%23b", "a%00b", "%ff", "p%c3", "%ed%a0%80", "%ef%bf%bd", strings.Repeat("x", 101)} {
		h.as("").refused(422, "invalid", "query.PROLIFIC_PID", "GET", all.URL+"?PROLIFIC_PID="+bad, "")
	}
}

// askAs asks, and fails unless the question is this rater's.
func (h *testServer) askAs(rater string) (q Question) {
	h.t.Helper()
	h.want(200, "POST", "/v1/studies/coffee/ask", `{}`, &q)
	if q.Rater != rater {
		h.t.Errorf("the question is %q's, want %q", q.Rater, rater)
	}
	return q
}

// TestEverybodyIsNobody: a link for everybody with the name of somebody who is in the study neither reads nor takes back their answers,
// whether they were invited by name, entered by the owner, or erased.
func TestEverybodyIsNobody(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	all := h.everybody()
	ben := h.invite("coffee", "ben")
	for range 2 {
		ben.tell(ben.askAs("ben"), "first")
	}
	h.tell(h.ask("cli"), "second")
	h.invite("coffee", "new")
	for _, name := range []string{"ben", "cli", "new", "owner"} {
		stranger := h.browser()
		if status, token, text := stranger.open(all.URL + "?PROLIFIC_PID=" + name); status != 409 || token != "" || len(stranger.cookies) > 0 {
			t.Errorf("%s: %d %s", name, status, text)
		}
		made := h.as(all.Token + "." + token.NewSecret() + "." + base64.RawURLEncoding.EncodeToString([]byte(name)))
		for _, c := range [][3]string{{"GET", "/v1/me", ""}, {"GET", "/v1/studies/coffee/history", ""}, {"POST", "/v1/studies/coffee/undo", `{}`}, {"GET", "/v1/studies/coffee/events", ""}} {
			made.refused(401, "name_taken", "", c[0], c[1], c[2])
		}
		if status, _, _ := stranger.open("/r/" + made.token); status != 409 {
			t.Errorf("the page of %s: %d", name, status)
		}
	}
	var history struct{ Answers []struct{ Undone bool } }
	ben.want(200, "GET", "/v1/studies/coffee/history", "", &history)
	if len(history.Answers) != 2 || history.Answers[1].Undone {
		t.Errorf("ben's answers are %+v", history)
	}
	// Ben's own browser is known by Ben's link.
	bens := h.browser()
	bens.open("/r/" + ben.token)
	bens.opened(all.URL+"?PROLIFIC_PID=ben", "ben")

	// An erased name is blocked.
	if _, err := h.store.Forget(t.Context(), "coffee", "ben"); err != nil {
		t.Fatal(err)
	}
	ben.refused(401, "token", "", "GET", "/v1/me", "")
	if status, _, text := bens.open("/r/" + ben.token); status != 404 || !strings.Contains(text, "This link does not work") {
		t.Errorf("a forgotten rater's page: %d %s", status, text)
	}
	for _, query := range []string{"", "&anew=1"} {
		if status, _, text := bens.open(all.URL + "?PROLIFIC_PID=ben" + query); status != 410 || !strings.Contains(text, "This participant was removed") || strings.Contains(text, "Start over") {
			t.Errorf("a forgotten rater: %d %s", status, text)
		}
	}
	h.is(h.invite("coffee", "ben").token, "ben") // unless they are invited again
}

// TestEverybodyRows: opening a link costs no row.
func TestEverybodyRows(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	all := h.everybody()
	count := func() int {
		notes, err := h.store.Notes(t.Context(), "coffee", "")
		if err != nil {
			t.Fatal(err)
		}
		return len(notes)
	}
	before := count()
	var token string
	for i := range 60 {
		b := h.browser()
		b.opened(all.URL, "")
		token = b.opened(all.URL+fmt.Sprintf("?PROLIFIC_PID=p%d", i), fmt.Sprintf("p%d", i))
	}
	if status, _, text := h.browser().open("/r/" + token); status != 200 {
		t.Errorf("their page: %d %s", status, text)
	}
	h.as(token).want(200, "GET", "/v1/studies/coffee/history", "", nil)
	if n := count(); n != before {
		t.Errorf("120 openings made %d rows", n-before)
	}
	h.as(token).askAs("p59")
	h.as(token).askAs("p59")
	if n := count(); n != before+1 {
		t.Errorf("two asks made %d rows", n-before)
	}
}

// TestLinks: the owner lists, withdraws and renews links, and who still has one is told what became of it.
func TestLinks(t *testing.T) {
	now := time.Now()
	h := newTestServer(t, func(c *Config) { withOwner(c); c.Now = func() time.Time { return now } })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	const links = "/v1/studies/coffee/links"
	for body, field := range map[string]string{
		`{}`: "body.rater", `{"rater":null}`: "body.rater", `{"rater":""}`: "body.rater", `{"everybody":false}`: "body.rater", `{"everybody":true,"rater":"ann"}`: "body.everybody",
		`{"rater":"ann","expires":"2020-01-01T00:00:00Z"}`: "body.expires", `{"rater":"ann","expires":"tomorrow"}`: "body.expires",
	} {
		h.refused(422, "invalid", field, "POST", links, body)
	}
	for _, name := range []string{`\ud800`, "\xff", `ann\udfff`, "ann\xc3", "\uFFFD"} { // two of them would become one
		for _, path := range []string{"links", "ask", "undo", "enqueue", "exclude"} {
			if got, _, text := h.do("POST", "/v1/studies/coffee/"+path, `{"rater":"`+name+`"}`); got != 422 && got != 400 {
				t.Errorf("%s as %q: %d %s", path, name, got, text)
			}
		}
	}
	for _, name := range []string{"%ff", "ann%c3", "%ed%a0%80", "%ef%bf%bd"} {
		h.refused(422, "invalid", "query.rater", "GET", "/v1/studies/coffee/best?rater="+name, "")
	}
	var list struct{ Links []token.Token }
	if h.want(200, "GET", links, "", &list); len(list.Links) != 0 {
		t.Errorf("links were made: %+v", list)
	}

	var ann, bob, again link
	h.want(201, "POST", links, `{"rater":"ann","expires":"`+now.Add(time.Hour).UTC().Format(time.RFC3339)+`"}`, &ann)
	h.want(201, "POST", links, `{"rater":"bob"}`, &bob)
	all := h.everybody()
	guest := h.browser().opened(all.URL+"?PROLIFIC_PID=p42", "p42")
	h.as(guest).askAs("p42")
	h.want(200, "GET", links, "", &list)
	found := map[string]token.Token{}
	for _, l := range list.Links {
		found[l.Rater] = l
	}
	if len(list.Links) != 4 || found["ann"].ID != ann.ID || !found["ann"].Expires.Equal(ann.Expires) || !found[""].Everybody || found[""].Guests != 1 || found["p42"].Through != all.ID || found["p42"].LastAsked.IsZero() {
		t.Errorf("the links are %+v", list)
	}

	refused := func(l link, kind string) {
		t.Helper()
		h.as(l.Token).refused(401, kind, "", "GET", "/v1/me", "")
		h.as(l.Token).refused(401, kind, "", "POST", "/v1/studies/coffee/ask", `{}`)
		if status, _, text := h.browser().open(l.URL); status != 410 || !strings.Contains(text, "<h1>") {
			t.Errorf("its page: %d %s", status, text)
		}
		h.as(l.Token).want(200, "GET", "/healthz", "", nil)
	}
	now = now.Add(2 * time.Hour)
	refused(ann, "link_expired")
	h.want(201, "POST", links+"/"+ann.ID+"/renew", "", &again)
	if again.ID != ann.ID || again.Rater != "ann" || !again.Expires.After(now) {
		t.Errorf("renewed to %+v", again)
	}
	refused(ann, "link_renewed")
	h.is(again.Token, "ann")
	h.want(204, "DELETE", links+"/"+bob.ID, "", nil)
	refused(bob, "link_withdrawn")
	h.refused(404, "no_link", "", "DELETE", links+"/"+bob.ID, "")
	h.refused(404, "no_link", "", "POST", links+"/nothing/renew", "")
	h.refused(404, "no_study", "", "GET", "/v1/studies/none/links", "")
	h.refused(404, "no_study", "", "DELETE", "/v1/studies/none/links/x", "")
	h.want(204, "DELETE", links+"/"+all.ID, "", nil)
	refused(all, "link_withdrawn")
	refused(link{Token: guest, URL: "/r/" + guest}, "link_withdrawn")
	if h.want(200, "GET", links, "", &list); len(list.Links) != 2 { // ann, and the guest, who may be renewed
		t.Errorf("left are %+v", list)
	}
	for _, c := range [][3]string{{"GET", links, ""}, {"DELETE", links + "/" + again.ID, ""}, {"POST", links + "/" + again.ID + "/renew", ""}} {
		h.as(again.Token).refused(403, "owner_only", "", c[0], c[1], c[2])
	}
}

// TestLinksEndStreams: the event stream of a link that was withdrawn ends, and others go on.
func TestLinksEndStreams(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	var ann link
	h.want(201, "POST", "/v1/studies/coffee/links", `{"rater":"ann"}`, &ann)
	bob := h.invite("coffee", "bob")
	guest := h.browser().opened(h.everybody().URL, "")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	anns, bobs, guests := h.as(ann.Token).stream(ctx), bob.stream(ctx), h.as(guest).stream(ctx)
	hear(t, anns, `"kind":"now"`)
	hear(t, bobs, `"kind":"now"`)
	hear(t, guests, `"kind":"now"`)
	h.want(204, "DELETE", "/v1/studies/coffee/links/"+ann.ID, "", nil)
	for line := range anns { // until it ends
		if strings.HasPrefix(line, "data:") {
			t.Errorf("after their link was withdrawn they hear %q", line)
		}
	}
	hear(t, bobs, `"kind":"changed"`) // that links have
	hear(t, guests, `"kind":"changed"`)
	bob.askAs("bob")
	hear(t, bobs, `"kind":"changed"`)
	hear(t, guests, `"kind":"changed"`)
}
