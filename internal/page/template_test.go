package page

import (
	"encoding/xml"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

func TestTemplateFill(t *testing.T) {
	values := space.Option{"x": space.ValueOf(0.25), "word": space.ValueOf(`a&"<b>`), "yes": space.ValueOf(true), "two words": space.ValueOf(3)}
	for _, c := range []struct{ kind, text, want string }{
		{"svg", `<rect width="{{x}}"/>`, `<rect width="0.25"/>`},
		{"svg", `{{ x }}{{x}}`, `0.250.25`},
		{"html", `<p>{{word}}</p>`, `<p>a&amp;&#34;&lt;b&gt;</p>`},
		{"html", `{{yes}} {{two words}}`, `true 3`},
		{"html", `{{nothing}} {x} {{}}`, `{{nothing}} {x} {{}}`},
		{"image", `https://example.org/r?w={{word}}&x={{x}}`, `https://example.org/r?w=a%26%22%3Cb%3E&x=0.25`},
	} {
		if got := fill(live.Template{Kind: c.kind, Text: c.text}, values); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.kind, c.text, got, c.want)
		}
	}
}

// FuzzFill: whatever a word holds, it stays a word: in markup it opens no tag, in an address it changes
// neither host nor the other parts of the query.
func FuzzFill(f *testing.F) {
	for _, s := range []string{"", "a", `"><script>`, "&x=1#", "%00", "{{v}}", "日本"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		o := space.Option{"v": space.ValueOf(word)}
		svg := fill(live.Template{Kind: "svg", Text: `<svg a="{{v}}"><text>{{v}}</text></svg>`}, o)
		if strings.Count(svg, "<") != 4 || strings.Count(svg, `"`) != 2 {
			t.Errorf("%q breaks out: %s", word, svg)
		}
		u, err := url.Parse(fill(live.Template{Kind: "image", Text: "https://example.org/p?v={{v}}&w=1"}, o))
		if err != nil {
			t.Fatal(err)
		}
		if q := u.Query(); u.Host != "example.org" || q.Get("v") != word || q.Get("w") != "1" || len(q) != 2 {
			t.Errorf("%q becomes %s", word, u)
		}
	})
}

// TestDemos: every option of a demonstration draws as well-formed XML with no placeholder left.
func TestDemos(t *testing.T) {
	demos, err := demo.Drawn()
	if err != nil {
		t.Fatal(err)
	}
	if len(demos) != 4 {
		t.Fatalf("%d demonstrations, want 4", len(demos))
	}
	for _, d := range demos {
		look := demoLook(d)
		if err := look.Validate(); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		drawings := []string{fill(look.Template, view.Values(d.Config.Space.Items, d.Sample))}
		for _, item := range d.Config.Space.Items {
			drawings = append(drawings, fill(look.Template, view.Values(d.Config.Space.Items, space.ItemOption(item.ID))))
		}
		seen := map[string]bool{}
		for _, svg := range drawings {
			if strings.Contains(svg, "{{") {
				t.Errorf("%s: a placeholder was not filled", d.Name)
			}
			if err := wellFormed(svg); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
			seen[svg] = true
		}
		if items := len(d.Config.Space.Items); items > 0 && len(seen) != items {
			t.Errorf("%s: %d different drawings of %d items", d.Name, len(seen), items)
		}
	}
}

func wellFormed(text string) error {
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
