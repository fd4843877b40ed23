package server

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

var screens = flag.String("screens", "", "a folder for pictures of every screen")

// screen is a page as somebody meets it.
type screen struct {
	name, path, ready string
	then              string // what is done on it, and ready when that is true
	tongue            string // the language of the browser; English if it is empty
}

// manner is how a screen is looked at.
type manner struct {
	name          string
	width, height int64
	scheme        string
}

var manners = []manner{{"desktop", 1280, 800, "light"}, {"dark", 1280, 800, "dark"}, {"phone", 390, 844, "light"}, {"phone-dark", 390, 844, "dark"}}

// TestBrowserScreens goes through every screen, holds it against axe-core, and finds none wider than its window. In CI a screen is looked at in one of the
// four manners; with -screens in all, and the pictures of docs/screenshots are left there:
//
//	make screenshots
func TestBrowserScreens(t *testing.T) {
	h := newPageHouse(t)
	b := h.open(t, newBrowser(t))
	if *pictureFolder != "" {
		h.pictures(b)
		return
	}
	for i, s := range h.screens() {
		for j, m := range manners {
			if *screens == "" && i%len(manners) != j {
				continue
			}
			b.size(m.width, m.height, m.scheme)
			b.speaks(s.tongue)
			b.visit(s.path)
			b.wait(s.ready)
			if s.then != "" {
				b.wait(s.then)
			}
			if *screens != "" { // what is drawn when it comes into sight
				js[bool](b, `(async () => { for (let y = 0; y < document.body.scrollHeight; y += 400) { scrollTo(0, y); await new Promise(d => setTimeout(d, 60)); } scrollTo(0, 0); return true; })()`)
				b.wait(`!document.querySelector('.waiting')?.checkVisibility()`)
			}
			b.wait(`document.fonts.status === 'loaded' && [...document.images].every(i => i.complete || i.loading === 'lazy')`)
			name := s.name + "-" + m.name
			if said := b.text(bodyText); s.tongue == "ar" && strings.Contains(said, "wins") {
				t.Errorf("%s says in English: %s", name, said)
			}
			b.audit(name)
			if over := js[float64](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s: %g px too wide", name, over)
			}
			if m.name == "desktop" || m.name == "phone-dark" {
				b.whole(name)
			}
		}
	}
}

// speaks sets the languages of the browser.
func (b *tab) speaks(tongue string) {
	b.t.Helper()
	if tongue == "" {
		tongue = "en"
	}
	if _, err := chromedp.Call(b.ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": tongue}}); err != nil {
		b.t.Fatal(err)
	}
}

// whole keeps a picture of the whole page in the folder that -screens names.
func (b *tab) whole(name string) {
	b.t.Helper()
	if *screens == "" {
		return
	}
	b.do(chromedp.EmulateViewport(js[int64](b, `innerWidth`), js[int64](b, `document.documentElement.scrollHeight`)))
	b.keep(*screens, name)
}

