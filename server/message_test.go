package server

import (
	"strings"
	"testing"
)

// TestMessages: what went wrong is a page where a browser asks, in its language, and a problem where a program does or the API is
// meant.
func TestMessages(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	var l link
	h.want(201, "POST", "/v1/studies/coffee/links", `{"rater":"ann"}`, &l)
	stranger := h.as("")
	door := h.server.OwnerLink()
	if status, _, text := stranger.do("GET", door, "", "Accept", "text/html", "Accept-Language", "de"); status != 200 || !strings.Contains(string(text), `lang="de"`) {
		t.Errorf("the owner's address is %d %s", status, text)
	}
	stranger.do("POST", door, "")
	for _, c := range []struct {
		who          *testServer
		method, path string
		status       int
		page, kind   string // what a browser reads, nothing where it gets a problem, and the type of that
	}{
		{h, "GET", "/nowhere", 404, "Page not found", "no_address"},
		{h, "GET", "/s/tea", 404, "There is no such study", "no_study"},
		{h, "DELETE", "/s/coffee", 405, "That did not work", "method"},
		{h, "GET", "/v1/nowhere", 404, "", "no_address"},
		{h, "GET", "/v1/studies/tea", 404, "", "no_study"},
		{h, "GET", "/s/coffee?check=x", 422, "Check is &#34;x&#34;", "invalid"},
		{stranger, "GET", "/nowhere", 404, "Page not found", "no_address"},
		{stranger, "GET", "/", 403, "This page is for the owner", "owner_only"},
		{stranger, "GET", "/r/wrong", 404, "This link does not work", "no_link"},
		{stranger, "GET", door, 403, "This address was already used", "used"},
		{stranger, "POST", door, 403, "This address was already used", "used"},
		{stranger, "GET", l.URL + "/result", 403, "Thank you for your answers", "result_hidden"},
		{stranger, "GET", "/metrics", 401, "", "token"},
	} {
		status, header, text := c.who.do(c.method, c.path, "", "Accept", "text/html,*/*;q=0.8")
		kind := `"urn:prefer:` + c.kind + `"`
		if html := strings.Contains(header.Get("Content-Type"), "text/html"); status != c.status || html != (c.page != "") || !strings.Contains(string(text), c.page) || !html && !strings.Contains(string(text), kind) {
			t.Errorf("%s %s is %d %s to a browser, want %d %q\n%s", c.method, c.path, status, header.Get("Content-Type"), c.status, c.page, text)
		}
		if status, _, text := c.who.do(c.method, c.path, "", "Accept", "application/json"); status != c.status || !strings.Contains(string(text), kind) {
			t.Errorf("%s %s is %d to a program, want %d %s: %s", c.method, c.path, status, c.status, c.kind, text)
		}
	}
	if _, header, text := h.do("GET", "/nowhere", "", "Accept", "text/html", "Accept-Language", "ar"); !strings.Contains(string(text), `lang="ar" dir="rtl"`) || header.Get("Vary") == "" {
		t.Errorf("an Arab reads %s", text)
	}
}
