package server

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

var painted = flag.Int("painted", 0, "answers of each kind of option whose time from key to next pair TestBrowserPainted prints; 0: it does not run")

// photos writes n pictures of 1200 × 900 into a folder, named 000.png and so on.
func photos(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		m := image.NewRGBA(image.Rect(0, 0, 1200, 900))
		for p := 0; p < len(m.Pix); p += 4 {
			x, y := p/4%1200, p/4/1200
			c := color.RGBA{uint8(x*i/12 + y), uint8(y/4 + 40*i), uint8((x ^ y) * (i + 1)), 255}
			m.Pix[p], m.Pix[p+1], m.Pix[p+2], m.Pix[p+3] = c.R, c.G, c.B, c.A
		}
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%03d.png", i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, m); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBrowserPainted prints how long a key takes to the next pair on the screen when everything that can be is prepared, by kind of option:
// go test ./server -run TestBrowserPainted -painted 40 -v
func TestBrowserPainted(t *testing.T) {
	if *painted == 0 {
		t.Skip("measures only where -painted says how many answers")
	}
	const page = `<!doctype html><style>body{margin:0;height:100vh;display:grid;place-items:center;background:oklch(95% .03 {{hue}});font:16px sans-serif}div{padding:{{pad}}px;border-radius:{{pad}}px;background:oklch(70% .15 {{hue}})}</style><div><h1>Hello</h1><p>Some words on a card.</p></div>`
	dir := t.TempDir()
	h := busyTestServer(t, func(c *Config) { c.Folders, c.Budget = map[string]string{"photos": dir}, 300*time.Millisecond })
	h.want(200, "POST", "/start/demo", `{"name":"palette"}`, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"pages","prompt":"Which?","params":[{"name":"hue","type":"float","low":0,"high":360,"circular":true},{"name":"pad","type":"float","low":4,"high":60}],
		"page":{"template":{"kind":"html","text":`+fmt.Sprintf("%q", page)+`}}}`, nil)
	items := []string{}
	for i := range 80 {
		items = append(items, fmt.Sprintf(`{"id":"%03d.png","media":"%03d.png"}`, i, i))
	}
	h.want(201, "POST", "/v1/studies", `{"name":"photos","prompt":"Which?","items":[`+strings.Join(items, ",")+`]}`, nil)
	photos(t, dir, len(items))
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	for _, kind := range []struct{ study, name string }{{"photos", "80 pictures of 1200 × 900"}, {"palette", "a template in SVG"}, {"pages", "a template in HTML"}} {
		b.visit("/s/" + kind.study + "?more=99")
		q := b.question("")
		js[bool](b, `addEventListener('keydown', () => { window.down = performance.now(); }, true), true`)
		var whole, told []float64
		for n := range *painted {
			b.wait(`document.querySelector('#pair').dataset.all`)
			js[bool](b, `performance.clearResourceTimings(), true`)
			b.press([]string{kb.ArrowLeft, kb.ArrowRight}[n%2])
			q = b.question(q)
			whole = append(whole, js[float64](b, `Number(document.querySelector('#pair').dataset.painted) - window.down`))
			told = append(told, js[float64](b, `performance.getEntriesByType('resource').find(e => e.name.includes('/tell')).duration`))
		}
		slices.Sort(whole)
		slices.Sort(told)
		n := len(whole)
		t.Logf("%s, %d answers: key to next pair painted p50 %.0f ms, p90 %.0f ms, max %.0f ms; of that the call to the server p50 %.0f ms, p90 %.0f ms",
			kind.name, n, whole[n/2], whole[n*9/10], whole[n-1], told[n/2], told[n*9/10])
	}
}
