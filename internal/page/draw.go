package page

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// draw fills the study's template with the option of the query. The result is shown as an image or in a sandbox of its own origin, and its headers say so.
func (p *Pages) draw(w http.ResponseWriter, r *http.Request, v visitor) error {
	t := v.Settings.Page.Template
	if t.Kind == "" {
		return problem.New(http.StatusNotFound, "no_template", "this study has no template")
	}
	option, err := v.option(r.URL.Query())
	if err != nil {
		return err
	}
	text := fill(t, v.Values(option))
	w.Header().Del("X-Frame-Options") // the policy says it better
	w.Header().Set("Cache-Control", "private, max-age=3600")
	switch t.Kind {
	case "svg":
		return send(w, "image/svg+xml", drawingPolicy+"; frame-ancestors 'self'", text)
	case "html":
		text += "\n<style>:root { forced-color-adjust: none }</style>\n" // the colours are what people compare; a frame does not inherit this
		return send(w, "text/html; charset=utf-8", "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; frame-ancestors 'self'", text)
	}
	http.Redirect(w, r, text, http.StatusSeeOther)
	return nil
}

// drawingPolicy is the policy of a drawing, which runs no script and loads nothing.
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

// send sends something of a type, under a policy if that is not empty.
func send(w http.ResponseWriter, kind, policy, text string) error {
	w.Header().Set("Content-Type", kind)
	if policy != "" {
		w.Header().Set("Content-Security-Policy", policy)
	}
	_, err := io.WriteString(w, text)
	return err
}

// option reads the option a query describes: an item, a value of every parameter, or both.
func (v visitor) option(q url.Values) (space.Option, error) {
	values := map[string]string{}
	if v.Items() != nil {
		item, err := v.item(q.Get("item"))
		if err != nil || !v.Config.Space.Crossed() {
			return space.ItemOption(item.ID), err
		}
		values["item"] = item.ID
	}
	for _, p := range v.Config.Space.Parameters {
		if q.Has(p.Name) {
			values[p.Name] = q.Get(p.Name)
		}
	}
	return v.Config.Space.Parse(values, false)
}

func (v visitor) item(id string) (space.Item, error) {
	items := v.Items()
	if i := slices.IndexFunc(items, func(it space.Item) bool { return it.ID == id }); i >= 0 {
		return items[i], nil
	}
	return space.Item{}, problem.New(http.StatusNotFound, "no_item", fmt.Sprintf("there is no item %.80q", id))
}

// text renders the text of an item as harmless HTML.
func (p *Pages) text(w http.ResponseWriter, r *http.Request, v visitor) error {
	item, err := v.item(r.URL.Query().Get("item"))
	if err != nil {
		return err
	}
	text := item.Text
	if media.Type(item.Media) == "text" {
		if text, err = p.Files.ReadText(v.Name, item.Media); err != nil {
			return problem.New(http.StatusNotFound, "no_media", "there is no such file")
		}
	}
	html, err := Markdown(text)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "private, max-age=3600")
	return send(w, "text/html; charset=utf-8", "default-src 'none'; sandbox; frame-ancestors 'none'", string(html))
}

// learned says in a few sentences what the answers have taught so far, the most important first.
func (p *Pages) learned(w http.ResponseWriter, r *http.Request, v visitor) error {
	if !v.owner && !v.Settings.ShowResult {
		return reply(w, map[string][]string{"sentences": {}})
	}
	sentences, err := v.learned(r.Context(), v.Context(v.rater))
	if err != nil {
		return err
	}
	return reply(w, map[string][]string{"sentences": append([]string{}, sentences...)}) // not null
}

// fill puts an option's values into a template. Words are escaped for where they go, markup or an address.
func fill(t live.Template, values space.Option) string {
	escape := html.EscapeString
	if t.Kind == "image" || t.Kind == "page" {
		escape = url.QueryEscape
	}
	return t.Replace(func(name string) (string, bool) {
		v, ok := values[name]
		return escape(v.String()), ok
	})
}

// DrawnIn returns a function that draws the options of a study of a store as SVG, for reports; it is nil where no template draws them so.
func DrawnIn(st store.Store) func(ctx context.Context, name string, study *prefer.Study) (func(space.Option) string, error) {
	return func(ctx context.Context, name string, study *prefer.Study) (func(space.Option) string, error) {
		settings, err := live.SettingsIn(ctx, st, name, study)
		if t := settings.Page.Template; err == nil && t.Kind == "svg" {
			items := study.Items(false)
			return func(o space.Option) string { return fill(t, view.Values(items, o)) }, nil
		}
		return nil, err
	}
}

// renderer reads CommonMark with tables and strike-through, without raw HTML; policy removes whatever is dangerous all the same.
var renderer = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))

var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
})

// Markdown renders a text that a stranger wrote as harmless HTML.
func Markdown(text string) (template.HTML, error) {
	var b bytes.Buffer
	if err := renderer.Convert([]byte(text), &b); err != nil {
		return "", err
	}
	return template.HTML(policy().SanitizeBytes(b.Bytes())), nil
}

// Look is what drawing an option takes, the same for all options of a study.
type Look struct {
	Template string
	Size     string // of the window in which a page is laid out, "640x480"; empty where there is none
	Texts    string // how texts are set: "short" or "long"
	Markdown bool
	Params   []space.Parameter
	Terms    map[string]string // what the reader is shown for names and values
}

// look says how options of the study are drawn.
func (v visitor) look() Look {
	page := v.Settings.Page
	out := Look{Template: page.Template.Kind, Texts: textsOf(v.Items()), Markdown: page.Markdown, Params: v.Config.Space.Parameters, Terms: v.Terms}
	if w, h := page.Template.Size(); w > 0 {
		out.Size = fmt.Sprintf("%dx%d", w, h)
	}
	return out
}

// shortText is the number of characters up to which all texts of a list are set large, like names and slogans.
const shortText = 60

// textsOf says how the texts of a list are set. The longest decides for all: people are to compare words, not type.
func textsOf(items []space.Item) string {
	isLong := func(it space.Item) bool {
		return media.Type(it.Media) == "text" || utf8.RuneCountInString(cmp.Or(it.Text, it.ID)) > shortText
	}
	if slices.ContainsFunc(items, isLong) {
		return "long"
	}
	return "short"
}
