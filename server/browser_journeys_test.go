package server

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Each journey ends with what somebody takes away, and how good that truly is: the share of all options that it beats, by a hidden
// taste that prefer never sees. Everybody is wrong in 12 of 100 answers.

// TestBrowserLab: a lab sends three participants of different tastes through links with the parameters of a recruiting service; each is thanked
// and goes on to the completion address: one by a key, one after some seconds, and one who stayed for a while by a press; the owner takes the table and everybody's favourite.
func TestBrowserLab(t *testing.T) {
	done := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<title>completed "+r.URL.Query().Get("cc")+"</title>")
	}))
	defer done.Close()
	h := newPageHouse(t)
	h.want(201, "POST", "/v1/studies", `{"name":"lamp","prompt":"Which light would you read by?","people":"per_rater","budget":14,"seed":3,
		"params":[{"name":"hue","type":"float","low":20,"high":120},{"name":"lightness","type":"float","low":0.4,"high":0.95},{"name":"chroma","type":"float","low":0,"high":0.15}],
		"page":{"complete":"`+done.URL+`/?cc=C1","template":{"kind":"svg","text":"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 30'><rect width='40' height='30' style='fill:oklch({{lightness}} {{chroma}} {{hue}})'/></svg>"}}}`, nil)
	var link struct{ URL string }
	h.want(201, "POST", "/v1/studies/lamp/links", `{"everybody":true}`, &link)
	web := newBrowser(t)
	rng := rand.New(rand.NewPCG(5, 5))
	traits := []trait{{Name: "hue", Low: 20, High: 120}, {Name: "lightness", Low: 0.4, High: 0.95}, {Name: "chroma", High: 0.15}}
	options := random(rng, traits, 2000)
	var people []*person
	for n := range 3 {
		who := somebody(rng, traits)
		people = append(people, who)
		b := h.open(t, web)
		b.size(390, 844, []string{"light", "dark"}[n%2])
		b.visit(fmt.Sprintf("%s?PROLIFIC_PID=p%d&STUDY_ID=s&SESSION_ID=one", link.URL, n))
		q := ""
		for range 14 {
			q = b.question(q)
			who.answer(b)
		}
		b.wait(`!document.querySelector('#finish').hidden && document.activeElement.id === 'finish-title'`)
		if said := b.text(`document.querySelector('#finish').innerText`); !strings.Contains(said, "Thank you") || !strings.Contains(said, "You continue at") {
			t.Errorf("at the end p%d reads %s", n, said)
		}
		b.wait(`document.querySelector('#live').textContent.includes('You continue at')`)
		b.audit(fmt.Sprintf("thanks for p%d", n))
		b.shot(fmt.Sprintf("lab-thanks-%d", n))
		switch n {
		case 0:
			b.press(kb.Tab + kb.Enter)
		case 2:
			js[bool](b, `document.querySelector('[data-do=stay]').click(), true`)
			if left := b.text(`[...document.querySelectorAll('#leaving, [data-do=stay]')].filter(e => e.checkVisibility()).length + ' ' + document.title.startsWith('Which')`); left != "0 true" {
				t.Errorf("somebody who stays has %s", left)
			}
			b.do(chromedp.Click(chromedp.CSS("#complete")))
		}
		b.wait(`document.title === 'completed C1'`)
	}
	owner := h.open(t, web)
	owner.size(1280, 800, "light")
	owner.visit("/s/lamp/result")
	owner.wait(`document.querySelectorAll('.wall .show img').length >= 3`)
	favourites := owner.look(".wall .show[data-option]")
	for n, who := range people {
		share := who.beats(favourites[n], options)
		t.Logf("participant p%d: 14 answers, a favourite truly better than %.0f of 100", n, 100*share)
		if share < 0.5 {
			t.Errorf("p%d is told %v, which beats %.0f of 100", n, favourites[n], 100*share)
		}
	}
	_, _, table := h.do("GET", "/v1/studies/lamp/export?format=csv", "")
	if lines := strings.Count(string(table), "\n"); lines != 1+3*14 {
		t.Errorf("the table has %d lines, want a head and 42 answers", lines)
	}
}

