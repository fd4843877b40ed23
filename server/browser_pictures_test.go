package server

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/live"
)

var pictureFolder = flag.String("pictures", "", "a folder for the pictures of README.md and docs/tutorials")

// pictures takes the pictures of README.md and docs/tutorials:
//
//	make pictures
func (h *testServer) pictures(b *tab) {
	h.t.Helper()
	b.speaks("")
	b.size(1200, 720, "light")
	h.readmePictures(b)
	h.lookPictures(b)
	h.promptPictures(b)
	h.participantPictures(b)
	h.servicePicture(b)
}

// readmePictures takes two palettes that differ clearly, and the end of their study.
func (h *testServer) readmePictures(b *tab) {
	h.t.Helper()
	h.want(200, "POST", "/start/demo", `{"name":"palette"}`, nil)
	likes := func(o live.Shown) float64 {
		p := o.Params
		return -degrees(p.Float("hue"), 190)/60 - 15*math.Abs(p.Float("chroma")-0.12) - 15*math.Abs(p.Float("contrast")-0.16) - math.Abs(p.Float("spread")-55)/40
	}
	taken := false
	for n := range 18 {
		var q Question
		h.want(200, "POST", "/v1/studies/palette/ask", `{}`, &q)
		if hue := func(i int) float64 { return q.Options[i].Params.Float("hue") }; n > 1 && !taken && degrees(hue(0), hue(1)) > 100 {
			b.visit("/s/palette")
			b.question("")
			b.picture("question")
			taken = true
		}
		h.prefers("palette", "", 1, likes)
	}
	b.visit("/s/palette")
	b.wait(finished)
	b.picture("result")
}