// keep writes what is in the window into a folder.
func (b *tab) keep(folder, name string) {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), text, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// screens makes studies of every kind, and lists the screens of them.
func (h *testServer) screens() []screen {
	h.t.Helper()
	h.want(200, "POST", "/start/demo", `{"name":"poster"}`, nil)
	h.want(200, "POST", "/start/demo", `{"name":"creatures"}`, nil)
	h.want(200, "POST", "/start/demo", `{"name":"palette"}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"button","prompt":"Which button would you press?","show_result":true,"budget":12,"seed":1,
		"params":[{"name":"radius","type":"float","low":0,"high":30},{"name":"hue","type":"float","low":0,"high":360,"circular":true},{"name":"shadow","type":"bool"}],
		"page":{"template":{"kind":"html","text":"<!doctype html><meta charset=utf-8><body style='margin:0;display:grid;place-items:center;height:100vh'><button style='font:40px sans-serif;padding:24px 60px;border:0;color:#fff;background:oklch(55% .15 {{hue}});border-radius:{{radius}}px'>Subscribe</button>"}}}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"slogans","prompt":"Which one would you put on the door?","budget":10,"items":[{"id":"a","text":"We open at eight."},{"id":"b","text":"Bread, and the people who bake it: come in, there is always one loaf more than we need."},{"id":"c","text":"Warm since 4 a.m."},{"id":"d","text":"الخبز والناس الذين يخبزونه."}]}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"room","prompt":"Where would you rather work?","params":[{"name":"noise","type":"categorical","choices":["quiet","loud"],"context":true},{"name":"light","type":"float","low":0,"high":1},{"name":"warmth","type":"float","low":2000,"high":6500}]}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"walls","prompt":"Which colour for the kitchen?","people":"per_rater","show_result":true,"budget":10,"seed":2,"params":[{"name":"hue","type":"float","low":0,"high":360,"circular":true},{"name":"lightness","type":"float","low":0.5,"high":0.9},{"name":"chroma","type":"float","low":0.02,"high":0.15}]}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"empty","prompt":"Which one?","params":[{"name":"x","type":"float","low":0,"high":1}]}`, nil)
	swatches := h.folder(60)
	rng := rand.New(rand.NewPCG(1, 1))
	for study, n := range map[string]int{"poster": 20, "creatures": 20, "palette": 18, "button": 12} {
		h.filled(study, "", n, rng)
	}
	for _, name := range []string{"Anna", "Ben", "Cléa-Sophie von Hohenlohe", "Dmitri", "Eun-ji"} {
		h.filled("walls", name, 8, rng)
	}
	var everybody, anna struct{ URL string }
	h.want(201, "POST", "/v1/studies/walls/links", `{"everybody":true}`, &everybody)
	h.want(201, "POST", "/v1/studies/walls/links", `{"rater":"Anna"}`, &anna)
	pictures := `document.querySelector('.pick :is(img, iframe, .swatch)')`
	return []screen{
		{name: "start", path: "/", ready: `document.querySelector('[data-demo]')`},
		{name: "form", path: "/#css", ready: `document.querySelector('#preview').dataset.drawn`},
		{name: "answer", path: "/s/poster?more=1", ready: questionNow},
		{name: "answer-html", path: "/s/button?more=1", ready: questionNow},
		{name: "answer-texts", path: "/s/slogans", ready: questionNow},
		{name: "answer-values", path: "/s/room?fixed=noise=quiet", ready: questionNow},
		{name: "situation", path: "/s/room", ready: `document.querySelector('form')`},
		{name: "ending", path: "/s/palette", ready: finished},
		{name: "ending-list", path: "/s/creatures", ready: finished},
		{name: "take", path: "/s/palette", ready: finished, then: `(() => { const d = document.querySelector('dialog.taking'); if (!d) document.querySelector('#finish [data-do=away]').click(); return d?.dataset.ready; })()`},
		{name: "result", path: "/s/poster/result", ready: pictures},
		{name: "result-list", path: "/s/creatures/result", ready: pictures},
		{name: "result-html", path: "/s/button/result", ready: pictures},
		{name: "sheet", path: "/s/" + swatches + "/sheet", ready: `document.querySelector('.suggestion[aria-pressed]')`},
		{name: "answer-pictures", path: "/s/" + swatches, ready: questionNow},
		{name: "owner-empty", path: "/s/empty/owner", ready: `document.querySelector('#link')`},
		{name: "owner", path: "/s/walls/owner", ready: `document.querySelector('#board')`},
		{name: "everybody", path: "/s/walls/result", ready: `document.querySelector('.wall')`},
		{name: "missing", path: "/s/nowhere", ready: `document.querySelector('h1')`},
		{name: "rater", path: anna.URL, ready: questionNow},
		{name: "rater-german", path: anna.URL, ready: questionNow, tongue: "de"},
		{name: "rater-arabic", path: anna.URL, ready: questionNow, tongue: "ar"},
		{name: "result-arabic", path: anna.URL + "/result", ready: `document.querySelector('#headline')`, tongue: "ar"},
		{name: "link-arabic", path: "/r/nobody", ready: `document.querySelector('h1')`, tongue: "ar"},
	}
}

// filled gives a study answers over REST, by somebody who likes blue, and of things without a hue those whose names come first.
func (h *testServer) filled(study, rater string, n int, rng *rand.Rand) {
	h.t.Helper()
	for range n {
		var q Question
		h.want(200, "POST", "/v1/studies/"+study+"/ask", fmt.Sprintf(`{"rater":%q}`, rater), &q)
		likes := func(i int) float64 {
			o := q.Options[i]
			if o.Item != nil {
				return -float64(o.Item.ID[0])
			}
			return -degrees(o.Params.Float("hue"), 230)
		}
		choice := "first"
		if likes(1) > likes(0) {
			choice = "second"
		}
		h.want(200, "POST", "/v1/studies/"+study+"/tell", fmt.Sprintf(`{"question_id":%q,"rater":%q,"choice":%q,"rt_ms":%d}`, q.ID, rater, choice, 700+rng.IntN(2000)), nil)
	}
}

// folder brings pictures of stripes, as the start page does, and returns the name of their study.
func (h *testServer) folder(n int) string {
	h.t.Helper()
	files := []string{}
	for i := range n {
		files = append(files, fmt.Sprintf("%02d.png", i), string(stripes(float64(i*137%360), 1+float64(i%9))))
	}
	body, kind := form(h.t, files...)
	var made struct{ Name string }
	h.want(200, "POST", "/start/files", body, &made, "Content-Type", kind)
	return made.Name
}
