package server

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer"
)

const taking = `document.querySelector('dialog.taking')`

// takes takes the pick of the palette away by the keyboard: the first stop at the end offers it, and the dialog has the five colours of the drawing in four
// notations, the values as CSS, files and a picture to share; after it the keyboard is where it was.
func (b *tab) takes(t *testing.T) {
	t.Helper()
	b.press(kb.Tab)
	if stop := b.text(`document.activeElement.textContent`); stop != "Take it" {
		t.Fatalf("the first stop of the keyboard is %q", stop)
	}
	b.press(kb.Enter)
	b.wait(taking + `?.dataset.ready`)
	b.shot("take-desktop-light")
	b.audit("take")
	type colours struct{ Hex, Drawn, OKLCH []string }
	found := js[colours](b, `(async () => {
		const chips = () => [...document.querySelectorAll('.tint')].map((c) => c.textContent);
		const Hex = chips();
		const name = document.querySelector('.way select');
		name.value = 'oklch'; name.dispatchEvent(new Event('change'));
		const OKLCH = chips();
		const { rgbOf, hex } = await import('/page/colour.js');
		const v = Object.fromEntries(document.querySelector('.way pre').textContent.trim().split('\n').map((l) => l.replace(/^--|;/g, '').split(': ')).map(([k, x]) => [k, Number(x)]));
		const Drawn = [[1.5, .45, 0], [.75, .85, 1], [0, 1, 2], [-.9, .9, 3], [-2, .6, 4]].map(([d, c, s]) => hex(rgbOf('oklch(' + (v.lightness + d * v.contrast) + ' ' + v.chroma * c + ' ' + (v.hue + s * v.spread) + ')')));
		return { Hex, OKLCH, Drawn };
	})()`)
	if len(found.Hex) != 5 || strings.Join(found.Hex, " ") != strings.Join(found.Drawn, " ") {
		t.Errorf("the colours are %v, want those that the drawing has by its values: %v", found.Hex, found.Drawn)
	}
	for _, c := range found.OKLCH {
		if !regexp.MustCompile(`^oklch\([\d.]+% 0\.\d+ \d+\)$`).MatchString(c) {
			t.Errorf("a colour is %q", c)
		}
	}
	if n := js[int](b, `document.querySelector('canvas.postcard').width`); n != 1080 {
		t.Errorf("the picture to share is %d pixels wide", n)
	}
	b.do(chromedp.Click(chromedp.CSS(`.tint`)))
	b.wait(`document.querySelector('.tint').textContent === 'Copied' && ` + taking + `.querySelector('[role=status]').textContent.endsWith('Copied')`)
	b.press(kb.Escape)
	b.wait(`!` + taking + ` && document.activeElement.textContent === 'Take it'`)
}

// TestBrowserTry: the owner moves a slider, is asked whether that or the pick is better, and what they say is an answer; then they are back. Under the pick it is
// drawn along what is known to matter.
func TestBrowserTry(t *testing.T) {
	h := newPageHouse(t)
	h.want(201, "POST", "/v1/studies", `{"name":"dot","seed":2,"params":[{"name":"size","low":5,"high":45},{"name":"hue","low":0,"high":360,"circular":true}],"page":{"template":{"kind":"svg",
		"text":"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><circle cx='50' cy='50' r='{{size}}' style='fill:oklch(70% .15 {{hue}})'/></svg>"}}}`, nil)
	for i := range 14 { // larger is better, whatever the colour
		h.want(200, "POST", "/v1/studies/dot/tell", fmt.Sprintf(`{"winner":{"size":%d,"hue":%d},"loser":{"size":%d,"hue":%d}}`, 18+2*i, 97*i%360, 5+2*i, (97*i+50)%360), nil)
	}
	b := h.open(t, newBrowser(t))
	b.size(390, 844, "dark")
	b.visit("/s/dot/result")
	b.wait(`document.querySelector('.end .show > img:not(.glow)')?.complete`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('#strips').scrollIntoView()`))
	b.wait(`document.querySelector('.along li.it img')?.complete`)
	b.shot("strips-phone-dark")
	b.audit("strips")
	if n := b.text(`document.querySelectorAll('.along:first-of-type li.it').length + ' ' + document.querySelector('.along').querySelectorAll('li').length`); n != "1 7" {
		t.Errorf("favourites and drawings in the first strip: %s", n)
	}
	b.unfold()
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('#try-title').scrollIntoView()`))
	b.wait(`document.querySelector('#try img')?.complete`)
	if b.text(`document.querySelector('#try [type=submit]').disabled`) != "true" {
		t.Error("the pick can be put against itself")
	}
	b.do(chromedp.Focus(chromedp.CSS(`#try-0`)))
	b.press(kb.Home)
	b.wait(`document.querySelector('#try img').src.includes('size=5&') || document.querySelector('#try img').src.endsWith('size=5')`)
	b.shot("try-phone-dark")
	b.do(chromedp.Click(chromedp.CSS(`#try [type=submit]`)))
	b.question("")
	shown := strings.Split(b.options(), " | ")
	key := kb.ArrowLeft
	if !strings.Contains(shown[0], "size=5&") && !strings.HasSuffix(shown[0], "size=5") {
		key = kb.ArrowRight
	}
	if b.text(`document.querySelectorAll('#other [data-choice=both_bad]').length`) != "0" {
		t.Error("both bad is not an answer of such a duel, and is offered")
	}
	b.press(key)
	b.wait(`location.pathname === '/s/dot/result' && document.querySelector('#headline')`)
	var history struct{ Answers []prefer.Entry }
	h.want(200, "GET", "/v1/studies/dot/history", "", &history)
	last := history.Answers[len(history.Answers)-1]
	if len(history.Answers) != 15 || last.First.Float("size") != 5 || last.Answer.Choice != prefer.First {
		text, _ := json.Marshal(last)
		t.Errorf("of %d answers the last is %s", len(history.Answers), text)
	}
	h.refused(422, "invalid", "", "GET", "/s/dot?against=nothing", "")
	h.refused(422, "option", "", "GET", "/s/dot?against="+`{"size":900,"hue":3}`, "")
}
