package server

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// hostile is what people with bad intentions write into every field that takes a text.
const hostile = `<img src=x onerror="window.pwned=1;alert(1)"><script>window.pwned=1;alert(2)</script>"'><svg onload=alert(3)> [link](javascript:alert(4)) {{evil}}`

// TestBrowserHostile: nothing that an owner, a file or a rater's address brings runs in the page, and what a
// template draws runs in a place of its own.
func TestBrowserHostile(t *testing.T) {
	h := newPageHouse(t)
	text, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	h.want(201, "POST", "/v1/studies", `{"name":"texts","prompt":`+s+`,"show_result":true,"page":{"markdown":true},"items":[
		{"id":`+s+`,"text":`+s+`},{"id":"two","text":"# two\n\n* a\n\n<script>alert(5)</script>\n\n![x](https://elsewhere.example/track.png)"}]}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"plain","prompt":"p","items":[{"id":"one","text":`+s+`},{"id":"two","text":`+s+`}]}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"words","params":[{"name":`+s+`,"type":"categorical","choices":[`+s+`,"b"]},{"name":"x","type":"float","low":0,"high":1}]}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"page","params":[{"name":"x","type":"float","low":0,"high":1}],"page":{"template":{"kind":"html",
		"text":"<p id=v>{{x}}</p><script>document.title='ran';try{parent.pwned=1}catch(e){};try{top.location='about:blank'}catch(e){};fetch('/v1/studies').then(()=>{parent.postMessage('leak','*')},()=>{})</script>"}}}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"svg","params":[{"name":"x","type":"float","low":0,"high":1}],"page":{"template":{"kind":"svg",
		"text":"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' onload='alert(6)'><script>alert(7)</script><rect width='{{x}}' height='9'/></svg>"}}}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	for _, study := range []string{"texts", "plain", "words", "page", "svg"} {
		b.visit("/s/" + study)
		q := b.question("")
		b.mark(t, study)
		b.press(kb.ArrowLeft) // without an answer there is no pick to show
		b.question(q)
		b.visit("/s/" + study + "/result")
		b.wait(`document.querySelector('#headline') && document.querySelector('.pick .show').firstElementChild`)
		b.mark(t, study+" result")
	}
	b.visit("/s/page")
	b.question("")
	b.wait(`document.querySelector('iframe')`)
	if flags := b.text(`document.querySelector('iframe').getAttribute('sandbox')`); flags != "allow-scripts" {
		t.Errorf("the frame of a template has sandbox=%q", flags)
	}
	// What the policy and the sandbox stop is reported in the console; that is the point.
	b.mu.Lock()
	defer b.mu.Unlock()
	all := len(b.wrong)
	b.wrong = slices.DeleteFunc(b.wrong, stopped)
	if len(b.wrong) == all {
		t.Error("nothing was stopped, not even the picture from elsewhere")
	}
}

// mark fails if a script of the text has run in the page.
func (b *tab) mark(t *testing.T, where string) {
	t.Helper()
	if ran := b.text(`window.pwned`); ran != "undefined" {
		t.Errorf("%s: a script ran in the page", where)
	}
	if n := b.text(`document.querySelectorAll('main [onerror], main [onload], main script, main a[href^=javascript]').length`); n != "0" {
		t.Errorf("%s: %s pieces of hostile markup are in the page", where, n)
	}
}

// stopped reports whether a message of the console says that the policy stopped a picture from elsewhere, or
// the sandbox something that the page of a template tried.
func stopped(message string) bool {
	return strings.Contains(message, "elsewhere.example/track.png") || strings.Contains(message, "/draw?") || strings.Contains(message, "sandbox")
}
