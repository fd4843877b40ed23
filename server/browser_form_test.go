package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// elsewhere is a site of somebody's: a page and a picture that vary by their query.
func elsewhere(t *testing.T) *httptest.Server {
	number := func(text string) float64 { v, _ := strconv.ParseFloat(text, 64); return v }
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/picture" {
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="%.0f"/></svg>`, number(r.FormValue("r")))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<body style="background: hsl(%.0f 60%% 50%%)">`, number(r.FormValue("hue")))
	}))
	t.Cleanup(site.Close)
	return site
}

// paste writes a text into the field as pasting does, and waits until it is drawn.
func (b *tab) paste(text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	before := b.text(`document.querySelector('#preview').dataset.drawn ?? 0`)
	js[bool](b, `(() => { const f = document.querySelector('#paste'); f.value = `+string(quoted)+`; f.dispatchEvent(new InputEvent('input', {inputType: 'insertFromPaste', bubbles: true})); return true; })()`)
	b.wait(`document.querySelector('#preview').dataset.drawn > ` + before)
}

// rows lists the parameters of the form that vary: name, kind, ends and what the preview shows.
func (b *tab) rows() string {
	b.t.Helper()
	return b.text(`[...document.querySelectorAll('.param:not(.off)')].map(p => ['name', 'type', 'low', 'high'].map(n => p.querySelector('[name=' + n + ']').value).join(' ') + ' = ' + p.querySelector('.value').textContent).join('; ')`)
}

// TestBrowserForm pastes an address of a page, of a picture, CSS and a drawing, sees each at once with what varies in it, moves a slider, is told at the
// fields what is wrong, mends it, and answers.
func TestBrowserForm(t *testing.T) {
	h, site := newPageHouse(t), elsewhere(t)
	b := h.open(t, newBrowser(t))
	b.size(1280, 800, "light")
	b.visit("/")
	b.wait(`document.querySelector('.param')`)

	kind := `document.querySelector('[name=kind]:checked').value`
	b.paste(site.URL + "/picture?r=3")
	if got := b.rows(); got != "r int 1 6 = 3" || b.text(kind) != "image" {
		t.Errorf("a picture: %s, taken for a %s", got, b.text(kind))
	}
	b.paste(site.URL + "/?hue=200&radius=12")
	if got := b.rows(); got != "hue circle 0 360 = 200; radius int 0 36 = 12" || b.text(kind) != "page" {
		t.Errorf("a page: %s, taken for a %s", got, b.text(kind))
	}
	b.paste("<svg viewBox='0 0 9 9'><title>Dot</title><circle cx='4' cy='4' r='{{size}}'/></svg>")
	if got := b.text(`decodeURIComponent(document.querySelector('#preview img').src)`); b.rows() != "size int 8 32 = 16" || !strings.Contains(got, "r='16'") || b.text(`document.querySelector('#study-name').value`) != "Dot" {
		t.Errorf("a drawing: %s, drawn as %s", b.rows(), got)
	}

	b.paste(":root { --radius: 12px; --brand: #0f6a5f; --font: Inter, sans-serif }")
	if got := b.rows(); got != "radius int 0 36 = 12 px; brand hue circle 0 360 = 182; font categorical 0 1 = " {
		t.Errorf("CSS: %s", got)
	}
	if got := b.text(`[...document.querySelectorAll('.param:not(.off)')][2].querySelector('[name=choices]').value`); got != "Inter, sans-serif\nsystem-ui, sans-serif\nGeorgia, serif\nui-monospace, monospace" {
		t.Errorf("choices %q", got)
	}
	drawn := b.text(`document.querySelector('#preview').dataset.drawn`)
	js[bool](b, `document.querySelector('[name=dial]').focus(), true`)
	b.press(kb.End)
	b.wait(`document.querySelector('#preview').dataset.drawn > ` + drawn)
	if got := b.text(`document.querySelector('#preview').getAttribute('aria-label')`); !strings.HasPrefix(got, "Preview: radius 36,") {
		t.Errorf("after the slider went to its end: %s", got)
	}
	b.shot("form-desktop-light")

	// Everything that is wrong is said at its field, and stays until the field changes.
	set := func(selector, value string) {
		js[bool](b, `(() => { const f = document.querySelector('`+selector+`'); f.value = '`+value+`'; f.dispatchEvent(new Event('input', {bubbles: true})); return true; })()`)
	}
	wrong := `[...document.querySelectorAll('[aria-invalid]')].map(f => (f.name || f.id) + ': ' + document.getElementById(f.getAttribute('aria-describedby').split(' ')[0]).textContent).join(' | ')`
	submit := func() { js[bool](b, `document.querySelector('#describe').requestSubmit(), true`) }
	set("#study-name", "")
	set(".param [name=high]", "")
	submit()
	b.wait(`document.querySelectorAll('[aria-invalid]').length === 2`)
	if got, at := b.text(wrong), b.text(`document.activeElement.id`); got != "study-name: A name is missing. Give the study a name. | high: Where it ends is missing: a number." || at != "study-name" {
		t.Errorf("%s; the focus is at %s", got, at)
	}
	b.shot("form-wrong")
	b.audit("form")
	set("#study-name", "card")
	set(".param [name=high]", "-1")
	submit()
	b.wait(`document.querySelector('[aria-invalid]')?.name === 'high'`)
	if got := b.text(wrong); got != `high: Parameter "radius" has range [0, -1], want low < high.` {
		t.Error(got)
	}
	set(".param [name=high]", "30")
	set("#study-constraints", "radius < frog")
	submit()
	b.wait(`document.querySelector('[aria-invalid]')?.id === 'study-constraints'`)
	if got := b.text(wrong); !strings.Contains(got, "frog") || b.text(`document.activeElement.id`) != "study-constraints" {
		t.Error(got)
	}
	set("#study-constraints", "radius > 5")
	if n := b.text(`document.querySelectorAll('[aria-invalid]').length`); n != "0" {
		t.Errorf("%s fields are still called wrong", n)
	}
	submit()
	q := b.question("")
	b.press(kb.ArrowLeft)
	b.question(q)
	var study struct {
		Count int `json:"answers_count"`
		Space struct {
			Constraints []string
			Params      []struct{ Name string }
		}
		Settings struct {
			Page struct{ Template struct{ Kind, Text string } }
		}
	}
	h.want(200, "GET", "/v1/studies/card", "", &study)
	text := study.Settings.Page.Template.Text
	if fmt.Sprint(study.Space.Params) != "[{radius} {brand hue} {font}]" || study.Count != 1 || fmt.Sprint(study.Space.Constraints) != "[radius > 5]" ||
		!strings.Contains(text, "--radius: {{radius}}px; --brand: oklch(0.472 0.081 {{brand hue}}); --font: {{font}}") {
		t.Errorf("the study is %+v", study)
	}

	// The list has it in small; deleting asks in the page.
	b.size(390, 844, "dark")
	b.visit("/")
	b.wait(`document.querySelector('.thumbnail iframe')`)
	b.shot("start-phone-dark")
	js[bool](b, `document.querySelector('[data-delete]').click(), true`)
	b.wait(`document.querySelector('#delete').open`)
	js[bool](b, `document.querySelector('#delete-yes').click(), true`)
	b.wait(`!document.querySelector('#studies') && document.querySelector('.param')`)
}
