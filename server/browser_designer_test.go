package server

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserDesigner: a designer pastes a card in HTML, gives its four properties a range on the form, answers 24 questions, and takes the
// values as CSS. One in eight of their answers is wrong, and one study of ten or so is misled by that (39 of 100 was seen once in eight): a
// second and a third designer come only then, and not all three can be.
func TestBrowserDesigner(t *testing.T) {
	h := newPageHouse(t)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	for seed := range uint64(3) {
		if h.designer(b, rand.New(rand.NewPCG(11, 2+seed))) >= 0.5 {
			return
		}
	}
	t.Error("what three designers took beats less than half of all there is")
}

// designer goes the whole way, and returns how much of all that there is what they take is truly better than.
func (h *testServer) designer(b *tab, rng *rand.Rand) float64 {
	t := h.t
	b.visit("/")
	b.wait(`document.querySelector('.param')`)
	b.paste(`<!doctype html><title>Card</title><body style="margin:40px"><div style="border-radius:{{radius}}px;padding:{{padding}}px;background:hsl({{hue}} 50% 50%);font-size:{{size}}px">A card</div>`)
	js[bool](b, `(() => { document.querySelector('#study-budget').value = 24; document.querySelector('#describe').requestSubmit(); return true; })()`)
	b.question("")
	var study struct{ Space struct{ Params []trait } }
	h.want(200, "GET", "/v1/studies/"+strings.TrimPrefix(b.text(`location.pathname`), "/s/"), "", &study)
	traits := study.Space.Params
	if len(traits) != 4 {
		t.Fatalf("the study has the parameters %+v", traits)
	}
	designer := somebody(rng, traits)
	if n := designer.answers(b, 40); n != 24 {
		t.Errorf("it took %d answers, want 24", n)
	}
	got := seen{}
	for _, line := range property.FindAllStringSubmatch(b.taken(), -1) {
		got[line[1]] = line[2]
	}
	if len(got) != 4 {
		t.Errorf("the CSS has %v", got)
	}
	share := designer.beats(got, random(rng, traits, 2000))
	t.Logf("24 answers: the CSS that is taken has %v, truly better than %.0f of 100", got, 100*share)
	return share
}

// property matches a custom property that is a number.
var property = regexp.MustCompile(`--([a-z]+): (-?[0-9.]+)(?:px)?;`)

// taken opens what there is to take away at the end, and returns it.
func (b *tab) taken() string {
	b.t.Helper()
	b.wait(finished)
	b.do(chromedp.Click(chromedp.CSS(`#finish [data-do=away]`)))
	b.wait(`document.querySelector('dialog.taking')?.dataset.ready`)
	return b.text(`document.querySelector('dialog.taking').textContent + [...document.querySelectorAll('dialog.taking a[href]')].map(a => ' ' + a.href).join('')`)
}

// TestBrowserRenders: a folder of forty renders in two subfolders, one of them broken, is chosen on the start page; the sheet tells what cannot be
// read; after the answers the original file is taken, byte for byte.
func TestBrowserRenders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "renders")
	files, traits := map[string]seen{}, []trait{{Name: "hue", Low: 0, High: 360, Circular: true}, {Name: "stripes", Low: 1, High: 12}}
	rng := rand.New(rand.NewPCG(21, 3))
	for n := range 40 {
		sub := filepath.Join(dir, []string{"a", "b"}[n%2])
		look := random(rng, traits, 1)[0]
		name := fmt.Sprintf("%d.png", n/2) // the same names in both
		files[filepath.Base(sub)+"/"+name] = look
		if err := os.MkdirAll(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(sub, name), stripes(look.number("hue"), look.number("stripes")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "broken.png"), []byte("no picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	h := newPageHouse(t)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/")
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#folder"), []string{dir}, chromedp.NodeReady))
	b.wait(`location.pathname === '/s/renders/sheet' && document.querySelector('.suggestion[aria-pressed]')`)
	if said := b.text(bodyText); !strings.Contains(said, "40 pictures") || !strings.Contains(said, "broken.png") {
		t.Errorf("the sheet says %q", said)
	}
	kept := js[map[string]string](b, `Object.fromEntries([...document.querySelectorAll('#thumbs button')].map(t => [t.dataset.url.split('/').pop(), t.dataset.item]))`)
	js[bool](b, `(() => { document.querySelector('#budget').value = 24; document.querySelector('#ask').requestSubmit(); return true; })()`)
	b.question("")
	designer := somebody(rng, traits)
	likes := designer.likes
	designer.likes = func(o seen) float64 { return likes(files[kept[o["path"]]]) }
	designer.answers(b, 60)
	taken := b.taken()
	at := regexp.MustCompile(`http\S+/m/renders/(\S+?\.png)`).FindStringSubmatch(taken)
	if at == nil {
		t.Fatalf("no file to take: %s", taken)
	}
	reply, err := http.Get(at[0])
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	got, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	name := kept[at[1]]
	want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %s are taken, want the %d of the file (%v)", len(got), name, len(want), err)
	}
	var others []seen
	for file := range kept {
		if file != at[1] {
			others = append(others, seen{"path": file})
		}
	}
	share := designer.beats(seen{"path": at[1]}, others)
	t.Logf("24 answers about 40 pictures: %s, truly better than %.0f of 100", name, 100*share)
	if share < 0.5 {
		t.Errorf("the picture beats %.0f of 100", 100*share)
	}
}

// stripes paints a picture of a hue with so many stripes.
func stripes(hue, n float64) []byte {
	part := func(shift float64) uint8 { return uint8(127 + 100*math.Cos(2*math.Pi*(hue-shift)/360)) }
	img := image.NewNRGBA(image.Rect(0, 0, 60, 40))
	for i := range img.Pix {
		x, channel := i/4%60, i%4
		img.Pix[i] = []uint8{part(0), part(120), part(240), 255}[channel]
		if int(float64(x)*n/30)%2 == 1 && channel < 3 {
			img.Pix[i] /= 2
		}
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img) // into memory
	return out.Bytes()
}
