package page

import (
	"context"
	"html"
	"maps"
	"net/url"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

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

// Values returns what a template may use of an option: its parameters, and of an item its ID, text and
// features.
func Values(items []space.Item, o space.Option) space.Option {
	at := slices.IndexFunc(items, func(it space.Item) bool { return it.ID == o.Item() })
	if at < 0 {
		return o
	}
	values := maps.Clone(o)
	values["text"] = space.ValueOf(items[at].Text)
	maps.Copy(values, items[at].Features)
	return values
}

// DrawnIn returns a function that draws the options of a study of a store as SVG, for reports; it is nil where no template draws them so.
func DrawnIn(st live.Store) func(ctx context.Context, name string, study *prefer.Study) (func(space.Option) string, error) {
	return func(ctx context.Context, name string, study *prefer.Study) (func(space.Option) string, error) {
		settings, err := live.SettingsIn(ctx, st, name, study)
		if t := settings.Page.Template; err == nil && t.Kind == "svg" {
			items := study.Items(false)
			return func(o space.Option) string { return fill(t, Values(items, o)) }, nil
		}
		return nil, err
	}
}
