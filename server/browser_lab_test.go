package server

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer/space"
)

// TestBrowserWords: a lab words the question for the situation, names and values in German. Nothing is chosen before the rater presses one of two large
// buttons; the log and REST keep the names, and pages in other languages are as without these words.
func TestBrowserWords(t *testing.T) {
	h := busyTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", `{"name":"room","show_result":true,"budget":8,"seed":3,"params":[{"name":"light","type":"categorical","choices":["day","night"],"context":true},{"name":"warmth","low":0,"high":1},
		{"name":"shade","type":"categorical","choices":["paper","glass"]}],
		"page":{"prompts":{"de":"Welche Lampe?"},"situations":{"de":"Wo bist du gerade?"},"words":{"de":{"light":"Licht","day":"Tag","night":"Nacht","warmth":"Wärme","shade":"Schirm","paper":"Papier"}}}}`, nil)
	h.want(422, "PATCH", "/v1/studies/room", `{"page":{"words":{"de":{"lihgt":"Licht"}}}}`, nil)
	h.want(422, "PATCH", "/v1/studies/room", `{"page":{"situations":{"tlh":"nuqDaq?"}}}`, nil)
	h.want(200, "PATCH", "/v1/studies/room", `{"page":{"words":{"de":{"light":"Licht","day":"Tag","night":"Nacht","warmth":"Wärme","shade":"Schirm","paper":"Papier","glass":"Glas"}}}}`, nil)
	var l link
	h.want(201, "POST", "/v1/studies/room/links", `{"rater":"anna"}`, &l)
	b := h.open(t, newBrowser(t))
	b.size(390, 844, "dark")
	b.speaks("en")
	b.visit(l.URL)
	if page := b.text(bodyText); !strings.Contains(page, "What is your situation right now?") || !strings.Contains(page, "night") || strings.Contains(page, "Nacht") {
		t.Errorf("in English the page reads %s", page)
	}
	b.speaks("de")
	b.visit(l.URL)
	if page := b.text(`[document.querySelector('h1').textContent, document.querySelector('#context').textContent, ...[...document.querySelectorAll('button.large')].map(b => b.textContent)].join()`); page != "Wo bist du gerade?,Licht,Tag,Nacht" {
		t.Errorf("in German the page reads %s", page)
	}
	if n := b.text(`document.querySelectorAll(':checked, [aria-pressed=true], [aria-checked=true]').length`); n != "0" {
		t.Errorf("%s answers are chosen beforehand", n)
	}
	if low := js[float64](b, `Math.min(...[...document.querySelectorAll('button.large')].map(b => b.getBoundingClientRect().height))`); low < 56 {
		t.Errorf("a large button is %g pixels high", low)
	}
	b.audit("situation in German")
	b.shot("lab-situation")
	b.do(chromedp.Click(chromedp.CSS(`button.large:last-child`)))
	for q, n := "", 0; n < 8; n++ {
		q = b.question(q)
		if n == 0 {
			if names := b.text(`[...new Set([...document.querySelectorAll('#pair dt')].map(d => d.textContent))].join()`); names != "Licht,Wärme,Schirm" {
				t.Errorf("the names read %s", names)
			}
			if page := b.text(`document.querySelector('#pair').textContent`); !strings.Contains(page, "Nacht") || strings.Contains(page, "paper") || strings.Contains(page, "glass") {
				t.Errorf("the values read %s", page)
			}
		}
		warm := `Number([...document.querySelectorAll('#pair article')][%d].querySelectorAll('dd bdi')[1].textContent)`
		if js[bool](b, strings.Replace(warm, "%d", "0", 1)+">="+strings.Replace(warm, "%d", "1", 1)) {
			b.press(kb.ArrowLeft)
		} else {
			b.press(kb.ArrowRight)
		}
	}
	b.wait(`!document.querySelector('#finish').hidden`)
	b.visit(l.URL + "/result?fixed=light=night")
	b.wait(`document.querySelector('#headline')`)
	if page := b.text(bodyText); !strings.Contains(page, "Licht Nacht") || strings.Contains(page, "night") {
		t.Errorf("the result reads %s", page)
	}
	b.unfold()
	b.audit("result in the lab's words")
	if page := b.text(bodyText); !strings.Contains(page, "Wärme") || strings.Contains(page, "warmth") || strings.Contains(page, "shade") {
		t.Errorf("the details read %s", page)
	}
	b.shot("lab-result")
	var history historyOutputBody
	h.want(200, "GET", "/v1/studies/room/history", "", &history)
	if at := history.Answers[0].First; at["light"].String() != "night" {
		t.Errorf("the log has %v", at)
	}
}

// TestBrowserCatch: the owner of a study of parameters adds a pair with a known answer on the page, sees both options drawn and is stopped at a value out of range;
// the study then asks about the pair.
func TestBrowserCatch(t *testing.T) {
	h := newPageHouse(t)
	h.want(201, "POST", "/v1/studies", `{"name":"walls","params":[{"name":"hue","low":0,"high":360,"circular":true},{"name":"lightness","low":0.5,"high":0.9},{"name":"gloss","type":"bool"},{"name":"light","type":"categorical","choices":["day","night"],"context":true}]}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(390, 844, "dark")
	b.visit("/s/walls/owner")
	b.wait(`document.querySelector('#settings-fold')`)
	js[bool](b, `document.querySelector('#settings-fold').open = document.querySelector('.pairs details').open = true`)
	b.wait(`document.querySelectorAll('.pairing .swatch').length === 2`)
	set := func(side, name, value string) {
		js[bool](b, `(() => { const f = document.querySelector('[data-side=`+side+`] [data-name=`+name+`]'); f.value = '`+value+`'; f.dispatchEvent(new Event('input', { bubbles: true })); return true; })()`)
	}
	before := b.text(`document.querySelector('[data-side=worse] .swatch').style.background`)
	set("worse", "lightness", "5")
	b.do(chromedp.Click(chromedp.CSS("#pair")))
	b.wait(`document.querySelector('[data-side=worse] [data-name=lightness][aria-invalid=true]') && document.querySelector('.pairing .wrong').textContent === 'Enter a number from 0.5 to 0.9.'`)
	set("worse", "lightness", "0.5")
	set("better", "gloss", "true")
	if now := b.text(`document.querySelector('[data-side=worse] .swatch').style.background`); now == before {
		t.Errorf("the worse option is still drawn as %s", now)
	}
	b.audit("a pair with a known answer")
	if wide := b.text(`document.documentElement.scrollWidth`); wide != "390" {
		t.Errorf("the page is %s pixels wide on a phone", wide)
	}
	js[bool](b, `document.querySelector('.pairing').scrollIntoView(), true`)
	b.shot("lab-catch")
	b.do(chromedp.Click(chromedp.CSS("#pair")))
	js[bool](b, `(document.querySelector('#set-every').value = '2', true)`)
	b.do(chromedp.Click(chromedp.CSS("#change [type=submit]")))
	b.wait(`document.querySelector('#saved').textContent === 'Saved.' && document.querySelectorAll('#pairs li').length === 1`)
	for range 6 {
		var q struct {
			ID string `json:"question_id"`
		}
		h.want(200, "POST", "/v1/studies/walls/ask", `{"rater":"anna","fixed":{"light":"day"}}`, &q)
		h.want(200, "POST", "/v1/studies/walls/tell", `{"question_id":"`+q.ID+`","rater":"anna","choice":"first"}`, nil)
	}
	_, _, table := h.do("GET", "/v1/studies/walls/export?format=csv", "")
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	n := 0
	for _, row := range rows[1:] {
		if row[column("is_catch")] == "true" {
			n++
			if light := []string{row[column("left.lightness")], row[column("right.lightness")]}; !slices.Contains(light, "0.5") || row[column("learn")] == "true" {
				t.Errorf("the question with a known answer is %v", row)
			}
		}
	}
	if n == 0 {
		t.Errorf("no question had a known answer: %s", table)
	}
}

