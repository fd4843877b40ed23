package server

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer"
)

const resting = `!document.querySelector('#break').hidden`

// TestBrowserPhases: practice is marked, a break waits for the rater and loses nothing, and the blind duels come before the
// finish.
func TestBrowserPhases(t *testing.T) {
	h := newPageHouse(t)
	h.want(201, "POST", "/v1/studies", `{"name":"seat","prompt":"Which seat?","params":[{"name":"height","type":"float","low":0,"high":1},{"name":"depth","type":"float","low":0,"high":1}],
		"seed":3,"budget":6,"answers":{"grades":1},"sitting":{"practice":2,"break_every":3,"blind":2}}`, nil)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/s/seat")
	q := b.question("")
	marked := func() bool { return js[bool](b, `document.querySelector('#practice').checkVisibility()`) }
	if said := b.text(standing); !marked() || said != "practice · 2 to go" {
		t.Errorf("the first question is marked: %v, and the status is %q", marked(), said)
	}
	b.shot("practice-desktop-light")
	b.audit("practice")
	b.size(390, 844, "dark")
	b.shot("practice-phone-dark")
	for range 2 {
		b.press(kb.ArrowLeft)
		q = b.question(q)
	}
	if said := b.text(standing); marked() || !strings.HasPrefix(said, "0 of 6") {
		t.Errorf("after practice a question is marked: %v, and the status is %q", marked(), said)
	}
	for n := range 3 {
		if b.press(kb.ArrowLeft); n < 2 {
			q = b.question(q)
		}
	}
	b.wait(resting)
	b.shot("break-phone-dark")
	b.size(1280, 800, "light")
	b.shot("break-desktop-light")
	b.audit("break")
	b.press(kb.ArrowLeft) // there is nothing to answer
	b.visit("/s/seat")    // and nothing is lost by a reload
	b.wait(resting)
	var history struct{ Answers []prefer.Entry }
	if h.want(200, "GET", "/v1/studies/seat/history", "", &history); len(history.Answers) != 5 {
		t.Errorf("%d answers are kept, want 5", len(history.Answers))
	}
	if said := b.text(`document.querySelector('#break').textContent`); !strings.Contains(said, "A short break") || !strings.Contains(said, "You have done 3 of 6.") {
		t.Errorf("the break says %q", said)
	}
	b.do(chromedp.Click(chromedp.CSS(`#break button`)))
	q = b.question("")
	if js[bool](b, resting) {
		t.Error("the break stays beside the question")
	}
	for n := range 3 {
		if b.press(kb.ArrowLeft); n < 2 {
			q = b.question(q)
		}
	}
	b.wait(resting) // between the questions and the check
	b.do(chromedp.Click(chromedp.CSS(`#break button`)))
	q = b.question("")
	if said := b.text(standing); said != "blind test · 2 to go" || b.text(`document.querySelectorAll('.clear').length`) != "0" {
		t.Errorf("at the end the status is %q", said)
	}
	b.shot("final-check-desktop-light")
	b.press(kb.ArrowLeft)
	b.question(q)
	b.press(kb.ArrowLeft)
	b.wait(finished)
	if head := b.text(finishAs); head != atBudget {
		t.Errorf("the finish says %q", head)
	}
	if h.want(200, "GET", "/v1/studies/seat/history", "", &history); len(history.Answers) != 10 || !history.Answers[9].Blind {
		t.Errorf("%d answers are kept, want 2, 6 and 2", len(history.Answers))
	}
}
