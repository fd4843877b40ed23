package server

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"

	"github.com/chromedp/chromedp/kb"
)

// TestBrowserCircle makes a study with a hue on the start page, answers as somebody who likes red, on both sides of the seam,
// and looks at what the result says and draws.
func TestBrowserCircle(t *testing.T) {
	h := newPageHouse(t)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/")
	b.wait(`document.querySelectorAll('.param').length === 2`)
	js[bool](b, `(() => {
		const set = (row, name, value) => { const f = document.querySelectorAll('.param')[row].querySelector('[name=' + name + ']'); f.value = value; f.dispatchEvent(new Event('change')); };
		document.querySelector('#by-hand').click();
		document.querySelector('#study-name').value = 'paint';
		set(0, 'name', 'hue'); set(0, 'type', 'circle');
		set(1, 'name', 'lightness'); set(1, 'low', '0.3'); set(1, 'high', '0.9');
		document.querySelector('#describe').scrollIntoView();
		return true;
	})()`)
	if high := b.text(`document.querySelector('.param [name=high]').value`); high != "360" {
		t.Errorf("a circle ends at %s by itself, want 360", high)
	}
	b.shot("circle-form")
	js[bool](b, `document.querySelector('#describe').requestSubmit(), true`)
	q := b.question("")
	b.shot("circle-question")
	const likes = 355.0
	for range 16 {
		var off [2]float64
		for i, text := range strings.Split(b.text(`[...document.querySelectorAll('.card [aria-label^="Colour with hue"]')].map(e => e.getAttribute('aria-label').split(' ')[3]).join(' ')`), " ") {
			hue, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			off[i] = math.Abs(math.Remainder(hue-likes, 360))
		}
		if off[0] < off[1] {
			b.press(kb.ArrowLeft)
		} else {
			b.press(kb.ArrowRight)
		}
		q = b.question(q)
	}
	var more strings.Builder // a curve is shown of what is 95% sure, which 16 answers do not always make it
	for away := 40; away < 330; away += 40 {
		fmt.Fprintf(&more, `{"winner":{"hue":%g,"lightness":0.6},"loser":{"hue":%d,"lightness":0.6}}`+"\n", likes, (int(likes)+away)%360)
	}
	h.want(200, "POST", "/v1/studies/paint/import", more.String(), nil, "Content-Type", "application/jsonl")
	b.visit("/s/paint/result")
	b.unfold()
	b.wait(`document.querySelector('.chart')`)
	b.shot("circle-result")
	var best prefer.Best
	h.want(200, "GET", "/v1/studies/paint/best", "", &best)
	if off := math.Abs(math.Remainder(best.Option.Float("hue")-likes, 360)); !(off < 40) {
		t.Errorf("a taste for hue %g ends at %v", likes, best.Option)
	}
	ends := b.text(`[...document.querySelectorAll('.slice')].filter(c => c.getAttribute('aria-label').includes('hue')).map(c => [...c.querySelectorAll('.tick')].map(x => x.textContent).filter(x => !x.includes('%')).join(' '))[0]`)
	if !strings.Contains(ends, "90 180 270") { // the pick's value may stand for an end
		t.Errorf("the ticks of the hue are %s", ends)
	}
}