// TestBrowserForcedColours: where the system forces its colours on pages, what people compare keeps its own: swatches, drawings and pages of a template.
func TestBrowserForcedColours(t *testing.T) {
	h := newPageHouse(t)
	params := `"params":[{"name":"hue","low":0,"high":360,"circular":true},{"name":"lightness","low":0.55,"high":0.7},{"name":"chroma","low":0.12,"high":0.15}]`
	h.want(201, "POST", "/v1/studies", `{"name":"swatch",`+params+`}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"svg",`+params+`,"page":{"template":{"kind":"svg","text":"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 30'><rect width='40' height='30' style='fill:oklch({{lightness}} {{chroma}} {{hue}})'/></svg>"}}}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"html",`+params+`,"page":{"template":{"kind":"html","text":"<!doctype html><meta charset=utf-8><body style='margin:0'><div style='height:100vh;background:oklch({{lightness}} {{chroma}} {{hue}})'></div>"}}}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	if err != nil {
		t.Fatal(err)
	}
	vivid := func(what string, x, y float64) {
		t.Helper()
		text, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		red, green, blue, _ := picture.At(int(x), int(y)).RGBA()
		if (max(red, green, blue)-min(red, green, blue))>>8 < 40 {
			t.Errorf("%s is painted as %d, %d, %d", what, red>>8, green>>8, blue>>8)
		}
	}
	for _, study := range []string{"swatch", "svg", "html"} {
		b.visit("/s/" + study)
		b.question("")
		b.wait(`matchMedia('(forced-colors: active)').matches && Number(document.querySelector('#pair').dataset.painted) > 0`)
		for side := range 2 {
			at := js[[]float64](b, fmt.Sprintf(`(() => { const r = document.querySelectorAll('#pair .show')[%d].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, side))
			vivid(fmt.Sprintf("%s: option %d", study, side+1), at[0], at[1])
		}
	}
	b.do(chromedp.Navigate(b.text(`document.querySelector('#pair iframe').src`))) // the browser does not pass what is emulated on to a sandboxed frame
	vivid("the page of a template", 320, 240)
}

