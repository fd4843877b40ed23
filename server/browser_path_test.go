package server

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// newPageHouse starts a server with media, that takes a tenth of a second at most to find a question: nobody here looks at a pair for long.
func newPageHouse(t *testing.T) *testServer {
	t.Helper()
	return newTestServer(t, func(c *Config) { c.Media, c.Budget = t.TempDir(), 100*time.Millisecond })
}

// TestBrowserNewcomer goes from an empty start to a verdict by keyboard alone, with a reload and an undo on
// the way, and prints how long a key takes to the next pair on the screen.
func TestBrowserNewcomer(t *testing.T) {
	h := newPageHouse(t)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/")
	b.wait(`document.querySelector('.param')`) // the script has run
	if list := b.text(`document.querySelectorAll('.studies li').length`); list != "0" {
		t.Fatalf("the start of an empty store lists %s studies", list)
	}
	for range 12 { // to the demonstration of colours
		b.press(kb.Tab)
		if b.text(`document.activeElement.dataset.demo`) == "palette" {
			break
		}
	}
	b.press(kb.Enter)
	q := b.question("")
	if want := h.web.URL + "/s/palette"; b.text(`location.href`) != want {
		t.Fatalf("at %s, want %s", b.text(`location.href`), want)
	}
	b.shot("answer-desktop-light")

	shown := b.options()
	b.visit("/s/palette")
	if again := b.question(""); again != q || b.options() != shown {
		t.Errorf("after a reload question %s shows %s, want %s with %s", again, b.options(), q, shown)
	}

	// Flipping shows one at a time in the same place; help opens and closes.
	under := `[...document.querySelectorAll('.card')].findIndex(c => c.classList.contains('under'))`
	for _, step := range []struct{ key, want string }{{"f", "1"}, {"f", "0"}, {kb.Escape, "-1"}} {
		if b.press(step.key); b.text(under) != step.want {
			t.Errorf("after %q card %s is under the other, want %s", step.key, b.text(under), step.want)
		}
	}
	b.press("?")
	b.wait(`document.querySelector('#help').open`)
	b.press(kb.Escape)
	b.wait(`!document.querySelector('#help').open`)

	// The person likes blue: 240° from the hue of each card decides.
	js[bool](b, `addEventListener('keydown', e => { window.down = performance.now(); }, true), true`)
	var times []float64
	const goal = 18 + 1 // of which one is skipped
	for n := 0; n < goal; n++ {
		key := kb.ArrowLeft
		if js[bool](b, `(() => { const d = [...document.querySelectorAll('.card img')].map(i => { const h = Math.abs(new URL(i.src).searchParams.get('hue') - 240); return Math.min(h, 360 - h); }); return d[1] < d[0]; })()`) {
			key = kb.ArrowRight
		}
		switch n {
		case 3:
			key = kb.ArrowDown
		case 5:
			key = "x"
		case 6:
			key = "s"
		}
		if n == 4 { // undo brings the question back, and the answer is counted once
			before := b.options()
			b.press(key)
			next := b.question(q)
			b.press("z")
			if back := b.question(next); back != q || b.options() != before {
				t.Fatalf("undo shows %s with %s, want %s with %s", back, b.options(), q, before)
			}
		}
		b.press(key)
		if n == goal-1 {
			break
		}
		q = b.question(q)
		times = append(times, js[float64](b, `Number(document.querySelector('#pair').dataset.painted) - window.down`))
	}
	b.wait(`!document.querySelector('#finish').hidden`)
	b.shot("finish-desktop-light")
	title, text := b.text(`document.querySelector('#finish-title').textContent`), b.text(`document.querySelector('#finish-text').textContent + ' ' + document.querySelector('#finish-more').textContent`)
	slices.Sort(times)
	t.Logf("key down to next pair painted, %d answers: p50 %.0f ms, p90 %.0f ms, max %.0f ms", len(times), times[len(times)/2], times[len(times)*9/10], times[len(times)-1])

	b.takes(t)
	for _, want := range []string{"Test it blind", "10 more questions", "Details"} {
		b.press(kb.Tab)
		if stop := b.text(`document.activeElement.textContent`); stop != want {
			t.Fatalf("the next stop of the keyboard is %q, want %q", stop, want)
		}
	}
	b.press(kb.Enter)
	b.wait(`document.querySelector('#headline') && document.querySelector('.pick img')?.complete`)
	if head := b.text(`document.querySelector('#headline').textContent`); head != title {
		t.Errorf("the result says %q, the finish %q", head, title)
	}
	said := b.text(`[...document.querySelectorAll('.pick p')].map(p => p.textContent).join(' ')`)
	for part := range strings.SplitSeq(strings.TrimSuffix(text, "."), ". ") {
		if !strings.Contains(said, part) {
			t.Errorf("the finish says %q, the result %q", part, said)
		}
	}
	if n := b.text(`document.querySelectorAll('.along').length + ' ' + document.querySelectorAll('.chart').length`); n != "5 0" {
		t.Errorf("strips and charts before the details are open: %s, want a strip per parameter", n)
	}
	b.data(goal + 1)
	b.shot("result-desktop-light")

	// Turning an answer round changes it and nothing else.
	won := func() string {
		return b.text(`[...document.querySelectorAll('.history > li:not(.undone)')].map(l => [...l.querySelectorAll('.thumb')].findIndex(t => t.classList.contains('won'))).join()`)
	}
	before := won()
	b.do(chromedp.Click(chromedp.CSS(`.history [data-do=flip]`)))
	b.wait(`document.querySelectorAll('.history > li').length === ` + fmt.Sprint(goal+2))
	if after := won(); after == before || len(after) != len(before) {
		t.Errorf("after flipping the latest answer the winners are %s, before %s", after, before)
	}

	// The final check puts the pick against three others without saying so; none of it counts as an answer, and what was
	// taken back is asked again.
	b.visit("/s/palette?check=3")
	q = b.question("")
	b.press("z")
	b.wait(`document.querySelector('#toast').textContent.includes('nothing to undo')`)
	b.press(kb.ArrowRight)
	second := b.question(q)
	b.press("z")
	if again := b.question(second); again != q {
		t.Errorf("taken back, the check asks %s, want %s", again, q)
	}
	for range 4 {
		b.press(kb.ArrowLeft)
		b.wait(`!document.querySelector('#finish').hidden || ` + questionNow + ` !== ` + strconv.Quote(q) + ` && !document.querySelector('#pair.told')`)
		if b.text(`document.querySelector('#finish').hidden`) == "false" {
			break
		}
		q = b.question(q)
	}
	if text := b.text(`document.querySelector('#finish-text').textContent`); !strings.Contains(text, "out of 3") {
		t.Errorf("the final check says %q", text)
	}
	var c prefer.BlindCheck
	h.want(200, "GET", "/v1/studies/palette/check", "", &c)
	var info struct {
		Count int `json:"answers_count"`
	}
	h.want(200, "GET", "/v1/studies/palette", "", &info)
	if c.Of != 3 || c.Won+c.Lost != 3 || c.Strong.Of != 2 || info.Count != goal-1 {
		t.Errorf("after the check %+v, and %d answers, want %d", c, info.Count, goal-1)
	}
	b.audit("would you take it")
	b.shot("blind-desktop-light")
	b.do(chromedp.Click(chromedp.CSS(`#take [data-do=yes]`)))
	b.wait(`document.querySelector('#take').hidden`)
	if h.want(200, "GET", "/v1/studies/palette/check", "", &c); c.Take != 1 && c.Stale != 3 || c.Decline != 0 { // a yes teaches, and may move the pick
		t.Errorf("they would take it, and the check says %+v", c)
	}
}

