package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowserCards looks at options that are pages: laid out in one window whatever the box, at hand before they are asked about, enlarged and flipped, and on a
// phone on its side all in sight.
func TestBrowserCards(t *testing.T) {
	h := busyTestServer(t, func(c *Config) { c.Budget = 300 * time.Millisecond })
	h.want(201, "POST", "/v1/studies", `{"name":"pages","prompt":"Which?","params":[{"name":"hue","type":"float","low":0,"high":360},{"name":"pad","type":"float","low":4,"high":60}],
		"search":{"candidates":64,"starts":2,"finalists":1,"evals":30},
		"page":{"template":{"kind":"html","width":800,"height":500,"text":"<style>body{margin:0;background:oklch(90% .1 {{hue}})}div{width:790px;padding-top:{{pad}}px}</style><div>wide</div>"}}}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/s/pages")
	q := b.question("")

	// What may come next is loaded before the key, so that nothing is fetched after it.
	b.wait(`document.querySelector('#pair').dataset.all`)
	js[bool](b, `performance.clearResourceTimings(), true`)
	b.press(kb.ArrowLeft)
	q = b.question(q)
	if late := b.text(`performance.getEntriesByType('resource').filter(e => e.name.includes('/draw') && e.startTime < Number(document.querySelector('#pair').dataset.painted)).length`); late != "0" {
		t.Errorf("%s drawings were fetched between the key and the next pair", late)
	}

	// A frame is 800 × 500 inside and as large as its box outside, in a pair as in a list.
	window := `[...document.querySelectorAll('.stage')].filter(s => !s.closest('.wings')).map(s => { const f = s.firstChild, r = f.getBoundingClientRect(); return [f.clientWidth, f.clientHeight, Math.abs(r.width - s.clientWidth) < 1, r.width > 20].join(' '); }).join()`
	const whole = "800 500 true true"
	b.wait(window + ` === '` + whole + `,` + whole + `'`) // a box that has just got its size is told so in the next frame
	b.press("e")
	big := `(() => { const r = document.querySelector('.card:not(.under) .stage').getBoundingClientRect(); return r.width > 0.8 * innerWidth && r.width / r.height > 1.59; })()`
	if b.text(big) != "true" || b.text(`document.querySelector('#lens-side').textContent`) != "Left option" || b.text(`document.querySelector('.foot').inert`) != "true" {
		t.Errorf("enlarged, the option has not the whole window: %s", b.text(`document.querySelector('#pair').outerHTML`))
	}
	b.audit("enlarged")
	b.press("f")
	if side := b.text(`document.querySelector('#lens-side').textContent`); side != "Right option" {
		t.Errorf("after F %q is on show", side)
	}
	b.press(kb.Escape)
	if on := b.text(`[...document.querySelectorAll('.under, .zoom, [inert]:not(.wings)')].length`); on != "0" {
		t.Errorf("after Esc %s elements are still out of sight", on)
	}
	b.press(kb.ArrowRight) // an option has the whole window no longer, and keys choose
	b.question(q)
	b.visit("/s/pages/result")
	b.unfold()
	b.wait(`document.querySelectorAll('.history .stage').length === 4`)
	if got := b.text(window); strings.ReplaceAll(got+",", whole+",", "") != "" {
		t.Errorf("the windows of a result are %s", got)
	}

	// On a phone on its side, and in a window at twice its size, nothing is out of sight.
	for _, size := range [][2]int64{{844, 390}, {640, 400}} {
		b.size(size[0], size[1], "light")
		b.visit("/s/pages")
		b.question("")
		if out := b.text(`[...document.querySelectorAll('main button:not(.larger), #status, main .stage')].filter(e => e.offsetParent && (e.getBoundingClientRect().bottom > innerHeight + 1 || e.getBoundingClientRect().right > innerWidth + 1)).map(e => e.outerHTML.slice(0, 80)).join()`); out != "" {
			t.Errorf("at %v out of sight: %s", size, out)
		}
	}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}}); err != nil {
		t.Fatal(err)
	}
	if done, rest := b.text(`getComputedStyle(document.querySelector('.ring .done')).stroke`), b.text(`getComputedStyle(document.querySelector('.ring circle')).stroke`); done == rest {
		t.Errorf("where colours are forced, ring and what is done of it are both %s", done)
	}
}

// TestBrowserLost: a question about a picture that cannot be loaded is withdrawn, the next one comes, and the owner reads about it.
func TestBrowserLost(t *testing.T) {
	dir := t.TempDir()
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="40"><rect width="30" height="40"/></svg>`
	items := []string{`{"id":"gone","media":"gone.svg","text":"A boat"}`}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		items = append(items, `{"id":"`+name+`","media":"`+name+`.svg","text":"Boat `+name+`"}`)
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), []byte(drawing), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h := newTestServer(t, func(c *Config) { c.Folders = map[string]string{"boats": dir} })
	h.want(201, "POST", "/v1/studies", `{"name":"boats","prompt":"Which?","items":[`+strings.Join(items, ",")+`]}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(390, 844, "light")
	b.visit("/s/boats")
	js[bool](b, `new MutationObserver(() => { window.said = (window.said ?? '') + document.querySelector('#toast').textContent; }).observe(document.querySelector('#toast'), {childList: true}), true`)
	seen := `!document.querySelector('#pair.told') && document.querySelector('.card') && [...document.querySelectorAll('.card img')].every(i => i.naturalWidth > 0)`
	for n := 0; b.text(`String(window.said).includes('could not be loaded')`) != "true"; n++ {
		if n == 20 {
			t.Fatal("the lost picture was never asked about")
		}
		b.wait(seen)
		b.press(kb.ArrowLeft)
	}
	b.wait(seen)
	if alt := b.text(`[...document.querySelectorAll('.card img')].map(i => i.alt.replace(/[a-e]$/, '')).join()`); alt != "Left option: Boat ,Right option: Boat " {
		t.Errorf("to who cannot see them the options are %q", alt)
	}
	b.visit("/s/boats/owner")
	if note := b.text(`document.querySelector('.note.bad')?.textContent`); !strings.Contains(note, "gone (1 time") {
		t.Errorf("the owner reads %q", note)
	}
}
