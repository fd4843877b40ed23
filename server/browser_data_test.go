package server

import (
	"fmt"

	"github.com/chromedp/chromedp"
)

// unfold opens the details of a result.
func (b *tab) unfold() {
	b.t.Helper()
	b.wait(`document.querySelector('#details summary')`)
	js[bool](b, `(document.querySelector('#details').open = true)`)
	b.wait(`document.querySelector('#details .sheet:not([hidden])')`)
}

// data looks at the pictures of data of a result of parameters with so many answers, one of which was taken back: the map is drawn in place, the past is
// fetched when it comes into sight, and the history unfolds and filters. It ends with all answers in sight.
func (b *tab) data(answers int) {
	b.t.Helper()
	b.unfold()
	count := `document.querySelectorAll('.history > li').length`
	if n := b.text(count); n != "10" {
		b.t.Errorf("%s answers of %d are in sight at first, want 10", n, answers)
	}
	pick := func(select1, value string) {
		b.do(chromedp.Focus(chromedp.CSS(select1)))
		js[bool](b, fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = %q; s.dispatchEvent(new Event('change', {bubbles: true})); return true; })()`, select1, value))
	}
	js[bool](b, `window.here = true`) // as long as the page is not loaded again
	x := b.text(`document.querySelector('#axes select[name=x]').value`)
	other := b.text(`[...document.querySelectorAll('#axes option')].map(o => o.value).find(v => ![...document.querySelectorAll('#axes select')].some(s => s.value === v))`)
	pick(`#axes select[name=x]`, other)
	b.wait(`document.querySelector('#maps svg').getAttribute('aria-label').includes('over ` + other + ` and ')`)
	if now := b.text(`[document.activeElement.name, new URLSearchParams(location.search).get('x'), window.here].join()`); now != "x,"+other+",true" {
		b.t.Errorf("with %s in place of %s across, focus, address and page are %s", other, x, now)
	}
	pick(`#axes select[name=y]`, other) // both the same: the other gives way
	b.wait(`new URLSearchParams(location.search).get('y') === '` + other + `' && new URLSearchParams(location.search).get('x') !== '` + other + `'`)
	js[bool](b, `(document.querySelector('#past-path').scrollIntoView(), true)`)
	b.wait(`document.querySelector('#past-path .strip img')`)
	pick(`#which select`, "undone")
	b.wait(count + ` === 1`)
	pick(`#which select`, "")
	b.wait(count + ` === 10`)
	b.do(chromedp.Click(chromedp.CSS(`#answers button[name=n]`)))
	b.wait(count + ` === ` + fmt.Sprint(answers))
}
