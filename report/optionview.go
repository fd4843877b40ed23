package report

import (
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// optionView is an option as the page shows it.
type optionView struct {
	Name     string // of an item
	Text     string
	Picture  template.HTML
	Settings []setting
}

type setting struct{ Name, Value string }

// presenter turns options of one study into views and into words.
type presenter struct {
	space space.Space
	items map[string]space.Item
	media func(string) ([]byte, error)
	draw  func(space.Option) string
	album *album
}

func newPresenter(s *prefer.Study, o Options) presenter {
	w := presenter{s.Config().Space, map[string]space.Item{}, o.Media, o.Draw, &album{by: map[string]int{}}}
	for _, it := range s.Items(false) {
		w.items[it.ID] = it
	}
	return w
}

// show returns an option with everything there is to see.
func (w presenter) show(o space.Option) optionView {
	e := optionView{Picture: w.picture(o)}
	it, listed := w.items[o.Item()]
	for _, p := range w.space.Parameters {
		e.Settings = append(e.Settings, setting{p.Name, value(o[p.Name])})
	}
	if !listed {
		return e
	}
	e.Name, e.Text = it.ID, it.Text
	for _, name := range slices.Sorted(maps.Keys(it.Features)) {
		e.Settings = append(e.Settings, setting{name, value(it.Features[name])})
	}
	return e
}

// words returns an option in one line, parameters in the order of the space.
func (w presenter) words(o space.Option) string {
	var parts []string
	if it, ok := w.items[o.Item()]; ok {
		parts = append(parts, it.ID)
	}
	for _, p := range w.space.Parameters {
		parts = append(parts, p.Name+" "+value(o[p.Name]))
	}
	return strings.Join(parts, ", ")
}

// setting returns the value of a parameter, or of the feature of an item.
func (w presenter) setting(o space.Option, name string) space.Value {
	if it, ok := w.items[o.Item()]; ok {
		if v, ok := it.Features[name]; ok {
			return v
		}
	}
	return o[name]
}
