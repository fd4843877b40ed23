package server

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	huesShown = `[...document.querySelectorAll('.card [aria-label^="Colour with hue"]')].map(e => e.getAttribute('aria-label').split(' ')[3]).join(' ')`
	hueOf     = `document.querySelector('%s [aria-label^="Colour with hue"]')?.getAttribute('aria-label').split(' ')[3]`
	headline  = `document.querySelector('#headline').textContent`
	bodyText  = `document.querySelector('main').innerText`
)

// hue reads the hue of the colour that is drawn in a part of the page.
func (b *tab) hue(in string) float64 {
	b.t.Helper()
	expression := fmt.Sprintf(hueOf, in)
	b.wait(expression)
	hue, err := strconv.ParseFloat(b.text(expression), 64)
	if err != nil {
		b.t.Fatal(err)
	}
	return hue
}

func degrees(a, b float64) float64 { return math.Abs(math.Remainder(a-b, 360)) }

// likes answers the question on the screen as somebody who likes this hue.
func (b *tab) likes(hue float64) {
	b.t.Helper()
	var off [2]float64
	for i, text := range strings.Fields(b.text(huesShown)) {
		shown, err := strconv.ParseFloat(text, 64)
		if err != nil {
			b.t.Fatal(err)
		}
		off[i] = degrees(shown, hue)
	}
	if off[0] <= off[1] {
		b.press(kb.ArrowLeft)
	} else {
		b.press(kb.ArrowRight)
	}
}

// invite makes a link on the owner's page, and returns its address.
func (b *tab) invite(name string) string {
	b.t.Helper()
	b.do(chromedp.SendKeys(chromedp.CSS("#rater"), name), chromedp.Click(chromedp.CSS("#link [type=submit]")))
	b.wait(fmt.Sprintf(`document.querySelector('#link + .handout h3')?.textContent === %q`, "For "+name))
	return b.handedOut("#link + .handout")
}

// handedOut returns the address of a link that is shown.
func (b *tab) handedOut(box string) string {
	b.t.Helper()
	return strings.TrimPrefix(b.text(fmt.Sprintf(`document.querySelector(%q).querySelector('input').value`, box)), b.web)
}

const team = `{"name":"dots","show_result":true,"budget":10,"params":[{"name":"hue","type":"float","low":0,"high":360,"circular":true},{"name":"lightness","low":0.5,"high":0.8}]}`

