package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowserShortlist: on the contact sheet of twelve pictures somebody chooses to find their top 3, reads how long that takes, and answers by a hidden taste.
// The study ends with three pictures, which are the best three, and says why it asked each question.
func TestBrowserShortlist(t *testing.T) {
	h := busyTestServer(t, func(c *Config) { c.Media = t.TempDir() }) // verdicts come in the background
	const items = 12
	study := h.folder(items)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/s/" + study + "/sheet")
	b.wait(`!document.querySelector('#ask [type=submit]').disabled`)
	favourite := b.text(`document.querySelector('#takes').textContent`)
	b.do(chromedp.Click(chromedp.CSS(`[name=shortlist][value="3"]`)))
	b.wait(fmt.Sprintf(`document.querySelector('#takes').textContent !== %q`, favourite))
	b.audit("goals on the sheet")
	b.shot("shortlist-sheet-desktop-light")
	b.size(390, 844, "dark")
	b.shot("shortlist-sheet-phone-dark")
	b.size(1280, 800, "light")
	// A longer list would not end for hundreds of answers, so that a budget is proposed for it; one that somebody has set stays.
	b.visit("/s/" + h.folder(items+1) + "/sheet")
	b.wait(`!document.querySelector('#ask [type=submit]').disabled`)
	budgets := js[[]string](b, `[["3"], ["0"], ["3", "41"], ["0"]].map(([goal, set]) => {
		document.querySelector('[name=shortlist][value="' + goal + '"]').click();
		if (set) document.querySelector('#budget').value = set;
		return document.querySelector('#budget').value;
	})`)
	if want := []string{"80", "26", "41", "41"}; !slices.Equal(budgets, want) {
		t.Errorf("budgets proposed for thirteen pictures: %v, want %v", budgets, want)
	}
	b.visit("/s/" + study + "/sheet")
	b.wait(`!document.querySelector('#ask [type=submit]').disabled`)
	b.do(chromedp.Click(chromedp.CSS(`[name=shortlist][value="3"]`)))
	files := js[map[string]string](b, `Object.fromEntries([...document.querySelectorAll('#thumbs [data-url]')].map(e => [e.dataset.url, e.dataset.item]))`)
	b.do(chromedp.Click(chromedp.CSS("#ask [type=submit]")))
	// The taste: pictures are liked by their number, in an order of its own.
	liked := func(item string) int {
		var n int
		if _, err := fmt.Sscanf(item, "%d", &n); err != nil {
			t.Fatal(err)
		}
		return n * 5 % items
	}
	answers, q := 0, b.question("")
	for b.text(finished) != "true" {
		sides := strings.Split(b.options(), " | ")
		key := kb.ArrowLeft
		if liked(files[sides[1]]) > liked(files[sides[0]]) {
			key = kb.ArrowRight
		}
		if answers++; answers > 120 {
			t.Fatalf("120 answers, and %q", b.text(standing))
		}
		b.press(key)
		b.wait(finished + ` || ` + questionNow + ` !== ` + fmt.Sprintf("%q", q) + ` && !document.querySelector('#pair.told')`)
		if b.text(finished) != "true" {
			q = b.question(q)
		}
	}
	var v struct {
		Kind      string
		Shortlist []struct{ Item string }
		Sure      float64 `json:"shortlist_sure"`
	}
	h.want(200, "GET", "/v1/studies/"+study+"/verdict", "", &v)
	t.Logf("%d answers, %+v", answers, v)
	var got []int
	for _, o := range v.Shortlist {
		got = append(got, liked(o.Item))
	}
	slices.Sort(got)
	if v.Kind != "done" || v.Sure < 0.9 || !slices.Equal(got, []int{9, 10, 11}) {
		t.Errorf("after %d answers: %+v", answers, v)
	}
	for _, view := range []struct {
		name          string
		width, height int64
		scheme        string
	}{{"desktop-light", 1280, 800, "light"}, {"phone-dark", 390, 844, "dark"}} {
		b.size(view.width, view.height, view.scheme)
		b.wait(`document.querySelectorAll('#finish .scene.several img:not(.glow)').length === 3 && [...document.images].every(i => i.complete)`)
		if head, text := b.text(finishAs), b.text(`document.querySelector('#finish-text').textContent`); head != "These are your top 3" || !strings.HasSuffix(text, "sure that these are the best 3 of 12.") {
			t.Errorf("%s: %q, %q", view.name, head, text)
		}
		if over := js[float64](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: %g px too wide", view.name, over)
		}
		b.audit("ending of a shortlist")
		b.shot("shortlist-end-" + view.name)
	}
	b.visit("/s/" + study + "/result")
	b.wait(`document.querySelectorAll('.scene.several img:not(.glow)').length === 3 && document.querySelectorAll('.gallery.top > li').length === 3`)
	b.shot("shortlist-result-phone-dark")
	b.size(1280, 800, "light")
	b.shot("shortlist-result-desktop-light")
}
