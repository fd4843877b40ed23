package server

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// controls counts what a person can press or fill in on a page as it is.
const controls = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(e => e.checkVisibility({visibilityProperty: true}) && e.type !== 'hidden' && !e.matches('.jump')).length`

// fits fails if a page has more controls, or is higher, than it may be.
func (b *tab) fits(what string, most int, high float64) {
	b.t.Helper()
	n, px := js[int](b, controls), js[float64](b, `document.documentElement.scrollHeight`)
	b.t.Logf("%s: %d controls, %g px", what, n, px)
	if n > most || px > high {
		b.t.Errorf("%s has %d controls and %g px, want at most %d and %g", what, n, px, most, high)
	}
}

// TestBrowserLess: a result is one screen of little to press, and has strips also where hardly anything is known; what is folded is not there before it is opened.
func TestBrowserLess(t *testing.T) {
	h := newPageHouse(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for study, n := range map[string]int{"poster": 20, "creatures": 20} {
		h.want(200, "POST", "/start/demo", fmt.Sprintf(`{"name":%q}`, study), nil)
		h.filled(study, "", n, rng)
	}
	b := h.open(t, newBrowser(t))
	for _, m := range manners {
		b.size(m.width, m.height, m.scheme)
		for _, study := range []string{"poster", "creatures"} {
			b.visit("/s/" + study + "/result")
			b.wait(`document.querySelector('.end .show > img:not(.glow)')?.complete && document.querySelector('.along img')`)
			b.fits("result of "+study+", "+m.name, 15, 1600)
			b.whole("less-" + study + "-" + m.name)
			b.size(m.width, m.height, m.scheme)
			if n := b.text(`document.querySelectorAll('.chart, .history, #try').length`); n != "0" {
				t.Errorf("%s of what is folded are there", n)
			}
		}
	}
	b.unfold()
	b.audit("details")
	b.whole("less-details")
}
