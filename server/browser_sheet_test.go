package server

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// render draws a small picture in a hue of its own.
func render(t testing.TB, i int) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 120, 90))
	for y := range 90 {
		for x := range 120 {
			m.Set(x, y, color.RGBA{uint8(40*i + x), uint8(200 - 20*i), uint8(60 + 2*y), 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestBrowserSheet: a folder with the same names in its folders is chosen on the start page, is sent, and becomes a contact sheet that says what
// cannot be read; one item is looked at and described; the question is changed, and asked. What is too large is refused before it is sent.
func TestBrowserSheet(t *testing.T) {
	h := newPageHouse(t)
	dir := filepath.Join(t.TempDir(), "my renders")
	for i, name := range []string{"day/1.png", "night/1.png", "a.png", "b.png", "c.png"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(render(t, i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{"broken.png": "x", "notes.json": "{}", ".hidden.png": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	extra := filepath.Join(t.TempDir(), "extra.png")
	if err := os.WriteFile(extra, []byte(render(t, 7)), 0o644); err != nil {
		t.Fatal(err)
	}
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/")
	b.wait(`document.querySelector('.param')`)
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#folder"), []string{dir}, chromedp.NodeReady))
	b.wait(`location.pathname.endsWith('/sheet') && document.querySelectorAll('#thumbs img').length === 5 && [...document.images].every(i => i.complete && i.naturalWidth)`)
	if got := h.items("my-renders"); !slices.Equal(got, []string{"a.png", "b.png", "c.png", "day/1.png", "night/1.png"}) {
		t.Errorf("items %q", got)
	}
	for _, words := range []string{"5 pictures", "1 file cannot be read", "broken.png", "1 file ignored", "notes.json"} {
		if !strings.Contains(b.text(`document.querySelector('main').innerText`), words) {
			t.Errorf("the sheet does not say %q", words)
		}
	}
	b.shot("sheet-desktop-light")
	if says := b.text(`document.querySelector('#budget').value + ' ' + document.querySelector('#takes').textContent`); says != "10 10 answers each: about 1 minute." {
		t.Errorf("five dropped pictures propose %s", says)
	}
	b.do(chromedp.SetValue(chromedp.CSS("#budget"), ""), chromedp.SendKeys(chromedp.CSS("#budget"), "24"))
	b.wait(`document.querySelector('#takes').textContent === '24 answers each: about 2 minutes.'`)
	b.do(chromedp.Click(chromedp.CSS(`[data-prompt="Which feels warmer?"]`)), chromedp.Click(chromedp.CSS(`[data-item="b.png"]`)))
	b.wait(`document.querySelector('#large').open && document.querySelector('#large img').complete`)
	b.shot("sheet-large-light")
	b.audit("an item large")
	b.do(chromedp.Focus(chromedp.CSS(`#large [data-step="1"]`)))
	b.press(kb.ArrowRight)
	b.wait(`document.querySelector('#large-name').textContent === 'c.png'`)
	b.do(chromedp.SendKeys(chromedp.CSS("#description"), "a red field"), chromedp.Click(chromedp.CSS("#describe button")))
	b.wait(`document.querySelector('[data-item="c.png"] img').alt === 'a red field'`)
	b.press(kb.Escape)
	b.wait(`!document.querySelector('#large').open`)
	for _, view := range []struct {
		name          string
		width, height int64
		scheme        string
	}{{"desktop-dark", 1280, 800, "dark"}, {"phone-light", 390, 844, "light"}} {
		b.size(view.width, view.height, view.scheme)
		b.audit("sheet " + view.name)
		b.shot("sheet-" + view.name)
		if over := js[float64](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: %g px too wide", view.name, over)
		}
	}
	// Files join and leave on the sheet, what they were is told, and the question that is being typed stays.
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#files"), []string{filepath.Join(dir, "a.png"), extra}, chromedp.NodeReady))
	b.wait(`document.querySelector('h1').textContent === '6 pictures' && document.querySelector('#toast').textContent === '1 added. 1 had been there.'`)
	// The refresh that follows the change finds nothing new and leaves the item alone, so that a press on it is not lost.
	b.text(`document.querySelector('[data-item="extra.png"]').same = 'yes'`)
	b.wait(`performance.getEntriesByType('resource').filter(e => e.name.endsWith('/sheet')).length >= 2`)
	b.wait(`document.querySelector('[data-item="extra.png"]').same === 'yes'`)
	b.do(chromedp.Click(chromedp.CSS(`[data-item="extra.png"]`)))
	b.wait(`document.querySelector('#large').open`)
	b.do(chromedp.Click(chromedp.CSS("#remove")), chromedp.Click(chromedp.CSS("#remove")))
	b.wait(`document.querySelector('h1').textContent === '5 pictures' && !document.querySelector('[data-item="extra.png"]')`)
	h.want(201, "POST", "/v1/studies/my-renders/items", `{"items":[{"id":"by hand","text":"words"}]}`, nil)
	b.wait(`document.querySelector('h1').textContent === '6 items' && document.querySelector('#prompt').value === 'Which feels warmer?'`)
	b.do(chromedp.Click(chromedp.CSS("#ask [type=submit]")))
	b.question("")
	var s struct {
		Prompt string
		Budget int
	}
	h.want(200, "GET", "/v1/studies/my-renders", "", &s)
	if s.Prompt != "Which feels warmer?" || s.Budget != 24 || b.text(`document.querySelector('h1').textContent.trim()`) != s.Prompt {
		t.Errorf("the study asks %+v", s)
	}
	// The page knows the limits, and says which a folder is over before it is sent.
	b.visit("/")
	b.wait(`document.querySelector('.param')`)
	for _, c := range []struct{ limits, words string }{
		{`{"count":3,"file":1e9,"together":1e9}`, "These are 7 files, and 3 can be sent at once."},
		{`{"count":99,"file":200,"together":1e9}`, "and a file may have 1 KB."},
		{`{"count":99,"file":1e9,"together":500}`, "together, and 1 KB can be sent at once."},
	} {
		b.text(fmt.Sprintf(`document.querySelector('#drop').dataset.limits = %q`, c.limits))
		b.do(chromedp.SetUploadFiles(chromedp.CSS("#folder"), []string{dir}, chromedp.NodeReady))
		b.wait(fmt.Sprintf(`document.querySelector('#sending .note')?.textContent.includes(%q)`, c.words))
	}
	if list := h.items("my-renders"); len(list) != 6 || js[bool](b, `location.pathname !== '/'`) {
		t.Errorf("something was sent: %q", list)
	}
}
