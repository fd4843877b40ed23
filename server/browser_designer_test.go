package server

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserDesigner: a designer pastes a card in HTML, gives its four properties a range on the form, answers 24 questions, and takes the
// values as CSS.
func TestBrowserDesigner(t *testing.T) {
	h := newPageHouse(t)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/")
	b.wait(`document.querySelector('.param')`)
	b.paste(`<!doctype html><title>Card</title><body style="margin:40px"><div style="border-radius:{{radius}}px;padding:{{padding}}px;background:hsl({{hue}} 50% 50%);font-size:{{size}}px">A card</div>`)
	js[bool](b, `(() => { document.querySelector('#study-budget').value = 24; document.querySelector('#describe').requestSubmit(); return true; })()`)
	b.question("")
	var study struct{ Space struct{ Params []trait } }
	h.want(200, "GET", "/v1/studies/"+strings.TrimPrefix(b.text(`location.pathname`), "/s/"), "", &study)
	traits := study.Space.Params
	if len(traits) != 4 {
		t.Fatalf("the study has the parameters %+v", traits)
	}
	rng := rand.New(rand.NewPCG(11, 2))
	designer := somebody(rng, traits)
	if n := designer.answers(b, 40); n != 24 {
		t.Errorf("it took %d answers, want 24", n)
	}
	got := seen{}
	for _, line := range property.FindAllStringSubmatch(b.taken(), -1) {
		got[line[1]] = line[2]
	}
	share := designer.beats(got, random(rng, traits, 2000))
	t.Logf("24 answers: the CSS that is taken has %v, truly better than %.0f of 100", got, 100*share)
	if len(got) != 4 || share < 0.7 {
		t.Errorf("the CSS has %v, which beats %.0f of 100", got, 100*share)
	}
}

// property matches a custom property that is a number.
var property = regexp.MustCompile(`--([a-z]+): (-?[0-9.]+)(?:px)?;`)

// taken opens what there is to take away at the end, and returns it.
func (b *tab) taken() string {
	b.t.Helper()
	b.wait(finished)
	b.do(chromedp.Click(chromedp.CSS(`#finish [data-do=away]`)))
	b.wait(`document.querySelector('dialog.taking')?.dataset.ready`)
	return b.text(`document.querySelector('dialog.taking').textContent + [...document.querySelectorAll('dialog.taking a[href]')].map(a => ' ' + a.href).join('')`)
}
