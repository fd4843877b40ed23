package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/prefer-bo/prefer/server/internal/gate"
)

// TestBrowserUpload: a page that lies on a disk sends a log to a server, hears what became of it, and of a refusal why. It reads nothing
// else there, and no cookie goes along.
func TestBrowserUpload(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	_, link := h.uploader("coffee")
	b := h.open(t, newBrowser(t))
	b.visit("/openapi.json")
	b.do(chromedp.Evaluate[chromedp.Void](`document.cookie = "` + gate.OwnerCookie + `=` + gate.CookieOf(owner) + `; path=/"; undefined`)) // as if the owner had left it
	file := filepath.Join(t.TempDir(), "study.html")
	page := `<!doctype html><meta charset=utf-8><title>home</title><script>
const send = async (path, token, body, more) => {
	try {
		const r = await fetch(` + fmt.Sprintf("%q", h.web.URL) + ` + path, {method: body === undefined ? "GET" : "POST", credentials: "omit", body,
			headers: {...(token && {Authorization: "Bearer " + token}), ...(body !== undefined && {"Content-Type": "application/jsonl"})}, ...more});
		return {status: r.status, text: await r.text(), retry: r.headers.get("Retry-After")};
	} catch (e) { return {status: 0, text: String(e)}; }
};</script><main>home</main>`
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate("file://" + file + "?PROLIFIC_PID=P01"))
	if where := b.text(`origin + location.search`); where != "null?PROLIFIC_PID=P01" {
		t.Errorf("the page is at %s", where)
	}
	type reply struct {
		Status int
		Text   string
	}
	send := func(path, token string, body any, more string) reply {
		t.Helper()
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		if body == nil {
			text = []byte("undefined")
		}
		return js[reply](b, fmt.Sprintf("send(%q, %q, %s, %s)", path, token, text, more))
	}
	log := h.home("coffee", "P01", 2)
	for i, want := range []string{`"new":2`, `"new":0`} {
		if got := send(gate.UploadPath, link.Token, log, "{}"); got.Status != 200 || !strings.Contains(got.Text, want) || !strings.Contains(got.Text, `"rater":"P01"`) {
			t.Errorf("sent %d times: %+v, want %s", i+1, got, want)
		}
	}
	if got := send(gate.UploadPath, link.Token, log[:len(log)-9], "{}"); got.Status != 422 || !strings.Contains(got.Text, "line 6") {
		t.Errorf("half a log: %+v", got)
	}
	if got := send(gate.UploadPath, "upload-"+strings.Repeat("x", 22), log, "{}"); got.Status != 401 {
		t.Errorf("a wrong token: %+v", got)
	}
	if got := send(gate.UploadPath, "", log, `{credentials: "include"}`); got.Status != 0 {
		t.Errorf("with cookies: %+v", got)
	}
	for _, path := range []string{"/v1/studies", "/v1/studies/coffee/export", "/openapi.json"} {
		if got := send(path, link.Token, nil, "{}"); got.Status != 0 {
			t.Errorf("the page reads %s: %+v", path, got)
		}
	}
	if events, err := h.store.Events(t.Context(), "coffee"); err != nil || len(events) != 5 {
		t.Errorf("the study has %d events (%v), want 5", len(events), err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = nil // what the browser stopped, which is the point
}

// TestBrowserAllow: the owner makes an upload address on their page, which works, and withdraws it there.
func TestBrowserAllow(t *testing.T) {
	h := newPageHouse(t)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/s/coffee/owner")
	b.wait(`document.querySelector('#uploads')`)
	js[bool](b, `document.querySelector('#uploads').open = true, document.querySelector('#allow').click(), true`)
	b.wait(`document.querySelector('#upload-new input')?.value.includes('/v1/upload#upload-')`)
	_, token, _ := strings.Cut(b.text(`document.querySelector('#upload-new input').value`), "#")
	b.audit("upload address")
	h.as(token).want(200, "POST", gate.UploadPath, h.home("coffee", "P01", 1), nil, logKind...)
	b.visit("/s/coffee/owner")
	b.wait(`document.querySelector('[data-upload]')`)
	if b.text(`document.querySelector('main').outerHTML.includes('`+token+`')`) != "false" {
		t.Error("the page still has the token")
	}
	js[bool](b, `document.querySelector('[data-upload]').click(), document.querySelector('[data-upload]').click(), true`)
	b.wait(`!document.querySelector('[data-upload]')`)
	h.as(token).refused(401, "link_withdrawn", "", "POST", gate.UploadPath, h.home("coffee", "P01", 1), logKind...)
}