// TestBrowserFiles: files that are chosen on the start page become items; of two sounds one plays at a time,
// and the other goes on where it was.
func TestBrowserFiles(t *testing.T) {
	h := newPageHouse(t)
	dir := t.TempDir()
	var files []string
	for i, name := range []string{"low.wav", "high.wav"} {
		files = append(files, filepath.Join(dir, name))
		if err := os.WriteFile(files[i], tone(float64(220*(i+1))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "dark")
	b.visit("/")
	b.wait(`document.querySelector('.param')`)
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#files"), files, chromedp.NodeReady))
	b.wait(`location.pathname === '/s/sounds/sheet' && document.querySelector('#ask [type=submit]')?.disabled === false`)
	b.do(chromedp.Click(chromedp.CSS("#ask [type=submit]")))
	q := b.question("")
	b.shot("audio-desktop-dark")
	playing := `[...document.querySelectorAll('audio')].map(a => a.paused ? 0 : 1).join('')`
	b.press("1")
	b.wait(playing + ` === '10' && document.querySelector('.player.heard')`)
	b.press(kb.ArrowLeft) // the other has not been heard
	b.wait(`document.querySelector('#toast').textContent.includes('listen to both')`)
	b.press("2")
	b.wait(playing + ` === '01'`)
	if at := js[float64](b, `document.querySelectorAll('audio')[1].currentTime`); at < 0.05 {
		t.Errorf("the second sound begins at %g s, want where the first was", at)
	}
	b.wait(`document.querySelectorAll('.player.heard').length === 2 && document.querySelectorAll('.wave').length === 2`)
	b.audit("sounds")
	b.press(kb.ArrowLeft)
	q2 := b.question(q)
	b.press("z")
	b.question(q2)
	b.press(kb.ArrowRight) // taken back, it need not be heard again
	b.question(q)
}

// tone is two seconds of a quiet sine wave as a WAV file.
func tone(hertz float64) []byte {
	const rate, seconds = 8000, 2
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt ")
	for _, v := range []any{uint32(16), uint16(1), uint16(1), uint32(rate), uint32(rate), uint16(1), uint16(8)} {
		b, _ = binary.Append(b, binary.LittleEndian, v)
	}
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, rate*seconds)
	for i := range rate * seconds {
		b = append(b, byte(128+20*math.Sin(2*math.Pi*hertz*float64(i)/rate)))
	}
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}

// TestBrowserRaters: two people answer at once through links of their own; each sees their own question, and no
// answer is lost.
func TestBrowserRaters(t *testing.T) {
	h := newPageHouse(t)
	h.want(200, "POST", "/start/demo", `{"name":"creatures"}`, nil)
	var shared struct{ URL string }
	h.want(201, "POST", "/v1/studies/creatures/links", `{"everybody":true}`, &shared)
	var named struct{ URL string }
	h.want(201, "POST", "/v1/studies/creatures/links", `{"rater":"Anna"}`, &named)
	web := newBrowser(t)
	anna, guest := h.open(t, web), h.open(t, web)
	anna.size(390, 844, "light")
	guest.size(390, 844, "dark")
	anna.visit(named.URL)
	guest.visit(shared.URL + "?PROLIFIC_PID=p42&STUDY_ID=s1&SESSION_ID=s7")
	const each = 3
	qa, qg := anna.question(""), guest.question("")
	if qa == qg || anna.options() == guest.options() {
		t.Errorf("both look at question %s: %s", qa, anna.options())
	}
	for range each {
		anna.press(kb.ArrowLeft)
		guest.press(kb.ArrowRight)
		qa, qg = anna.question(qa), guest.question(qg)
	}
	anna.shot("answer-phone-light")
	for _, side := range []string{"Width", "Height"} {
		if px := js[float64](anna, `Math.min(...[...document.querySelectorAll('.card .show')].map(s => s.client`+side+`))`); px < 220 {
			t.Errorf("on a phone the %s of a picture is %g px", strings.ToLower(side), px)
		}
	}
	guest.shot("answer-phone-dark")
	if over := js[float64](anna, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("on a phone the page is %g px too wide", over)
	}
	if small := anna.text(`[...document.querySelectorAll('button, a')].filter(e => e.offsetParent && !e.closest('.jump')).map(e => [e.textContent, e.getBoundingClientRect()]).filter(([, r]) => r.height < 44 || r.width < 44).map(([t]) => t).join(', ')`); small != "" {
		t.Errorf("too small to touch: %s", small)
	}
	var raters struct {
		Raters []struct {
			Name    string
			Answers int
		}
	}
	h.want(200, "GET", "/v1/studies/creatures/raters", "", &raters)
	got := fmt.Sprint(raters.Raters)
	if want := fmt.Sprintf("[{Anna %d} {p42 %d}]", each, each); got != want {
		t.Errorf("raters %s, want %s", got, want)
	}
	h.want(200, "POST", "/s/creatures/pause", `{"paused":true}`, nil)
	guest.visit(strings.TrimPrefix(guest.text(`location.href`), h.web.URL))
	if text := guest.text(`document.querySelector('h1').textContent`); text != "A short break" {
		t.Errorf("a paused study says %q", text)
	}
}
