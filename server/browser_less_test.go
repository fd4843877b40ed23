package server

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
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

// touching lists buttons that stand less than four pixels apart.
const touching = `(() => {
	const all = [...document.querySelectorAll('button, .button')].filter(e => e.checkVisibility() && !e.classList.contains('plain')).map(e => [e.textContent.trim(), e.getBoundingClientRect()]);
	return all.flatMap(([a, r], i) => all.slice(i + 1).filter(([, q]) => Math.max(q.left - r.right, r.left - q.right) < 4 && Math.max(q.top - r.bottom, r.top - q.bottom) < 4).map(([b]) => a + ' and ' + b)).join('; ');
})()`

// TestBrowserBoardLess: a board, empty or of five people, has at most 25 controls, and no two buttons touch, folds open or not.
// An owner who only looked at a question is not one of the people.
func TestBrowserBoardLess(t *testing.T) {
	h := newPageHouse(t)
	h.want(201, "POST", "/v1/studies", `{"name":"walls","people":"per_rater","budget":8,"seed":2,"params":[{"name":"hue","low":0,"high":360,"circular":true},{"name":"lightness","low":0.5,"high":0.9},{"name":"chroma","low":0.02,"high":0.15}]}`, nil)
	b := h.open(t, newBrowser(t))
	look := func(name string) {
		t.Helper()
		for _, m := range manners {
			b.size(m.width, m.height, m.scheme)
			b.visit("/s/walls/owner")
			b.wait(`document.querySelector('#board')`)
			b.fits(name+", "+m.name, 25, 2400)
			b.whole(name + "-" + m.name)
			b.size(m.width, m.height, m.scheme)
			js[bool](b, `document.querySelectorAll('details').forEach(d => { d.open = true; }), true`)
			if pairs := b.text(touching); pairs != "" {
				t.Errorf("%s, %s: these touch: %s", name, m.name, pairs)
			}
			b.whole(name + "-open-" + m.name)
		}
		b.size(1280, 800, "light")
		b.audit(name)
	}
	look("board-empty")
	rng := rand.New(rand.NewPCG(1, 1))
	for _, name := range []string{"Anna", "Ben", "Cléa-Sophie von Hohenlohe", "Dmitri", "Eun-ji"} {
		h.want(201, "POST", "/v1/studies/walls/links", fmt.Sprintf(`{"rater":%q}`, name), nil)
		h.filled("walls", name, 8, rng)
	}
	b.visit("/s/walls")
	b.question("")
	look("board")
	if n := b.text(`document.querySelectorAll('#board li').length`); n != "5" {
		t.Errorf("%s people on the board", n)
	}
}

// TestBrowserFormLess: a form of four parameters that were found in CSS has at most 20 controls; a parameter unfolds to its name, kind and range.
func TestBrowserFormLess(t *testing.T) {
	h := newPageHouse(t)
	b := h.open(t, newBrowser(t))
	for _, m := range manners {
		b.size(m.width, m.height, m.scheme)
		b.do(chromedp.Navigate("about:blank"))
		b.visit("/#css")
		b.wait(`document.querySelector('#preview').dataset.drawn`)
		within := strings.Replace(controls, "'a[href]", "'#describe :is(a[href]", 1)
		within = strings.Replace(within, "summary'", "summary)'", 1)
		n, rows := js[int](b, within), b.text(`document.querySelectorAll('.param:not(.off)').length`)
		t.Logf("%s: %d controls", m.name, n)
		if n > 20 || rows != "4" {
			t.Errorf("%s: a form of %s parameters has %d controls", m.name, rows, n)
		}
		budget := `document.querySelector('#study-budget')`
		if says := b.text(budget + `.checkVisibility() + ' ' + ` + budget + `.value`); says != "true 24" {
			t.Errorf("%s: the budget of four parameters is in sight and proposed: %s", m.name, says)
		}
		js[bool](b, `document.querySelector('.param [name=on]').click(), true`)
		b.wait(budget + `.value === '21'`)
		js[bool](b, `document.querySelector('.param [name=on]').click(), true`)
		b.wait(budget + `.value === '24'`)
		b.whole("form-less-" + m.name)
		b.size(m.width, m.height, m.scheme)
		js[bool](b, `document.querySelector('.param [name=more]').click(), document.querySelector('#options').open = true`)
		if seen := b.text(`['name', 'type', 'low', 'high'].map(n => document.querySelector('.param [name=' + n + ']').checkVisibility()).join()`); seen != "true,true,true,true" {
			t.Errorf("unfolded, name, kind and range are in sight: %s", seen)
		}
		b.audit("form, " + m.name)
		b.whole("form-open-" + m.name)
	}
}
