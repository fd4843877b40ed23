package server

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for a page; a machine with other work on it may need much of it.
const patience = 60 * time.Second

// browser finds Debian's Chromium, or another by its usual names: first the one that is nothing but pages, and takes half the time of one with windows.
var browser = sync.OnceValue(func() string {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
})

// tab is a page of a browser under test. Whatever a script throws, or the content policy stops, fails the test
// when it ends.
type tab struct {
	t   *testing.T
	ctx context.Context
	web string

	mu    sync.Mutex
	wrong []string
}

// newBrowser returns the browser of these tests: one for all, whose tabs know nothing of each other. It ends with the process.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time: not with -short")
	}
	if browser() == "" {
		t.Skip("SKIPPED: no chromium here, so nobody has looked at the page; scripts/test installs it where it may")
	}
	ctx, err := started()
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

var started = sync.OnceValues(func() (context.Context, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser()), chromedp.WindowSize(1280, 800),
		chromedp.Flag("no-sandbox", os.Getuid() == 0), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(patience))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx)
	return ctx, chromedp.Do(ctx)
})

// open opens a tab of its own, with storage and cookies of its own.
func (h *testServer) open(t *testing.T, browser context.Context) *tab {
	t.Helper()
	ctx, close := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(close)
	b := &tab{t: t, ctx: ctx, web: h.web.URL}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	console, dialogs := chromedp.Console(ctx), chromedp.Events(ctx, page.JavascriptDialogOpening)
	go func() {
		for m, err := range console {
			if err != nil {
				return // the tab is closed
			}
			if m.IsException() || m.Type == chromedp.ConsoleError && m.Source != "network" {
				b.blame(m.String() + " " + m.URL)
			}
		}
	}()
	go func() {
		for e, err := range dialogs {
			if err != nil {
				return
			}
			b.blame("a dialog: " + e.Message)
			_, _ = chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}
	}()
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, w := range b.wrong {
			t.Error(w)
		}
	})
	return b
}

func (b *tab) blame(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, what)
}

// do runs actions.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// visit opens an address of the server.
func (b *tab) visit(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.web + path))
}

// js evaluates an expression.
func js[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

// text evaluates an expression to a string.
func (b *tab) text(expression string) string {
	b.t.Helper()
	return js[string](b, `String(`+expression+`)`)
}

// wait waits until an expression is true.
func (b *tab) wait(expression string) {
	b.t.Helper()
	end := time.Now().Add(patience)
	for {
		ctx, stop := context.WithTimeout(b.ctx, patience)
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`Boolean(`+expression+`)`))
		stop()
		if err == nil && ok {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("waited in vain for %s (%v)\n%.4000s", expression, err, b.text(`document.querySelector('main')?.outerHTML`))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// press presses keys, as chromedp/kb names them.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

const questionNow = `document.querySelector('#pair')?.dataset.question`

// question waits for a question other than the given one and returns its id.
func (b *tab) question(not string) string {
	b.t.Helper()
	quoted, _ := json.Marshal(not)
	b.wait(questionNow + ` && ` + questionNow + ` !== ` + string(quoted) + ` && !document.querySelector('#pair.told') && document.querySelector('#pair').dataset.painted`)
	return b.text(questionNow)
}

// options returns what is shown, left and right.
func (b *tab) options() string {
	b.t.Helper()
	return b.text(`[...document.querySelectorAll('.card .show')].map(e => e.querySelector('img')?.getAttribute('src') ?? e.textContent).join(' | ')`)
}

// size gives the tab a width and height, and a colour scheme.
func (b *tab) size(width, height int64, scheme string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// shot keeps a picture of the page for people to look at.
func (b *tab) shot(name string) {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	folder := filepath.Join("testdata", "shots")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// audit runs axe-core and fails on whatever it finds. The library is MPL-2.0 and only ever in the test's
// browser; testdata/axe.LICENSE is its licence.
func (b *tab) audit(where string) {
	b.t.Helper()
	source, err := os.ReadFile("testdata/axe.min.js")
	if err != nil {
		b.t.Fatal(err)
	}
	js[bool](b, string(source)+`;true`)
	type finding struct {
		ID, Impact, Help string
		Nodes            []string
	}
	report := js[struct {
		Passes     int
		Violations []finding
	}](b, `axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], iframes: false}).then(r => ({
		Passes: r.passes.length, Violations: r.violations.map(v => ({ID: v.id, Impact: v.impact, Help: v.help,
			Nodes: v.nodes.slice(0, 4).map(n => n.target.join(' ') + ': ' + n.html.slice(0, 160) + ' ' + (n.any[0]?.message ?? ''))}))}))`)
	if report.Passes < 5 {
		b.t.Errorf("%s: axe checked only %d rules", where, report.Passes)
	}
	for _, v := range report.Violations {
		b.t.Errorf("%s: %s (%s): %s\n\t%s", where, v.ID, v.Impact, v.Help, strings.Join(v.Nodes, "\n\t"))
	}
}
