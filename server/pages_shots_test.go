package server

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func TestShotsScratch(t *testing.T) {
	h := newHouse(t, func(c *Config) { c.Media = t.TempDir() })
	b := h.open(t, newBrowser(t))
	for _, demo := range []string{"poster", "palette", "creatures"} {
		h.want(200, "POST", "/start/demo", `{"name":"`+demo+`"}`, nil)
		b.size(1280, 800, "light")
		b.visit("/s/" + demo)
		q := b.question("")
		b.shot(demo + "-answer")
		for i := range 12 {
			b.press([]string{kb.ArrowLeft, kb.ArrowRight, kb.ArrowRight}[i%3])
			q = b.question(q)
		}
		b.shot(demo + "-answer12")
		b.size(390, 844, "dark")
		b.shot(demo + "-answer12-phone-dark")
		b.visit("/s/" + demo + "/result")
		b.wait(`document.querySelector('.pick img')?.complete`)
		b.shot(demo + "-result-phone-dark")
		b.size(1280, 2400, "light")
		b.shot(demo + "-result")
		b.size(1280, 800, "dark")
		b.visit("/s/" + demo + "/owner")
		b.shot(demo + "-owner-dark")
	}
	b.size(1280, 1500, "light")
	b.visit("/")
	b.wait(`document.querySelector('.param')`)
	b.shot("start")
	b.size(390, 844, "dark")
	b.shot("start-phone-dark")
}
