package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer/internal/language"
)

// outside finds the words of a page that no dictionary has: those outside of ⟦ and ⟧, but for what people wrote (options, names, prompts) and the name
// of the program.
const outside = `(() => {
  const own = 'kbd, bdi, [dir="auto"], .home, script, style, template, select[name=fixed] option, select[name=x] option, select[name=y] option, select[name=who] option, svg text, svg title, .show, .thumb';
  const out = [];
  const look = (text) => {
    let depth = 0, rest = '';
    for (const c of text) {
      if (c === '⟦') depth++;
      else if (c === '⟧') depth--;
      else if (!depth) rest += c;
    }
    if (/\p{L}{2}/u.test(rest)) out.push(text.trim());
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest(own)) look(walk.currentNode.data);
  for (const e of document.querySelectorAll('[aria-label], [alt], [title], [placeholder]'))
    for (const name of ['aria-label', 'alt', 'title', 'placeholder']) if (e.hasAttribute(name) && !e.closest('svg')) look(e.getAttribute(name));
  return [...new Set(out)].join('\n');
})()`

// TestBrowserLanguage: everything that a rater's pages say comes from the dictionary; an Arab finds the left option on the left, under the left key; a lost
// connection covers nothing and is tried again at a click; and a study that is deleted before their eyes says so.
func TestBrowserLanguage(t *testing.T) {
	browser := newBrowser(t)
	h := busyTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"prompt"`, `"show_result":true,"budget":6,"answers":{"grades":1},"page":{"prompts":{"ar":"أي فنجان؟"}},"prompt"`, 1), nil)
	h.want(201, "POST", "/v1/studies", `{"name":"words","show_result":true,"budget":4,"items":[{"id":"a","text":"one"},{"id":"b","text":"two"},{"id":"c","text":"three"},{"id":"d","text":"four"}]}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"room","params":[{"name":"noise","type":"categorical","choices":["quiet","loud"],"context":true},{"name":"light","type":"float","low":0,"high":1}]}`, nil)
	link := func(study, rater string) string {
		var l link
		h.want(201, "POST", "/v1/studies/"+study+"/links", fmt.Sprintf(`{"rater":%q}`, rater), &l)
		return l.URL
	}
	b := h.open(t, browser)
	marked := func(where string) {
		t.Helper()
		if found := b.text(outside); found != "" {
			t.Errorf("%s says what no dictionary has:\n%s", where, found)
		}
	}
	b.speaks(language.Marks)
	b.visit("/r/nobody")
	marked("a link that does not work")
	b.visit(link("room", "ann"))
	marked("the question how it is")
	for study, budget := range map[string]int{"coffee": 6, "words": 4} {
		at := link(study, "ann")
		b.visit(at)
		q := ""
		for n := range budget {
			if q = b.question(q); n == 0 {
				b.press("?")
				marked("a question of " + study)
				b.press(kb.Escape)
			}
			b.press(kb.ArrowLeft)
		}
		b.wait(`!document.querySelector('#finish').hidden`)
		marked("the end of " + study)
		b.visit(at + "/result")
		b.wait(`document.querySelector('#headline')`)
		marked("the result of " + study)
		b.visit(at + "?check=4")
		b.question("")
		marked("the check of " + study)
	}

	b.speaks("ar")
	b.size(1280, 800, "light")
	b.visit(link("coffee", "leila"))
	first := b.question("")
	if side := b.text(`[document.dir, document.querySelector('#prompt').textContent, document.querySelector('[data-choice=first]').getBoundingClientRect().x < document.querySelector('[data-choice=second]').getBoundingClientRect().x].join(' ')`); side != "rtl أي فنجان؟ true" {
		t.Errorf("direction, prompt, and whether the first is on the left: %s", side)
	}
	b.audit("the answer page in Arabic")
	b.shot("answer-arabic")
	b.press(kb.ArrowLeft)
	second := b.question(first)

	b.text(`window.found = window.fetch, window.fetch = () => Promise.reject(new TypeError("no network"))`)
	b.press(kb.ArrowRight)
	b.wait(`!document.querySelector('#away').hidden`)
	if covers := b.text(`document.querySelector('#toast').hidden && document.querySelector('#away').getBoundingClientRect().bottom <= document.querySelector('.foot').getBoundingClientRect().top`); covers != "true" {
		t.Error("the lost connection is said over something else")
	}
	b.shot("answer-lost-arabic")
	b.text(`window.fetch = window.found`)
	b.do(chromedp.Click(chromedp.CSS(`#away button`)))
	third := b.question(second)
	b.wait(`document.querySelector('#away').hidden`)
	h.want(204, "DELETE", "/v1/studies/coffee", "", nil)
	b.press(kb.ArrowLeft)
	b.wait(`!document.querySelector('#gone').hidden`)
	if left := b.text(`[document.querySelector('#pair').hidden, document.querySelector('#gone h2').textContent].join(' ')`); left != "true لم تعد هذه الدراسة موجودة" {
		t.Errorf("after question %s of a study that is gone: %s", third, left)
	}
	b.audit("a study that is gone, in Arabic")
	b.shot("gone-arabic")
}
