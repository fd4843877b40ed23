package page

import (
	"encoding/xml"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

func TestTemplateFill(t *testing.T) {
	values := prefer.Option{"x": prefer.ValueOf(0.25), "word": prefer.ValueOf(`a&"<b>`), "yes": prefer.ValueOf(true), "two words": prefer.ValueOf(3)}
	for _, c := range []struct{ kind, text, want string }{
		{"svg", `<rect width="{{x}}"/>`, `<rect width="0.25"/>`},
		{"svg", `{{ x }}{{x}}`, `0.250.25`},
		{"html", `<p>{{word}}</p>`, `<p>a&amp;&#34;&lt;b&gt;</p>`},
		{"html", `{{yes}} {{two words}}`, `true 3`},
		{"html", `{{nothing}} {x} {{}}`, `{{nothing}} {x} {{}}`},
		{"image", `https://example.org/r?w={{word}}&x={{x}}`, `https://example.org/r?w=a%26%22%3Cb%3E&x=0.25`},
	} {
		if got := (Template{Kind: c.kind, Text: c.text}).Fill(values); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.kind, c.text, got, c.want)
		}
	}
}

func TestTemplateValidate(t *testing.T) {
	for _, c := range []struct {
		t    Template
		want string // part of the error; "" for none
	}{
		{Template{}, ""},
		{Template{Kind: "svg", Text: "<svg/>"}, ""},
		{Template{Kind: "page", Text: "http://example.org/{{x}}"}, ""},
		{Template{Text: "<svg/>"}, "no kind"},
		{Template{Kind: "pdf", Text: "x"}, `kind "pdf"`},
		{Template{Kind: "html", Text: " \n"}, "empty"},
		{Template{Kind: "html", Text: strings.Repeat("x", maxTemplate+1)}, "1048577 bytes"},
		{Template{Kind: "image", Text: "javascript:alert({{x}})"}, "https://"},
		{Template{Kind: "image", Text: "/local/{{x}}.png"}, "https://"},
		{Template{Kind: "image", Text: "https://{{x}}.example.org/"}, "placeholder in its host"},
		{Template{Kind: "page", Text: "{{x}}://example.org/"}, "https://"},
	} {
		err := c.t.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+.80v: %v, want %q", c.t, err, c.want)
		}
	}
	if got := (Template{Kind: "image", Text: "https://example.org:8443/a?x={{x}}"}).Origin(); got != "https://example.org:8443" {
		t.Errorf("origin %q", got)
	}
	if got := (Template{Kind: "svg", Text: "{{a}}{{b}}"}).Unknown([]string{"a"}); got != "b" {
		t.Errorf("unknown placeholder %q, want b", got)
	}
}

// FuzzFill: whatever a word holds, it stays a word: in markup it opens no tag, in an address it changes
// neither host nor the other parts of the query.
func FuzzFill(f *testing.F) {
	for _, s := range []string{"", "a", `"><script>`, "&x=1#", "%00", "{{v}}", "日本"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		o := prefer.Option{"v": prefer.ValueOf(word)}
		svg := Template{Kind: "svg", Text: `<svg a="{{v}}"><text>{{v}}</text></svg>`}.Fill(o)
		if strings.Count(svg, "<") != 4 || strings.Count(svg, `"`) != 2 {
			t.Errorf("%q breaks out: %s", word, svg)
		}
		u, err := url.Parse(Template{Kind: "image", Text: "https://example.org/p?v={{v}}&w=1"}.Fill(o))
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
	demos, err := Demos()
	if err != nil {
		t.Fatal(err)
	}
	if len(demos) != 3 {
		t.Fatalf("%d demonstrations, want 3", len(demos))
	}
	for _, d := range demos {
		if err := d.Settings.Validate(); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		drawings := []string{d.Sample}
		for _, item := range d.Config.Space.Items {
			drawings = append(drawings, d.Settings.Template.Fill(Values(d.Config.Space.Items, prefer.ItemOption(item.ID))))
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
