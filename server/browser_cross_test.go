package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer"
)

// TestBrowserCross: a rater of prompts at settings sees the prompt and beneath it what it is set to; the result shows the pick so, ranks every
// prompt at its best setting, takes text and values away, and puts one of one's own against the pick.
func TestBrowserCross(t *testing.T) {
	h := newPageHouse(t)
	var items []string
	for i, text := range []string{"Be brief.", "Be kind.", "Think first.", "Use an example.", "Ask back."} {
		items = append(items, fmt.Sprintf(`{"id":"p%d","text":%q}`, i, text))
	}
	h.want(201, "POST", "/v1/studies", `{"name":"prompts","seed":5,"prompt":"Which answer helps more?","params":[{"name":"temperature","low":0,"high":1.2},{"name":"examples","type":"int","low":0,"high":4,"step":1}],"items":[`+strings.Join(items, ",")+`]}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/s/prompts")
	q := b.question("")
	b.shot("cross-question")
	if text := b.text(`[...document.querySelectorAll('.card .crossed')].map(c => [...c.children].length + c.querySelector('.text').textContent + c.querySelectorAll('.values > div').length).join('|')`); strings.Count(text, ".2") != 2 || strings.Count(text, "2") < 4 {
		t.Errorf("the cards show %q, want a text and two values each", text)
	}
	const likes = `[...document.querySelectorAll('.card .crossed')].map(c => (c.querySelector('.text').textContent === 'Think first.' ? 2 : 0) - Math.abs(Number(c.querySelector('.values dd').textContent) - .4))`
	for range 12 {
		if b.text(`(([a, b]) => a > b)(`+likes+`)`) == "true" {
			b.press(kb.ArrowLeft)
		} else {
			b.press(kb.ArrowRight)
		}
		q = b.question(q)
	}
	var best prefer.Best
	h.want(200, "GET", "/v1/studies/prompts/best", "", &best)
	if best.Option.Item() != "p2" || len(best.Option) != 3 {
		t.Errorf("the pick is %v", best.Option)
	}
	b.visit("/s/prompts/result")
	b.wait(`document.querySelector('.end .show .crossed .values')`)
	b.shot("cross-result")
	b.audit("cross")
	b.unfold()
	if text := b.text(`document.querySelector('.end .show .crossed .text').textContent`); text != "Think first." {
		t.Errorf("the pick is shown as %q", text)
	}
	if n := b.text(`document.querySelectorAll('#details .gallery .crossed').length`); n != "5" {
		t.Errorf("%s prompts are ranked, want 5", n)
	}
	js[bool](b, `(() => { const f = document.querySelector('#try [data-name=temperature]'); f.scrollIntoView(); f.value = 1; f.dispatchEvent(new Event('input', {bubbles: true})); return true; })()`)
	b.wait(`document.querySelector('#try .show .crossed .values')`)
	if text := b.text(`document.querySelector('#try .show .text').textContent`); text != "Think first." {
		t.Errorf("one of one's own begins at %q", text)
	}
	js[bool](b, `document.querySelector('#try').requestSubmit(), true`)
	b.question("")
	if n := b.text(`document.querySelectorAll('.card .crossed').length`); n != "2" {
		t.Errorf("%s cards against each other", n)
	}
}