// TestBrowserFavourites: the owner, on a phone, says that everybody seeks a favourite of their own and hands out three links; three people, two of
// them of opposite tastes, come to three results of their own, and the owner sees all of them.
func TestBrowserFavourites(t *testing.T) {
	h := busyTestServer(t, func(c *Config) { c.Media, c.Budget = t.TempDir(), 100*time.Millisecond })
	h.want(201, "POST", "/v1/studies", team, nil)
	web := newBrowser(t)
	owner := h.open(t, web)
	owner.size(390, 844, "light")
	owner.visit("/s/dots/owner")
	owner.wait(`document.querySelector('#link')`)
	if checked := owner.text(`document.querySelectorAll('#people-setting :checked').length`); checked != "0" {
		t.Errorf("%s answers to whose favourite it is are given before anybody asked", checked)
	}
	owner.do(chromedp.ScrollIntoView(chromedp.CSS("#people-setting")), chromedp.Click(chromedp.CSS("#link [type=submit]")))
	if made := owner.text(`document.querySelectorAll('.handout').length`); made != "0" {
		t.Error("a link was made before the owner said whose favourite is sought")
	}
	owner.shot("whose-owner-asked-phone")
	owner.do(chromedp.Click(chromedp.CSS("#people-setting [value=per_rater]")))
	owner.wait(`!document.querySelector('#people-setting').disabled && document.querySelector('#people-setting [value=per_rater]').checked`)
	people := []struct {
		name, link string
		likes      float64
		got        float64
		tab        *tab
	}{{name: "Anna", likes: 30}, {name: "Ben", likes: 210}, {name: "Cléa <b>Ü</b>", likes: 120}}
	for i := range people {
		people[i].link = owner.invite(people[i].name)
	}
	owner.shot("whose-owner-links-phone")
	dan := owner.invite("Dan") // whose link is replaced, and revoked, each by pressing twice
	rows := func(n int) { owner.wait(fmt.Sprintf(`document.querySelectorAll('#ways li').length === %d`, n)) }
	press := func(name, how string, times int) {
		owner.text(fmt.Sprintf(`(() => { const b = [...document.querySelectorAll('#ways [data-how=%s]')].find((b) => b.dataset.who === %q); for (let i = 0; i < %d; i++) b.click(); return ''; })()`, how, name, times))
	}
	rows(4)
	owner.do(chromedp.Click(chromedp.CSS(`#ways [data-who=Dan][data-how=copy]`)))
	owner.wait(`document.querySelector('#toast').textContent === 'Copied.'`)
	if again, n := owner.handedOut("#link + .handout"), owner.text(`document.querySelectorAll('.handout').length`); again != dan || n != "4" {
		t.Errorf("a link that is still shown was replaced: %s, %s links are shown", again, n)
	}
	owner.visit("/s/dots/owner")
	rows(4)
	owner.text(`document.querySelectorAll('details').forEach((d) => { d.open = true; })`)
	copied := func(name string) string {
		press(name, "copy", 2)
		owner.wait(fmt.Sprintf(`[...document.querySelectorAll('#ways li:has(.handout) h4')].some(h => h.textContent === %q) && !document.querySelector('#ways :disabled') && document.querySelector('#toast').textContent.endsWith('The old link of ' + %[1]q + ' no longer works.')`, name))
		return owner.handedOut(fmt.Sprintf(`#ways li:has([data-who=%s]) .handout`, name))
	}
	people[0].link = copied("Anna")
	renewed := copied("Dan")
	owner.shot("whose-owner-ways-phone")
	press("Dan", "withdraw", 2)
	rows(3)
	if shown := owner.text(`document.querySelectorAll('.handout').length`); shown != "1" || owner.handedOut(".handout") != people[0].link {
		t.Errorf("%s links are shown, of which one works", shown)
	}
	gone := h.open(t, web)
	for link, head := range map[string]string{dan: "There is a newer link", renewed: "This link was revoked"} {
		if gone.visit(link); gone.text(`document.querySelector('h1').textContent`) != head {
			t.Errorf("Dan reads %s", gone.text(bodyText))
		}
	}
	gone.shot("whose-link-withdrawn")
	for i, p := range people {
		b := h.open(t, web)
		people[i].tab = b
		b.size(390, 844, []string{"light", "dark", "light"}[i])
		b.visit(p.link + "/result")
		b.wait(`document.querySelector('#headline')`)
		if head := b.text(headline); head != "Not enough answers yet" {
			t.Errorf("%s, before their first answer, reads %q", p.name, head)
		}
		b.visit(p.link)
		q := b.question("")
		for n := range 10 {
			if text := b.text(standing); text != fmt.Sprintf("%d of 10", n) {
				t.Errorf("%s, answer %d, stands at %q", p.name, n, text)
			}
			if b.likes(p.likes); n < 9 {
				q = b.question(q)
			}
		}
		b.wait(finished)
		b.shot(fmt.Sprintf("whose-finish-%d-phone", i))
		if head := b.text(finishAs); strings.Contains(head, "team") {
			t.Errorf("%s ends with %q", p.name, head)
		}
		people[i].got = b.hue("#finish-pick")
		b.visit(p.link + "/result")
		if hue := b.hue(".pick"); degrees(hue, people[i].got) > 1 || degrees(hue, p.likes) > 70 {
			t.Errorf("%s likes hue %g, ended with %g, and their result shows %g", p.name, p.likes, people[i].got, hue)
		}
		b.unfold()
		if text := b.text(bodyText); !strings.Contains(text, "After 10 answers.") || !strings.Contains(text, "about your taste") {
			t.Errorf("%s reads %s", p.name, text)
		}
		b.shot(fmt.Sprintf("whose-result-%d-phone", i))
	}
	for i, p := range people { // what others said since may have moved it a little
		p.tab.visit(p.link + "/result")
		if people[i].got = p.tab.hue(".pick"); degrees(people[i].got, p.likes) > 70 {
			t.Errorf("%s likes hue %g, and their result shows %g in the end", p.name, p.likes, people[i].got)
		}
	}
	if apart := degrees(people[0].got, people[1].got); apart < 90 {
		t.Errorf("opposite tastes end %g degrees apart", apart)
	}

	owner.visit("/s/dots/result")
	for i, p := range people {
		card := fmt.Sprintf(".wall > li:nth-child(%d)", i+1)
		if hue := owner.hue(card); degrees(hue, p.got) > 1 {
			t.Errorf("the owner sees hue %g as the favourite of %s, who sees %g", hue, p.name, p.got)
		}
		if text := owner.text(`document.querySelector('` + card + `').innerText`); !strings.Contains(text, p.name) || !strings.Contains(text, "10 of 10") {
			t.Errorf("the owner reads %q of %s", text, p.name)
		}
	}
	owner.audit("everybody")
	for _, size := range []struct {
		name   string
		w, h   int64
		scheme string
	}{{"phone", 390, 2600, "light"}, {"desktop", 1280, 1400, "light"}, {"dark", 1280, 1400, "dark"}} {
		owner.size(size.w, size.h, size.scheme)
		owner.visit("/s/dots/result")
		owner.hue(".wall")
		if over := js[float64](owner, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: everybody's results are %g px too wide", size.name, over)
		}
		owner.shot("whose-everybody-" + size.name)
		owner.visit("/s/dots/owner")
		owner.wait(`document.querySelectorAll('#board .swatch').length === 3`)
		if over := js[float64](owner, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: the board is %g px too wide", size.name, over)
		}
		owner.shot("whose-board-" + size.name)
	}
	owner.audit("board")
	owner.visit("/s/dots/result?rater=Ben")
	owner.unfold()
	if hue, text := owner.hue(".pick"), owner.text(bodyText); degrees(hue, people[1].got) > 1 || !strings.Contains(text, "about Ben's taste") || strings.Contains(text, "our favourite") {
		t.Errorf("Ben's result shows his owner hue %g, and says %s", hue, text)
	}
	owner.shot("whose-of-ben")
}

