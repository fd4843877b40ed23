package server

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"
	"github.com/prefer-bo/prefer/live"
)

var pictureFolder = flag.String("pictures", "", "a folder for the pictures of README.md and docs/tutorials")

// pictures takes the pictures of README.md and docs/tutorials:
//
//	make pictures
func (h *house) pictures(b *tab) {
	h.t.Helper()
	b.speaks("")
	b.size(1200, 720, "light")
	h.readmePictures(b)
}

// readmePictures takes two palettes that differ clearly, and the end of their study.
func (h *house) readmePictures(b *tab) {
	h.t.Helper()
	h.want(200, "POST", "/start/demo", `{"name":"palette"}`, nil)
	likes := func(o live.Shown) float64 {
		p := o.Params
		return -degrees(p.Float("hue"), 190)/60 - 15*math.Abs(p.Float("chroma")-0.12) - 15*math.Abs(p.Float("contrast")-0.16) - math.Abs(p.Float("spread")-55)/40
	}
	h.prefers("palette", "", 6, likes)
	b.visit("/s/palette")
	b.question("")
	b.picture("question")
	h.prefers("palette", "", 12, likes)
	b.visit("/s/palette")
	b.wait(finished)
	b.picture("result")
}

// prefers answers questions of a study over REST, with the option that the rater likes better.
func (h *house) prefers(study, rater string, n int, likes func(live.Shown) float64) {
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
	data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(*pictureFolder, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictureFolder, name+".png"), data, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}
