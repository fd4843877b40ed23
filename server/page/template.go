package page

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"

	"github.com/prefer-bo/prefer"
)

// Template draws an option: a text with {{parameter}} wherever a value goes. In a list the names are those of
// the items' features, and {{item}} is the item's ID.
type Template struct {
	// Kind is "svg", a drawing; "html", a page run in a sandbox; "image" or "page", the address of one
	// elsewhere. Empty for no template.
	Kind string `json:"kind,omitempty" enum:"svg,html,image,page" doc:"A drawing, a page, or the address of a picture or a page."`
	Text string `json:"text,omitempty" doc:"With {{parameter}} wherever a value goes."`
}

// maxTemplate is the size of the largest template, in bytes.
const maxTemplate = 1 << 20

var placeholder = regexp.MustCompile(`\{\{\s*([^{}]+?)\s*\}\}`)

// Validate reports what is wrong with the template.
func (t Template) Validate() error {
	switch t.Kind {
	case "":
		if t.Text != "" {
			return fmt.Errorf("page: the template has a text and no kind, want svg, html, image or page")
		}
		return nil
	case "svg", "html":
		if len(t.Text) > maxTemplate {
			return fmt.Errorf("page: the template has %d bytes, want at most %d", len(t.Text), maxTemplate)
		}
	case "image", "page":
		bare := placeholder.ReplaceAllString(t.Text, "0")
		if err := webAddress("the template", bare); err != nil {
			return err
		}
		if first := strings.Index(t.Text, "{{"); first >= 0 && first < len(t.Origin()) {
			return fmt.Errorf("page: the template %.80q has a placeholder in its host, want it in the path or after the ?", t.Text)
		}
	default:
		return fmt.Errorf("page: the template is of kind %q, want svg, html, image or page", t.Kind)
	}
	if strings.TrimSpace(t.Text) == "" {
		return fmt.Errorf("page: the template is empty")
	}
	return nil
}

// Unknown returns the first placeholder that is not among names, or "".
func (t Template) Unknown(names []string) string {
	known := map[string]bool{}
	for _, n := range names {
		known[n] = true
	}
	for _, m := range placeholder.FindAllStringSubmatch(t.Text, -1) {
		if !known[m[1]] {
			return m[1]
		}
	}
	return ""
}

// Fill puts an option's values in. Words are escaped for where they go, markup or an address; placeholders
// without a value stay as they are, so that a slip in a name is seen and not guessed at.
func (t Template) Fill(values prefer.Option) string {
	escape := html.EscapeString
	if t.Kind == "image" || t.Kind == "page" {
		escape = url.QueryEscape
	}
	return placeholder.ReplaceAllStringFunc(t.Text, func(m string) string {
		v, ok := values[placeholder.FindStringSubmatch(m)[1]]
		if !ok {
			return m
		}
		return escape(v.String())
	})
}

// Origin is the scheme and host that an address template loads from; empty for drawings and pages of our own.
func (t Template) Origin() string {
	if t.Kind != "image" && t.Kind != "page" {
		return ""
	}
	u, err := url.Parse(placeholder.ReplaceAllString(t.Text, "0"))
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
