package report

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
)

// optionView is an option as the page shows it.
type optionView struct {
	Name     string // of an item
	Text     string
	Picture  template.URL // a data URI, or empty
	Settings []setting
}

type setting struct{ Name, Value string }

// presenter turns options of one study into views and into words.
type presenter struct {
	space prefer.Space
	items map[string]prefer.Item
	media func(string) ([]byte, error)
}

func newPresenter(s *prefer.Study, o Options) presenter {
	w := presenter{space: s.Config().Space, items: map[string]prefer.Item{}, media: o.Media}
	for _, it := range s.AllItems() {
		w.items[it.ID] = it
	}
	return w
}

// maxPicture is the size of a file that is put into the page; a third more as a data URI.
const maxPicture = 1 << 20

// show returns an option with everything there is to see. A picture that cannot be had is no reason to have no report.
func (w presenter) show(o prefer.Option) optionView {
	it, listed := w.items[o.Item()]
	if !listed {
		var e optionView
		for _, p := range w.space.Parameters {
			e.Settings = append(e.Settings, setting{p.Name, value(o[p.Name])})
		}
		return e
	}
	e := optionView{Name: it.ID, Text: it.Text}
	for _, name := range slices.Sorted(maps.Keys(it.Features)) {
		e.Settings = append(e.Settings, setting{name, value(it.Features[name])})
	}
	if it.Media == "" || strings.Contains(it.Media, "://") {
		return e
	}
	if data, err := w.media(it.Media); err == nil && len(data) <= maxPicture {
		if kind := pictureType(data); kind != "" {
			e.Picture = template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data))
		}
	}
	return e
}

// pictureType returns the type of a picture by how its data begin; "" for what is none that browsers show.
func pictureType(data []byte) string {
	begins := func(at int, text string) bool { return len(data) >= at && bytes.HasPrefix(data[at:], []byte(text)) }
	switch {
	case begins(0, "\x89PNG\r\n\x1a\n"):
		return "image/png"
	case begins(0, "\xff\xd8\xff"):
		return "image/jpeg"
	case begins(0, "GIF87a"), begins(0, "GIF89a"):
		return "image/gif"
	case begins(0, "RIFF") && begins(8, "WEBPVP"):
		return "image/webp"
	}
	return ""
}

// words returns an option in one line, parameters in the order of the space.
func (w presenter) words(o prefer.Option) string {
	if it, ok := w.items[o.Item()]; ok {
		return it.ID
	}
	parts := make([]string, len(w.space.Parameters))
	for i, p := range w.space.Parameters {
		parts[i] = p.Name + " " + value(o[p.Name])
	}
	return strings.Join(parts, ", ")
}

// setting returns the value of a parameter, or of the feature of an item.
func (w presenter) setting(o prefer.Option, name string) prefer.Value {
	if it, ok := w.items[o.Item()]; ok {
		return it.Features[name]
	}
	return o[name]
}
