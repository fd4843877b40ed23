package server

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"

	qrcode "github.com/skip2/go-qrcode"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/server/page"
)

// pageDraw fills the study's template with the option of the query. What comes out is shown as an image or in
// a sandbox of its own origin, and says so itself, so that opening the address directly is as harmless.
func (s *Server) pageDraw(w http.ResponseWriter, r *http.Request, v visitor) error {
	t := v.settings.Page.Template
	if t.Kind == "" {
		return refuse(http.StatusNotFound, "no_template", "this study has no template")
	}
	option, err := v.option(r.URL.Query())
	if err != nil {
		return err
	}
	text := t.Fill(page.Values(v.study.Items(), option))
	h := w.Header()
	h.Del("X-Frame-Options") // the policy says it better
	h.Set("Cache-Control", "private, max-age=3600")
	switch t.Kind {
	case "svg":
		h.Set("Content-Type", "image/svg+xml")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'")
	case "html":
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; frame-ancestors 'self'")
	default:
		http.Redirect(w, r, text, http.StatusSeeOther)
		return nil
	}
	_, err = io.WriteString(w, text)
	return err
}

// option reads the option a query describes: an item, or a value of every parameter.
func (v visitor) option(q url.Values) (prefer.Option, error) {
	if items := v.study.Items(); items != nil {
		id := q.Get("item")
		for _, item := range items {
			if item.ID == id {
				return prefer.ItemOption(id), nil
			}
		}
		return nil, refuse(http.StatusNotFound, "no_item", fmt.Sprintf("there is no item %.80q", id))
	}
	values := map[string]string{}
	for _, p := range v.cfg.Space.Parameters {
		if q.Has(p.Name) {
			values[p.Name] = q.Get(p.Name)
		}
	}
	return v.cfg.Space.Parse(values)
}

// pageText renders the text of an item as harmless HTML.
func (s *Server) pageText(w http.ResponseWriter, r *http.Request, v visitor) error {
	option, err := v.option(r.URL.Query())
	if err != nil {
		return err
	}
	for _, item := range v.study.Items() {
		if item.ID != option.Item() {
			continue
		}
		text := item.Text
		if mediaType(item.Media) == "text" {
			f, err := s.openMedia(v.name, item.Media, true)
			if err != nil {
				return refuse(http.StatusNotFound, "no_media", "there is no such file")
			}
			defer f.Close()
			data, err := io.ReadAll(io.LimitReader(f, maxText))
			if err != nil {
				return err
			}
			text = string(data)
		}
		html, err := page.Markdown(text)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
		w.Header().Set("Cache-Control", "private, max-age=3600")
		_, err = io.WriteString(w, string(html))
		return err
	}
	return refuse(http.StatusNotFound, "no_item", "this study has no items with texts")
}

// pageLearned says in a few sentences what the answers have taught so far, the most important first.
func (s *Server) pageLearned(w http.ResponseWriter, r *http.Request, v visitor) error {
	if !v.who.owner && !v.settings.ShowResult {
		return s.reply(w, map[string][]string{"sentences": {}})
	}
	belief, err := v.beliefOf(r.Context())
	if err != nil {
		return err
	}
	sentences := []string{}
	for _, i := range belief.Importance() {
		if i.Loss > i.SD && i.Share > 0 {
			sentences = append(sentences, i.Sentence)
		}
	}
	return s.reply(w, map[string][]string{"sentences": sentences})
}

// pageQR draws an address as a code for phones.
func (s *Server) pageQR(w http.ResponseWriter, r *http.Request, _ visitor) error {
	text := r.URL.Query().Get("text")
	if text == "" || len(text) > maxQR {
		return refuse(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("text has %d characters, want 1 to %d", len(text), maxQR))
	}
	png, err := qrcode.Encode(text, qrcode.Medium, 296)
	if err != nil {
		return errors.Join(refuse(http.StatusUnprocessableEntity, "invalid", "text does not fit into a code"), err)
	}
	w.Header().Set("Content-Type", "image/png")
	_, err = w.Write(png)
	return err
}

const maxQR = 600

// templateNames lists what a template may have places for.
func templateNames(space prefer.Space) []string {
	if len(space.Items) == 0 {
		var names []string
		for _, p := range space.Parameters {
			names = append(names, p.Name)
		}
		return names
	}
	return append(slices.Collect(maps.Keys(space.Items[0].Features)), "item", "text")
}
