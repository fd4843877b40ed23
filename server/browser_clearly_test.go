package server

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer"
)

// TestBrowserClearly: in a study with grades Shift with an arrow, the small button and Shift with a click are "clearly", an arrow alone
// is plain; on a phone all can be touched. A study without grades has none of it.
func TestBrowserClearly(t *testing.T) {
	h := newPageHouse(t)
	const params = `"params":[{"name":"x","type":"float","low":0,"high":1},{"name":"y","type":"float","low":0,"high":1}],"seed":3`
	h.want(201, "POST", "/v1/studies", `{"name":"graded","answers":{"grades":1},`+params+`}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"forced","answers":{"forced":true},`+params+`}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(390, 844, "light")
	b.visit("/s/graded")
	q := b.question("")
	b.audit("clearly")
	b.shot("clearly-phone-light")
	if over := js[float64](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("on a phone the page is %g px too wide", over)
	}
	if small := b.text(`[...document.querySelectorAll('.card button')].map(e => [e.textContent, e.getBoundingClientRect()]).filter(([, r]) => r.height < 44 || r.width < 44).map(([t]) => t).join(', ')`); small != "" {
		t.Errorf("too small to touch: %s", small)
	}
	if label := b.text(`[...document.querySelectorAll('.clear')].map(e => e.ariaLabel).join(', ')`); label != "Clearly this one: left option, Clearly this one: right option" {
		t.Errorf("to those who do not see it says %q", label)
	}
	for _, act := range []func(){
		func() {
			js[bool](b, `document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', shiftKey: true, bubbles: true}))`)
		},
		func() { b.do(chromedp.Click(chromedp.CSS(`.card:nth-child(2) .clear`))) },
		func() { b.press(kb.ArrowRight) },
		func() {
			js[bool](b, `document.querySelector('.card .choose').dispatchEvent(new MouseEvent('click', {shiftKey: true, bubbles: true}))`)
		},
		func() { b.do(chromedp.Click(chromedp.CSS(`.card .show`))) }, // anywhere on a card is plain
	} {
		act()
		q = b.question(q)
	}
	var history struct{ Answers []prefer.Entry }
	h.want(200, "GET", "/v1/studies/graded/history", "", &history)
	var got []string
	for _, e := range history.Answers {
		side := e.Answer.Choice
		if e.Answer.Swapped {
			side = map[prefer.Choice]prefer.Choice{prefer.First: prefer.Second, prefer.Second: prefer.First}[side]
		}
		got = append(got, fmt.Sprintf("%s %d", side, e.Answer.Strength))
	}
	if want := "[first 1 second 1 second 0 first 1 first 0]"; fmt.Sprint(got) != want {
		t.Errorf("answers are %v, want %s", got, want)
	}
	b.visit("/s/graded/result")
	b.unfold()
	if said := b.text(`document.querySelector('.history').textContent.match(/, clearly/g).length`); said != "3" {
		t.Errorf("%s answers of the history are clear, want 3", said)
	}
	b.visit("/s/forced")
	b.question("")
	if n := b.text(`document.querySelectorAll('.clear').length`); n != "0" {
		t.Errorf("a study without grades offers \"clearly\" %s times", n)
	}
}