// lookPictures takes what docs/tutorials/look.md shows: the sheet of a folder, a question about it, the form of a style, and the values to take.
func (h *testServer) lookPictures(b *tab) {
	h.t.Helper()
	var files []string
	for hue := 10; hue < 360; hue += 45 {
		for _, radius := range []int{0, 24, 90} {
			files = append(files, fmt.Sprintf("hue%d-radius%d.svg", hue, radius), fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="480" height="300"><rect width="480" height="300" rx="%d" fill="oklch(60%% .13 %d)"/>
				<text x="240" y="170" text-anchor="middle" font-family="Georgia" font-size="64" fill="#fff">Bakery</text></svg>`, radius, hue))
		}
	}
	body, kind := form(h.t, files...)
	var made struct{ Name string }
	h.want(200, "POST", "/start/files", body, &made, "Content-Type", kind)
	b.size(1200, 1000, "light")
	b.visit("/s/" + made.Name + "/sheet")
	b.wait(`document.querySelector('.suggestion[aria-pressed]')`)
	b.picture("look-sheet")
	b.size(1200, 720, "light")
	for range 20 {
		var q Question
		h.want(200, "POST", "/v1/studies/"+made.Name+"/ask", `{}`, &q)
		hue := func(o live.Shown) string { return strings.Split(o.Item.ID, "-")[0] }
		if hue(q.Options[0]) != hue(q.Options[1]) {
			break
		}
		h.prefers(made.Name, "", 1, func(o live.Shown) float64 { return -float64(len(o.Item.ID)) })
	}
	b.visit("/s/" + made.Name)
	b.question("")
	b.picture("look-question")

	b.size(1200, 1000, "light")
	b.visit("/#css")
	b.wait(`document.querySelector('#preview').dataset.drawn`)
	js[bool](b, `(() => { document.querySelector('#describe').scrollIntoView(); return true; })()`)
	b.picture("look-form")
	js[bool](b, `(() => { document.querySelector('#study-budget').value = 20; document.querySelector('#describe').requestSubmit(); return true; })()`)
	b.question("")
	card := b.text(`location.pathname.slice(3)`)
	h.prefers(card, "", 20, func(o live.Shown) float64 {
		p := o.Params
		return -math.Abs(p.Float("radius")-12)/10 - math.Abs(p.Float("space")-30)/10 - degrees(p.Float("hue"), 220)/50
	})
	b.size(1200, 800, "light")
	b.visit("/s/" + card)
	b.taken()
	b.picture("look-take")
}

// promptPictures takes what docs/tutorials/prompts.md shows: the result of a list of prompts, and a question about it.
func (h *testServer) promptPictures(b *tab) {
	h.t.Helper()
	var items []string
	for _, role := range []string{"none", "tutor", "critic", "expert"} {
		for _, format := range []string{"free", "steps", "bullets", "short", "example"} {
			for _, tone := range []string{"plain", "warm"} {
				items = append(items, fmt.Sprintf(`{"id":"%[1]s-%[2]s-%[3]s","text":"Role: %[1]s. Format: %[2]s. Tone: %[3]s.","features":{"role":%[1]q,"format":%[2]q,"tone":%[3]q}}`, role, format, tone))
			}
		}
	}
	h.want(201, "POST", "/v1/studies", `{"name":"prompts","seed":1,"items":[`+strings.Join(items, ",")+`]}`, nil)
	b.size(1200, 720, "light")
	b.visit("/s/prompts")
	b.question("")
	b.picture("prompts-question")
	h.prefers("prompts", "", 31, func(o live.Shown) float64 {
		points := 0.0
		for word, worth := range map[string]float64{"steps": 2, "tutor": 1, "plain": 0.5} {
			if strings.Contains(o.Item.ID, word) {
				points += worth
			}
		}
		return points
	})
	b.size(1200, 960, "light")
	b.visit("/s/prompts/result")
	b.wait(`document.querySelector('#headline')`)
	b.picture("prompts-result")
}

// participantPictures takes what docs/tutorials/participants.md shows: a question on a phone, the owner's view of twelve people, and the report.
func (h *testServer) participantPictures(b *tab) {
	h.t.Helper()
	h.want(201, "POST", "/v1/studies", `{"name":"reading","prompt":"Which text is easier to read?","people":"per_rater","budget":12,"seed":1,"checks":{"repeat_rate":0.1},
		"params":[{"name":"size","type":"float","low":12,"high":26},{"name":"leading","type":"float","low":1,"high":2.2}],
		"page":{"template":{"kind":"html","width":480,"height":300,"text":"<!doctype html><body style='margin:24px;font:{{size}}px/{{leading}} Georgia,serif'>A ship left the harbour at dawn. Nobody on the quay knew the captain, and nobody asked. By noon the wind had turned, and the town went back to its nets.</body>"}}}`, nil)
	for n := range 12 {
		best := 16 + 0.5*float64(n*5%12)
		h.prefers("reading", fmt.Sprintf("P%02d", n+1), []int{12, 12, 9, 12, 12, 7, 12, 12, 3, 12, 12, 12}[n], func(o live.Shown) float64 {
			return -math.Abs(o.Params.Float("size")-best) - 5*math.Abs(o.Params.Float("leading")-1.5)
		})
	}
	var link struct{ URL string }
	h.want(201, "POST", "/v1/studies/reading/links", `{"rater":"P13"}`, &link)
	b.size(1200, 1000, "light")
	for n := range 12 { // the view shows the favourites that are known
		h.want(200, "GET", fmt.Sprintf("/v1/studies/reading/verdict?rater=P%02d", n+1), "", nil)
	}
	b.visit("/s/reading/owner")
	b.wait(`document.querySelector('#board')`)
	time.Sleep(15 * time.Second) // twelve sandboxed frames, which do not say when they are painted
	b.picture("participants-people")
	js[bool](b, `document.querySelector('#report').closest('details').open = true, document.querySelector('#write button').click(), true`)
	b.wait(`document.querySelector('#report-state a')`)
	b.visit(b.text(`document.querySelector('#report-state a').getAttribute('href')`))
	b.picture("participants-report")
	b.size(390, 780, "light")
	b.visit(link.URL)
	b.question("")
	b.picture("participants-phone")
}

// servicePicture takes what docs/tutorials/go-service.md shows.
func (h *testServer) servicePicture(b *tab) {
	h.t.Helper()
	h.want(201, "POST", "/v1/studies", `{"name":"cards","prompt":"Which card would you click?","budget":15,"seed":3,
		"params":[{"name":"radius","type":"float","low":0,"high":40},{"name":"hue","type":"float","low":0,"high":360,"circular":true}],
		"page":{"template":{"kind":"html","width":400,"height":160,"text":"<div style='font:20px sans-serif;width:320px;padding:24px;color:#fff;border-radius:{{radius}}px;background:oklch(55% .14 {{hue}})'><b>Rye bread</b><br>Baked at four, sold by noon.</div>"}}}`, nil)
	b.size(1200, 720, "light")
	b.visit("/s/cards")
	b.question("")
	b.picture("service")
}

// prefers answers questions of a study over REST, with the option that the rater likes better.
func (h *testServer) prefers(study, rater string, n int, likes func(live.Shown) float64) {
	h.t.Helper()
	for i := range n {
		var q Question
		h.want(200, "POST", "/v1/studies/"+study+"/ask", fmt.Sprintf(`{"rater":%q}`, rater), &q)
		choice := "first"
		if likes(q.Options[1]) > likes(q.Options[0]) {
			choice = "second"
		}
		h.want(200, "POST", "/v1/studies/"+study+"/tell", fmt.Sprintf(`{"question_id":%q,"rater":%q,"choice":%q,"rt_ms":%d}`, q.ID, rater, choice, 900+617*i%2100), nil)
	}
}

// picture keeps what is in the window when all of it is painted.
func (b *tab) picture(name string) {
	b.t.Helper()
	b.wait(`document.fonts.status === 'loaded' && [...document.images].every(i => i.complete || i.loading === 'lazy')`)
	b.keep(*pictureFolder, name)
}
