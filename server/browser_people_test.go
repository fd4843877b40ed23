package server

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowserPeople: an owner on the machine itself hands out a code that leads a phone to the server and not to itself, or is told that there is none;
// a guest has a name, is renamed and removed; settings change while they look at a question, with errors at their field.
func TestBrowserPeople(t *testing.T) {
	h := newTestServer(t, func(c *Config) {
		c.Media, c.Reach = t.TempDir(), []string{"http://192.0.2.7:8080", "http://100.64.0.1:8080"}
	})
	h.want(201, "POST", "/v1/studies", `{"name":"coffee","prompt":"Which dot?","people":"per_rater","items":[{"id":"a","text":"A"},{"id":"b","text":"B"},{"id":"c","text":"C"}]}`, nil)
	web := newBrowser(t)
	owner := h.open(t, web)
	owner.size(1280, 800, "light")
	owner.visit("/s/coffee/owner")
	owner.wait(`document.querySelector('#everybody')`)
	if order := owner.text(`[...document.querySelectorAll('h2')].filter((h) => h.checkVisibility()).map((h) => h.id)`); !strings.HasPrefix(order, "invite,self,settings,plan") {
		t.Errorf("a study without answers shows %s", order)
	}
	owner.do(chromedp.Click(chromedp.CSS("#everybody button")))
	owner.wait(`document.querySelector('.handout img')?.complete`)
	code := func() string {
		return owner.text(`new URL(document.querySelector('.handout img').src).searchParams.get('text')`)
	}
	if at := code(); !strings.HasPrefix(at, "http://192.0.2.7:8080/r/") {
		t.Errorf("the code leads to %s", at)
	}
	owner.text(`(() => { const s = document.querySelector('.handout select'); s.value = 'http://100.64.0.1:8080'; s.dispatchEvent(new Event('change')); })()`)
	shared, err := url.Parse(code())
	if err != nil || shared.Host != "100.64.0.1:8080" || owner.text(`document.querySelector('.handout input').value`) != shared.String() {
		t.Errorf("the other code leads to %s, %v", shared, err)
	}

	guest := h.open(t, web)
	guest.visit(shared.Path)
	guest.question("")
	guest.press(kb.ArrowLeft)
	owner.wait(`document.querySelector('#board h3')?.textContent === 'Guest 1'`)
	h.play("Ben", 1)
	owner.wait(`document.querySelectorAll('#board li').length === 2`)
	dialog := func(name string) {
		owner.text(fmt.Sprintf(`[...document.querySelectorAll('[data-person]')].find((b) => b.dataset.called === %q).click()`, name))
		owner.wait(`document.querySelector('#person').open`)
	}
	dialog("Guest 1")
	owner.audit("a person, light")
	owner.shot("people-dialog")
	rename := func(to string) {
		owner.text(fmt.Sprintf(`(() => { document.querySelector('#called').value = %q; document.querySelector('#rename button').click(); })()`, to))
	}
	rename("Ben")
	owner.wait(`document.querySelector('#called[aria-invalid=true]') && document.querySelector('#rename .wrong').textContent.includes('nother rater is already called')`)
	rename("Anna")
	owner.wait(`!document.querySelector('#person').open && document.querySelector('#board h3').textContent === 'Anna'`)

	// At any time a new link for a guest is copied on the board. It stays there when the board changes, and the old link ends.
	was := strings.TrimPrefix(guest.text(`location.href`), guest.web)
	const copyOf = `document.querySelector('#board [data-who=Anna]')`
	again := chromedp.Click(chromedp.CSS(`#board [data-who=Anna]`))
	owner.do(again)
	owner.wait(copyOf + `.textContent === 'Really replace the old link?' && !document.querySelector('#board .handout')`)
	owner.do(again)
	owner.wait(`document.querySelector('#toast').textContent === 'Copied. The old link of Anna no longer works.' && document.querySelector('#board li:has([data-who=Anna]) .handout [data-old]')?.checkVisibility() && document.querySelector('#board .handout').contains(document.activeElement)`)
	owner.shot("people-link-copied")
	h.play("Ben", 1)
	owner.wait(`[...document.querySelectorAll('#board li:has([data-who=Anna]) .handout')].length === 1 && document.querySelector('#board').textContent.includes('2 answers') && document.querySelector('#board .handout').contains(document.activeElement)`)
	at, err := url.Parse(owner.text(`document.querySelector('#board .handout input').value`))
	if err != nil {
		t.Fatal(err)
	}
	if guest.visit(was); guest.text(`document.querySelector('h1').textContent`) != "There is a newer link" {
		t.Errorf("by the old link the guest reads %s", guest.text(bodyText))
	}
	guest.visit(at.Path)
	guest.question("")

	set := func(name, value string) {
		owner.text(fmt.Sprintf(`(() => { document.querySelector('#settings-fold').open = true; document.querySelector('#change').elements[%q].value = %q; })()`, name, value))
	}
	save := func() { owner.do(chromedp.Click(chromedp.CSS("#change [type=submit]"))) }
	set("prompt", "Which point?")
	set("page.complete", "nowhere")
	save()
	owner.wait(`document.querySelector('#set-complete[aria-invalid=true]') && document.activeElement.id === 'set-complete'`)
	set("page.complete", "https://done.example/?a=1")
	set("checks.repeat_rate", "0.1")
	set("page.prompts.de", "Welcher Punkt?")
	owner.text(`(() => { document.querySelector('[data-side=worse] select').value = '"c"'; document.querySelector('#pair').click(); })()`)
	save()
	owner.wait(`document.querySelector('#saved').textContent === 'Saved.' && document.querySelector('#prompt').textContent === 'Which point?'`)
	if said := owner.text(`document.querySelector('.changes').textContent`); !strings.Contains(said, `question is “Which point?”`) || !strings.Contains(said, "one in 10 questions twice; 1 pair with a known answer; when done, people go to https://done.example/?a=1; the question in de is “Welcher Punkt?”") {
		t.Errorf("the changes are %s", said)
	}
	if open := guest.text(`document.querySelector('#prompt').textContent`); open != "Which dot?" {
		t.Errorf("the open question became %q", open)
	}
	guest.press(kb.ArrowLeft)
	guest.wait(`document.querySelector('#prompt').textContent === 'Which point?'`)
	owner.size(390, 844, "dark")
	owner.text(`document.querySelectorAll('details').forEach((d) => { d.open = true; })`)
	owner.wait(`document.querySelector('#agreement .disc') || document.querySelector('#agreement').textContent !== '' && !document.querySelector('#agreement').textContent.startsWith('Working')`)
	owner.audit("people and settings, phone, dark")
	if wide := owner.text(`document.documentElement.scrollWidth`); wide != "390" {
		t.Errorf("the page is %s pixels wide on a phone", wide)
	}
	dialog("Anna")
	owner.text(`(() => { const b = document.querySelector('[data-forget]'); b.click(); })()`)
	owner.wait(`document.querySelector('[data-forget]').textContent === 'Really remove, for good?'`)
	owner.text(`document.querySelector('[data-forget]').click()`)
	owner.wait(`document.querySelectorAll('#board li').length === 1 && document.querySelector('#board h3').textContent === 'Ben'`)

	alone := newTestServer(t, func(c *Config) { c.Media = t.TempDir() })
	alone.want(201, "POST", "/v1/studies", coffee, nil)
	alone.want(200, "PATCH", "/v1/studies/coffee", `{"people":"per_rater"}`, nil)
	b := alone.open(t, web)
	b.visit("/s/coffee/owner")
	b.wait(`document.querySelector('#everybody')`)
	b.do(chromedp.Click(chromedp.CSS("#everybody button")))
	b.wait(`document.querySelector('.handout [data-alone]')?.checkVisibility() && !document.querySelector('.handout img')`)
}