// TestBrowserTeam: in a team's study three people answer, the first until they have found a favourite; the others are asked all the same,
// are told so, and read of the team's favourite, not of theirs.
func TestBrowserTeam(t *testing.T) {
	h := busyTestServer(t, func(c *Config) { c.Media, c.Budget = t.TempDir(), 100*time.Millisecond })
	h.want(201, "POST", "/v1/studies", `{"name":"names","show_result":true,"answers":{"forced":true},"items":[{"id":"a","text":"Aurora"},{"id":"b","text":"Borealis"},{"id":"c","text":"Corona"}]}`, nil)
	web := newBrowser(t)
	for i, name := range []string{"Anna", "Ben", "Cléa"} {
		var link struct{ URL string }
		h.want(201, "POST", "/v1/studies/names/links", fmt.Sprintf(`{"rater":%q}`, name), &link)
		b := h.open(t, web)
		b.size(390, 844, "light")
		b.visit(link.URL)
		q := b.question("")
		note := b.text(`document.querySelector('#learned').textContent`)
		if told := strings.Contains(note, "Your answers still count"); told != (i > 0) {
			t.Errorf("%s reads %q over their first question", name, note)
		}
		b.shot(fmt.Sprintf("whose-team-first-%d-phone", i))
		given := 0
		for ; b.text(finished) != "true"; given++ {
			if given == 60 {
				t.Fatalf("%s has answered %d times, and no end", name, given)
			}
			if strings.HasPrefix(b.options(), "Aurora") || !strings.Contains(b.options(), "Aurora") && strings.HasPrefix(b.options(), "Borealis") {
				b.press(kb.ArrowLeft)
			} else {
				b.press(kb.ArrowRight)
			}
			b.wait(finished + ` || ` + questionNow + ` !== ` + strconv.Quote(q) + ` && !document.querySelector('#pair.told')`)
			if b.text(finished) != "true" {
				q = b.question(q)
			}
		}
		if i > 0 && given < 8 {
			t.Errorf("%s was stopped after %d answers of theirs", name, given)
		}
		b.shot(fmt.Sprintf("whose-team-finish-%d-phone", i))
		b.visit(link.URL + "/result")
		b.wait(`document.querySelector('#headline')`)
		text := b.text(bodyText)
		if mine, ours := strings.Contains(text, "your favourite") || strings.Contains(text, "your taste"), strings.Contains(text, fmt.Sprintf("of %d people", i+1)); i > 0 && (mine || !ours) {
			t.Errorf("%s reads %s", name, text)
		}
		b.shot(fmt.Sprintf("whose-team-result-%d-phone", i))
	}
}