// TestBrowserJudge: a judge that is a program answers most questions about sampling parameters over REST, and two people the rest through
// a link; the engineer takes the best setting as JSON.
func TestBrowserJudge(t *testing.T) {
	h := newPageHouse(t)
	h.want(201, "POST", "/v1/studies", `{"name":"sampling","prompt":"Which reply would you send?","seed":4,"show_result":true,
		"params":[{"name":"temperature","type":"float","low":0.1,"high":1.5},{"name":"top_p","type":"float","low":0.2,"high":1},{"name":"prompt","type":"categorical","choices":["plain","step by step","Be brief, be kind"]}],
		"page":{"template":{"kind":"html","text":"<!doctype html><meta charset=utf-8><p>A reply at {{temperature}}, {{top_p}} with <i>{{prompt}}</i>"}}}`, nil)
	traits := []trait{{Name: "temperature", Low: 0.1, High: 1.5}, {Name: "top_p", Low: 0.2, High: 1}, {Name: "prompt", Type: "categorical", Choices: []string{"plain", "step by step", "Be brief, be kind"}}}
	rng := rand.New(rand.NewPCG(8, 8))
	judge := somebody(rng, traits)
	options := random(rng, traits, 2000)
	for range 24 {
		var q struct {
			ID      string `json:"question_id"`
			Options []struct{ Params map[string]any }
		}
		h.want(200, "POST", "/v1/studies/sampling/ask", `{"rater":"judge"}`, &q)
		choice := "first"
		if (judge.likes(described(q.Options[1].Params)) > judge.likes(described(q.Options[0].Params))) != (rng.Float64() < judge.wrong) {
			choice = "second"
		}
		h.want(200, "POST", "/v1/studies/sampling/tell", fmt.Sprintf(`{"question_id":%q,"rater":"judge","choice":%q}`, q.ID, choice), nil)
	}
	web := newBrowser(t)
	for _, name := range []string{"Mia", "Noor"} {
		var link struct{ URL string }
		h.want(201, "POST", "/v1/studies/sampling/links", fmt.Sprintf(`{"rater":%q}`, name), &link)
		b := h.open(t, web)
		b.size(1280, 800, "dark")
		b.visit(link.URL)
		q := ""
		for range 4 {
			q = b.question(q)
			judge.answer(b)
		}
		b.question(q)
	}
	var best struct {
		Option map[string]any
	}
	h.want(200, "GET", "/v1/studies/sampling/best", "", &best)
	share := judge.beats(described(best.Option), options)
	t.Logf("24 answers of a judge and 8 of people: %v, truly better than %.0f of 100", best.Option, 100*share)
	if share < 0.5 {
		t.Errorf("the best setting beats %.0f of 100", 100*share)
	}
}

// TestBrowserShop: a shop in Go has prefer below a prefix of its own; somebody who is signed in there finds how dense they like its lists, and the
// shop takes the setting.
func TestBrowserShop(t *testing.T) {
	h := newTestServer(t, func(c *Config) {
		c.Prefix, c.Budget = "/taste", 100*time.Millisecond
		c.Identify = func(r *http.Request) (Identity, error) {
			who, err := r.Cookie("session")
			if err != nil {
				return Identity{}, nil
			}
			return Identity{Owner: who.Value == "admin", Rater: who.Value}, nil
		}
	})
	mux := http.NewServeMux()
	mux.Handle("/taste/", h.server.Handler())
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: r.FormValue("as"), Path: "/"})
		fmt.Fprint(w, "<title>the shop</title>")
	})
	h.web = httptest.NewServer(mux)
	defer h.web.Close()
	admin := []string{"Cookie", "session=admin"}
	h.want(201, "POST", "/taste/v1/studies", `{"name":"density","prompt":"Which list is easier to read?","people":"per_rater","budget":12,"seed":6,
		"params":[{"name":"rows","type":"int","low":4,"high":20},{"name":"size","type":"float","low":10,"high":22},{"name":"lines","type":"bool"}],
		"page":{"template":{"kind":"html","text":"<!doctype html><p style='font-size:{{size}}px'>{{rows}} rows, lines: {{lines}}"}}}`, nil, admin...)
	traits := []trait{{Name: "rows", Type: "int", Low: 4, High: 20}, {Name: "size", Low: 10, High: 22}, {Name: "lines", Type: "bool"}}
	rng := rand.New(rand.NewPCG(3, 9))
	mia := somebody(rng, traits)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/login?as=mia")
	b.visit("/taste/s/density")
	if n := mia.answers(b, 30); n != 12 {
		t.Errorf("%d answers to the end of a budget of 12", n)
	}
	var best struct{ Option map[string]any }
	h.want(200, "GET", "/taste/v1/studies/density/best?rater=mia", "", &best, admin...)
	share := mia.beats(described(best.Option), random(rng, traits, 2000))
	t.Logf("12 answers in the shop: %v, truly better than %.0f of 100", best.Option, 100*share)
	if share < 0.5 {
		t.Errorf("the setting beats %.0f of 100", 100*share)
	}
}

// described is an option of the API as a page draws it.
func described(o map[string]any) seen {
	out := seen{}
	for name, value := range o {
		out[name] = fmt.Sprint(value)
	}
	return out
}
