package pack_test

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestNewcomer: the lines at the top of docs/guides/pack.md, in a clean folder: packed by the command, answered to its end in a browser that keeps nothing, and imported.
func TestNewcomer(t *testing.T) {
	needed(t) // so that the command finds it built
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "coffee.json"), []byte(`{"prompt": "Which cup?", "seed": 2, "budget": 3, "params": [{"name": "milk", "low": 0, "high": 1}, {"name": "sugar", "low": 0, "high": 4}],
		"page": {"template": {"kind": "html", "text": "<p id=p>{{milk}} {{sugar}}</p><script>p.style.color = 'teal'; p.dataset.ran = 1; fetch('https://example.org').catch(() => {})</script>"}}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "prefer")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, "../../cmd/prefer").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	prefer := func(args ...string) string {
		t.Helper()
		c := exec.Command(program, args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("prefer %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	if said := prefer("pack", "coffee.json", "--out", "coffee.html"); !strings.Contains(said, `coffee.html: study "coffee" in `) {
		t.Errorf("it says %s", said)
	}
	b := &tab{t: t, ctx: profile(t)} // the drawing tries to reach the network, and the console says that it may not
	js[bool](b, `true`)
	b.begin(`Object.defineProperty(globalThis, "indexedDB", { get() { throw new Error("not in this window"); } })`)
	b.visit((&url.URL{Scheme: "file", Path: filepath.Join(dir, "coffee.html")}).String() + "?rater=ann")
	q := b.question("")
	if said := b.text(`document.querySelector('.packed-notice').textContent`); !strings.Contains(said, "cannot keep answers for this file") {
		t.Errorf("of a browser that keeps nothing it says %q", said)
	}
	if got := b.text(`document.querySelector('.card iframe').getAttribute('sandbox') + ' ' + document.querySelector('.card iframe').srcdoc.includes('teal')`); got != "allow-scripts true" {
		t.Errorf("the drawing is %s", got)
	}
	for range 2 {
		b.press(kb.ArrowLeft)
		q = b.question(q)
	}
	b.press(kb.ArrowLeft)
	b.wait(`document.querySelector('main.ended #finish-title')?.textContent`)
	name, log := b.download(func() { js[bool](b, `document.querySelector('#finish [data-pack=save]').click(), true`) })
	if err := os.WriteFile(filepath.Join(dir, name), log, 0o644); err != nil {
		t.Fatal(err)
	}
	prefer("import", "all.db", name)
	if said := prefer("raters", "all.db"); !strings.Contains(said, "ann") {
		t.Errorf("the raters are %s", said)
	}
}
