package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/say"
)

var (
	displeased = say.In("en").Headline(prefer.Verdict{Kind: prefer.NothingPleases}, "")
	atBudget   = say.In("en").Headline(prefer.Verdict{Kind: prefer.Settled}, "")
	atTheirs   = say.In("en").Headline(prefer.Verdict{Kind: prefer.Settled, Raters: 2}, "")
)

const (
	finished = `!document.querySelector('#finish').hidden`
	standing = `document.querySelector('#status').textContent`
	finishAs = `document.querySelector('#finish-title').textContent`
)

// TestBrowserDislikes: a rater who calls everything bad reads so, at once and on the result page; a reload says the same, and what is
// taken back can be said again.
func TestBrowserDislikes(t *testing.T) {
	h := newPageHouse(t)
	h.want(200, "POST", "/start/demo", `{"name":"palette"}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(390, 844, "dark")
	b.visit("/s/palette")
	q := b.question("")
	for n := 0; ; n++ {
		b.press("x")
		b.wait(finished + ` || ` + questionNow + ` !== ` + fmt.Sprintf("%q", q) + ` && !document.querySelector('#pair.told')`)
		if b.text(finished) == "true" {
			break
		}
		if n > 18 {
			t.Fatal("18 times both bad, and no end")
		}
		q = b.question(q)
	}
	b.shot("dislikes-phone-dark")
	if head := b.text(finishAs); head != displeased {
		t.Errorf("the finish says %q", head)
	}
	b.visit("/s/palette")
	b.wait(finished)
	if head := b.text(finishAs); head != displeased {
		t.Errorf("after a reload the finish says %q", head)
	}
	b.visit("/s/palette/result")
	b.shot("dislikes-result-phone-dark")
	b.audit("dislikes-result")
	if text := b.text(`document.querySelector('main').textContent`); !strings.Contains(text, displeased) || strings.Contains(text, "avourite") || strings.Contains(text, "over about") {
		t.Errorf("the result says %q", text)
	}
	b.visit("/s/palette")
	b.wait(finished)
	b.press("z")
	b.question("")
	b.press("x")
	b.wait(finished)
	if head := b.text(finishAs); head != displeased {
		t.Errorf("taken back and said again, the finish says %q", head)
	}
}

// TestBrowserSkips: skips bring nobody nearer to an end, and keys that mean nothing do nothing but bring a hint.
func TestBrowserSkips(t *testing.T) {
	h := newPageHouse(t)
	h.want(200, "POST", "/start/demo", `{"name":"creatures"}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/s/creatures")
	q := b.question("")
	for range 20 {
		b.press("q")
	}
	if hint := b.text(`document.querySelector('#toast').textContent`); !strings.Contains(hint, "?") || b.question("") != q {
		t.Errorf("after a wrong key question %s is there, and the hint %q", b.question(""), hint)
	}
	for range 24 {
		b.press("s")
		q = b.question(q)
		if text := b.text(standing); text != "0 of 20" {
			t.Fatalf("after a skip it stands at %q", text)
		}
	}
	b.shot("skips-desktop-light")
	b.visit("/s/creatures/result")
	if text := b.text(`document.querySelector('main').textContent`); !strings.Contains(text, "Not enough answers yet") || strings.Contains(text, "sure") {
		t.Errorf("the result says %q", text)
	}
	b.shot("nothing-desktop-light")
}

// TestBrowserBudget: of several people everybody has a budget of their own, and the end of one is not the end of another.
func TestBrowserBudget(t *testing.T) {
	h := newPageHouse(t)
	h.want(201, "POST", "/v1/studies", `{"name":"dots","show_result":true,"page":{"goal":4},"params":[{"name":"hue","low":0,"high":360},{"name":"lightness","low":0.2,"high":0.9},{"name":"chroma","low":0,"high":0.2}]}`, nil)
	web := newBrowser(t)
	for _, name := range []string{"Anna", "Ben", "Cléa"} {
		var link struct{ URL string }
		h.want(201, "POST", "/v1/studies/dots/links", fmt.Sprintf(`{"rater":%q}`, name), &link)
		b := h.open(t, web)
		b.size(390, 844, "light")
		b.visit(link.URL)
		q := b.question("")
		for n := range 4 {
			if text := b.text(standing); text != fmt.Sprintf("%d of 4", n) {
				t.Errorf("%s, answer %d, stands at %q", name, n, text)
			}
			if b.press(kb.ArrowLeft); n < 3 {
				q = b.question(q)
			}
		}
		b.wait(finished)
		want := atTheirs
		if name == "Anna" { // who is alone so far
			want = atBudget
		}
		if head := b.text(finishAs); head != want {
			t.Errorf("%s is told %q, want %q", name, head, want)
		}
		if name == "Cléa" {
			b.shot("budget-phone-light")
			if rows := js[int](b, `new Set([...document.querySelectorAll('.end .acts > :not([hidden])')].map(e => Math.round(e.getBoundingClientRect().top))).size`); rows != 1 {
				t.Errorf("the buttons stand in %d rows", rows)
			}
			b.press("z") // an answer taken back after the end is an answer to give
			q = b.question("")
			if text := b.text(standing); text != "3 of 4" {
				t.Errorf("taken back, it stands at %q", text)
			}
			b.press(kb.ArrowRight)
			b.wait(finished)
			for range 3 {
				b.press(kb.Tab)
			}
			b.press(kb.Enter) // ten more questions, with a goal in sight and an end
			for n := range 10 {
				q = b.question(q)
				if text := b.text(standing); text != fmt.Sprintf("%d of 14", 4+n) {
					t.Errorf("after %d more it stands at %q", n, text)
				}
				b.press(kb.ArrowLeft)
			}
			b.wait(finished)
		}
	}
}
