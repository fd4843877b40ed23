package pack_test

import (
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

var painted = flag.Int("painted", 0, "answers whose time from key to next pair TestPainted prints; 0: it does not run")
var looks = flag.Duration("looks", time.Second, "how long TestPainted looks at a pair; 0: until everything is prepared")

// TestPainted prints how long a file of six parameters takes from a key to the next pair, and which tasks kept its page from painting:
// go test ./internal/pack -run TestPainted -painted 40 -v
func TestPainted(t *testing.T) {
	if *painted == 0 {
		t.Skip("measures only where -painted says how many answers")
	}
	var sp space.Space
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		sp.Parameters = append(sp.Parameters, space.Float(name, 0, 1))
	}
	text := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 1" width="600" height="100">`
	for i, p := range sp.Parameters {
		text += `<rect x="` + string(rune('0'+i)) + `" width="0.8" height="{{` + p.Name + `}}"/>`
	}
	address := packed(t, pack.File{Name: "six", Config: prefer.Config{Seed: 7, Prompt: "Which?", Space: sp}, Settings: live.Settings{ShowResult: true, Page: live.Appearance{Template: live.Template{Kind: "svg", Text: text + `</svg>`}}}})
	b := open(t, profile(t))
	b.size(1280, 800, "light", false)
	begun := time.Now()
	b.visit(address + "?more=99")
	q := b.question("")
	t.Logf("first question %.0f ms after the file was opened; core started in %.0f ms", time.Since(begun).Seconds()*1000, js[float64](b, `performance.getEntriesByName('prefer core')[0]?.duration ?? NaN`))
	js[bool](b, `window.long = [], new PerformanceObserver((l) => long.push(...l.getEntries().map((e) => e.duration))).observe({ type: 'longtask' }), addEventListener('keydown', () => { window.down = performance.now(); }, true), true`)
	var whole, told, late []float64
	for n := range *painted {
		if *looks > 0 {
			time.Sleep(*looks)
		} else {
			b.wait(`document.querySelector('#pair').dataset.all`)
		}
		if all := b.text(`document.querySelector('#pair').dataset.all`); all != "true" {
			late = append(late, float64(n))
		}
		js[bool](b, `performance.clearMeasures(), true`)
		b.press([]string{kb.ArrowLeft, kb.ArrowRight}[n%2])
		q = b.question(q)
		b.wait(`Number(document.querySelector('#pair').dataset.painted) > window.down`)
		whole = append(whole, js[float64](b, `Number(document.querySelector('#pair').dataset.painted) - window.down`))
		told = append(told, js[float64](b, `performance.getEntriesByName('prefer tell')[0]?.duration ?? NaN`))
	}
	t.Logf("by answer: %.0f, of that in the worker: %.0f", whole, told)
	tasks := js[[]float64](b, `long`)
	slices.Sort(whole)
	slices.Sort(told)
	n := len(whole)
	t.Logf("%d answers in six dimensions, %d of them not prepared (%v): key to next pair painted p50 %.0f ms, p95 %.0f ms, max %.0f ms; its data p50 %.0f ms, p95 %.0f ms, max %.0f; %d tasks over 50 ms on the page's thread: %.0f",
		n, len(late), late, whole[n/2], whole[n*95/100], whole[n-1], told[n/2], told[n*95/100], told[n-1], len(tasks), tasks)
}