// TestBrowserSounds: three sounds go from a dropped folder over the contact sheet and questions to the result, which plays the pick.
func TestBrowserSounds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bells")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"low.wav", "middle.wav", "high.wav"} {
		if err := os.WriteFile(filepath.Join(dir, name), tone(220*float64(i+1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	playThrough(t, dir, "3 sounds", "audio", "high")
}

// TestBrowserFilms: so do three films, of which a phone shows the pick and its play button whole. A film that the browser cannot play is named in its place.
func TestBrowserFilms(t *testing.T) {
	film, err := os.ReadFile("testdata/film.mp4") // two seconds of VP9, which every Chromium plays
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "films")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"one.mp4", "two.mp4", "three.mp4"} { // a free box at the end makes them differ
		if err := os.WriteFile(filepath.Join(dir, name), append(film, 0, 0, 0, 9, 'f', 'r', 'e', 'e', byte(i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := playThrough(t, dir, "3 films", "video", "two")
	whole := js[bool](b, `(() => { const [s, p] = ['.scene', '.play'].map(e => document.querySelector('.end ' + e).getBoundingClientRect()); return p.top >= s.top && p.bottom <= s.bottom; })()`)
	if !whole {
		t.Error("the play button of the pick is cut off")
	}
	b.text(`document.querySelector('.end video').src = location.pathname`)
	b.wait(`document.querySelector('.end .player').textContent === 'two.mp4 cannot be played in this browser.'`)
	b.audit("a film that cannot be played")
}

// playThrough drops a folder of three sounds or films, plays both of each pair, prefers one of them wherever it is, and looks at the result, where it
// returns the tab.
func playThrough(t *testing.T, dir, heading, element, favourite string) *tab {
	h := newPageHouse(t)
	b := h.open(t, newBrowser(t))
	b.size(390, 844, "dark")
	b.visit("/")
	b.wait(`document.querySelector('.param')`)
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#folder"), []string{dir}, chromedp.NodeReady))
	b.wait(`location.pathname.endsWith('/sheet') && document.querySelector('h1')?.textContent === '` + heading + `' && !document.querySelector('#ask [type=submit]').disabled`)
	b.audit("sheet of " + heading)
	b.shot("play-sheet-" + element)
	b.do(chromedp.SetValue(chromedp.CSS("#budget"), "4"), chromedp.Click(chromedp.CSS("#ask [type=submit]")))
	name := filepath.Base(dir)
	shown := fmt.Sprintf(`[...document.querySelectorAll('#pair %s')].map(e => new URL(e.src).pathname)`, element)
	var best string
	for _, it := range h.itemsOf(name) {
		if strings.HasPrefix(it.ID, favourite) {
			best = it.Media
		}
	}
	for q, n := "", 0; n < 4; n++ {
		q = b.question(q)
		if n == 0 {
			b.press(kb.ArrowLeft)
			b.wait(`document.querySelector('#toast').textContent !== '' && !document.querySelector('#pair').classList.contains('told') && !document.querySelector('#pair').getAnimations({subtree: true}).length`) // both are to be played first
			b.audit("question of " + heading)
		}
		for side, key := range []string{"1", "2"} {
			b.press(key)
			b.wait(fmt.Sprintf(`document.querySelectorAll('#pair .player')[%d].classList.contains('heard')`, side))
		}
		if n == 0 {
			b.shot("play-question-" + element)
		}
		key := kb.ArrowLeft
		if js[int](b, shown+`.findIndex(p => p.endsWith('`+best+`'))`) == 1 {
			key = kb.ArrowRight
		}
		b.press(key)
	}
	b.wait(`!document.querySelector('#finish').hidden && document.querySelector('#finish ` + element + `')?.readyState > 0`)
	b.audit("ending of " + heading)
	b.shot("play-ending-" + element)
	b.visit("/s/" + name + "/result")
	b.wait(`document.querySelector('.end ` + element + `')?.readyState > 0`)
	b.audit("result of " + heading)
	b.shot("play-result-" + element)
	if src := b.text(`document.querySelector('.end ` + element + `').src`); !strings.Contains(src, best) {
		t.Errorf("the pick is %s, want %s", src, best)
	}
	b.do(chromedp.Click(chromedp.CSS(".end .player .play")))
	b.wait(`document.querySelector('.end ` + element + `').currentTime > 0.2`)
	return b
}

// itemsOf returns the items of a study.
func (h *testServer) itemsOf(study string) []space.Item {
	s, err := h.store.Study(h.t.Context(), study)
	if err != nil {
		h.t.Fatal(err)
	}
	return s.Items(false)
}
