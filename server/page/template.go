package page

import (
	"html"
	"net/url"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

// fill puts an option's values into a template. Words are escaped for where they go, markup or an address.
func fill(t live.Template, values prefer.Option) string {
	escape := html.EscapeString
	if t.Kind == "image" || t.Kind == "page" {
		escape = url.QueryEscape
	}
	return t.Replace(func(name string) (string, bool) {
		v, ok := values[name]
		return escape(v.String()), ok
	})
}
