package pack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/prefer-bo/prefer/internal/pack"
)

// patience is how long a test waits for a page; a machine with other work on it may need much of it.
const patience = 60 * time.Second

var chromium = sync.OnceValue(func() string {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
})

var started = sync.OnceValues(func() (context.Context, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium()), chromedp.WindowSize(1280, 800),
		chromedp.Flag("no-sandbox", os.Getuid() == 0), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(patience))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx)
	return ctx, chromedp.Do(ctx)
})

// core is that of all tests: it is built once.
var core = sync.OnceValues(func() (pack.Core, error) { return pack.FindCore(context.Background()) })

// tab is a page of a browser under test. Whatever a script throws, or the content policy stops, fails the test when it ends.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu    sync.Mutex
	wrong []string
}

// packed writes a file, and returns its address on this disk.
func packed(t *testing.T, f pack.File) string {
	t.Helper()
	f.Core = needed(t)
	var text bytes.Buffer
	if err := pack.Write(t.Context(), &text, f); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "study.html")
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// needed returns the core, where there is a browser to run it in.
func needed(t *testing.T) pack.Core {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser and a core take their time: not with -short")
	}
	if chromium() == "" {
		t.Skip("SKIPPED: no chromium here, so nobody has opened a packed file; scripts/test installs it where it may")
	}
	program, err := core()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// profile returns a browser context with storage of its own.
func profile(t *testing.T) context.Context {
	t.Helper()
	ctx, err := started()
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// open opens a tab that has no network.
func open(t *testing.T, ctx context.Context) *tab {
	t.Helper()
	b := &tab{t: t, ctx: ctx}
	console := chromedp.Console(ctx)
	go func() {
		for m, err := range console {
			if err != nil {
				return // the tab is closed
			}
			if m.IsException() || m.Type == chromedp.ConsoleError {
				b.mu.Lock()
				b.wrong = append(b.wrong, m.String()+" "+m.URL)
				b.mu.Unlock()
			}
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

// begin has a script run before those of every page to come.
func (b *tab) begin(script string) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		b.t.Fatal(err)
	}
}

// offline takes the network away.
func (b *tab) offline() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) visit(address string) { b.t.Helper(); b.do(chromedp.Navigate(address)) }
func (b *tab) press(keys string)    { b.t.Helper(); b.do(chromedp.KeyEvent(keys)) }

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
			b.mu.Lock()
			wrong := strings.Join(b.wrong, "\n")
			b.mu.Unlock()
			b.t.Fatalf("waited in vain for %s (%v)\n%.3000s\n%s", expression, err, b.text(`document.body?.innerHTML`), wrong)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

const questionNow = `document.querySelector('#pair')?.dataset.question`

// question waits for a question other than the given one and returns its id.
func (b *tab) question(not string) string {
	b.t.Helper()
	quoted, _ := json.Marshal(not)
	b.wait(questionNow + ` && ` + questionNow + ` !== ` + string(quoted) + ` && !document.querySelector('#pair.told') && document.querySelector('#pair').dataset.painted`)
	return b.text(questionNow)
}

// size gives the tab a width and height, and a colour scheme.
func (b *tab) size(width, height int64, scheme string, phone bool) {
	b.t.Helper()
	how := []chromedp.EmulateViewportOption{}
	if phone {
		how = append(how, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	}
	b.do(chromedp.EmulateViewport(width, height, how...))
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
	if err := os.MkdirAll(filepath.Join("testdata", "shots"), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", "shots", name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// download has what do saves come to a folder, and returns the one file in it.
func (b *tab) download(do func()) (name string, data []byte) {
	b.t.Helper()
	dir := b.t.TempDir()
	if _, err := chromedp.Call(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: "allow", DownloadPath: dir, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID}); err != nil {
		b.t.Fatal(err)
	}
	do()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if files, err := os.ReadDir(dir); err == nil && len(files) == 1 && !strings.HasSuffix(files[0].Name(), ".crdownload") {
			data, err := os.ReadFile(filepath.Join(dir, files[0].Name()))
			if err != nil {
				b.t.Fatal(err)
			}
			return files[0].Name(), data
		}
	}
	b.t.Fatal("nothing was saved")
	return "", nil
}

// audit runs axe-core and fails on whatever it finds.
func (b *tab) audit(where string) {
	b.t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "..", "server", "testdata", "axe.min.js"))
	if err != nil {
		b.t.Fatal(err)
	}
	js[bool](b, string(source)+`;true`)
	report := js[struct {
		Passes     int
		Violations []string
	}](b, `axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], iframes: false}).then(r => ({
		Passes: r.passes.length, Violations: r.violations.map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' '))}))`)
	if report.Passes < 5 {
		b.t.Errorf("%s: axe checked only %d rules", where, report.Passes)
	}
	for _, v := range report.Violations {
		b.t.Errorf("%s: %s", where, v)
	}
}
