package pack_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/space"
)

// card is a study that is drawn.
func card(budget int) pack.File {
	return pack.File{Name: "card", Config: prefer.Config{Seed: 7, Prompt: "Which is nicer?", Budget: budget, Space: space.Space{Parameters: []space.Parameter{
		space.Float("round", 0, 40), space.Float("grey", 0, 90)}}},
		Settings: live.Settings{ShowResult: true, Page: live.Appearance{Template: live.Template{Kind: "svg",
			Text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="200" height="200"><style>rect{stroke:#000}</style><rect x="20" y="20" width="160" height="160" rx="{{round}}" fill="hsl(200 50% {{grey}}%)"/></svg>`}}}}
}

// TestFile opens a file from the disk without a network: it asks, takes back, goes on at the same question after a reload, ends, shows the
// result and the history, and saves a log that is the study's.
func TestFile(t *testing.T) {
	f := card(6)
	address := packed(t, f)
	b := open(t, profile(t))
	b.offline()
	b.size(1280, 800, "light", false)
	watch := `globalThis.bars = []; (function look() { const bar = document.querySelector('.packed-opening progress[aria-label]'); if (bar) bars.push(bar.value); requestAnimationFrame(look); })()`
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch}); err != nil {
		t.Fatal(err)
	}
	b.visit(address + "?rater=ann")
	q := b.question("")
	if moved := b.text(`bars.length > 1 && bars.every((v, i) => !i || v >= bars[i - 1]) && bars.at(-1) > 0.5`); moved != "true" {
		t.Errorf("while the file opens, its bar is at %s", b.text(`bars.join()`))
	}
	if got := b.text(`document.querySelector('.card img').naturalWidth`); got == "0" {
		t.Error("the drawing is not drawn")
	}
	b.press(kb.ArrowLeft)
	second := b.question(q)
	b.press("z")
	if again := b.question(second); again != q {
		t.Errorf("after taking the answer back the question is %s, want %s", again, q)
	}
	b.press(kb.ArrowRight)
	q = b.question(q)
	b.visit(address + "?rater=ann")
	if again := b.question(""); again != q {
		t.Errorf("after a reload the question is %s, want %s", again, q)
	}
	for range 4 {
		b.press(kb.ArrowLeft)
		q = b.question(q)
	}
	b.press(kb.ArrowLeft)
	b.wait(`document.querySelector('main.ended #finish-title')?.textContent`)
	name, log := b.download(func() { js[bool](b, `document.querySelector('#finish [data-pack=save]').click(), true`) })
	if name != "card-ann.jsonl" {
		t.Errorf("the log is called %s", name)
	}
	study, events, err := logfile.Read(bytes.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	opened, err := prefer.Open(t.Context(), events, prefer.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	answers := 0
	for _, e := range opened.History() {
		if !e.Undone && e.Rater == "ann" {
			answers++
		}
	}
	want, _ := opened.Config().Hash()
	own, err := prefer.New(t.Context(), f.Config)
	if err != nil {
		t.Fatal(err)
	}
	if is, _ := own.Config().Hash(); study != "card" || answers != 6 || is != want {
		t.Errorf("saved were %d answers of study %q with configuration %s, want 6 of card with %s", answers, study, is, want)
	}
	js[bool](b, `[...document.querySelectorAll('nav a')].at(-1).click(), true`)
	b.wait(`document.querySelector('main.result #details')`)
	js[bool](b, `(document.querySelector('#details').open = true)`)
	b.wait(`document.querySelector('main.result .history li')`)
	if got := b.text(`document.querySelectorAll('main.result .history li:not(.undone)').length`); got != "6" {
		t.Errorf("the history has %s answers, want 6", got)
	}
	js[bool](b, `history.back(), true`)
	b.wait(`document.querySelector('main.answer')`)
	if bad := js[string](b, `performance.getEntriesByType('resource').map(e => e.name).filter(n => /^(https?|file):/.test(n)).join(' ')`); bad != "" {
		t.Errorf("it loaded %s", bad)
	}
}

// TestRefused: what cannot go into a file is refused by name.
func TestRefused(t *testing.T) {
	items := func(media string) pack.File {
		return pack.File{Name: "x", Config: prefer.Config{Space: space.Space{Items: []space.Item{{ID: "a", Media: media}, {ID: "b", Media: "b.png"}}}},
			Read: func(string) ([]byte, error) { return make([]byte, 3<<20), nil }, Limit: 5 << 20}
	}
	elsewhere, upload, token := card(3), card(3), card(3)
	elsewhere.Settings.Page.Template = live.Template{Kind: "page", Text: "https://example.org/?round={{round}}&grey={{grey}}"}
	upload.Upload, token.Token = "ftp://x", "upload-x"
	for want, f := range map[string]pack.File{
		"2 files have 6.0 MB together, the largest \"a.png\" 3.0 MB, want at most 5.0 MB": items("a.png"), `item "a" lies at https://example.org/a.png`: items("https://example.org/a.png"),
		"loads from https://example.org": elsewhere, `upload is "ftp://x"`: upload, "token without an address": token,
	} {
		var out bytes.Buffer
		if err := pack.Write(t.Context(), &out, f); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("error %v with %d bytes, want one about %q and none", err, out.Len(), want)
		}
	}
}
