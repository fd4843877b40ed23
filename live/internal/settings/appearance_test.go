package settings

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

func TestAppearanceValidate(t *testing.T) {
	for _, c := range []struct {
		a    Appearance
		want string
	}{
		{Appearance{}, ""},
		{Appearance{Goal: 20, Complete: "https://app.prolific.com/submissions/complete?cc=C1"}, ""},
		{Appearance{Goal: -1}, "goal is -1"},
		{Appearance{Goal: 1001}, "goal is 1001"},
		{Appearance{Complete: "javascript:alert(1)"}, "complete"},
		{Appearance{Complete: "//elsewhere"}, "complete"},
		{Appearance{Template: Template{Kind: "x", Text: "y"}}, "kind"},
	} {
		err := c.a.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.a, err, c.want)
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
		{Template{Kind: "html", Text: "<p>", Width: 1024, Height: 600}, ""},
		{Template{Kind: "html", Text: "<p>", Width: 119}, "the width of the template is 119"},
		{Template{Kind: "page", Text: "http://example.org/{{x}}", Height: 4097}, "the height of the template is 4097"},
		{Template{Kind: "svg", Text: "<svg/>", Width: 300}, "a picture has a size of its own"},
	} {
		err := c.t.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+.80v: %v, want %q", c.t, err, c.want)
		}
	}
	if got := (Template{Kind: "image", Text: "https://example.org:8443/a?x={{x}}"}).Origin(); got != "https://example.org:8443" {
		t.Errorf("origin %q", got)
	}
	all := Settings{Page: Appearance{Template: Template{Kind: "svg", Text: "{{a}}{{b}}"}}}
	if err := all.Validate(t.Context(), prefer.Config{Space: space.Box(space.Float("a", 0, 1))}); err == nil || !strings.Contains(err.Error(), `"b"`) {
		t.Errorf("unknown placeholder: %v, want b", err)
	}
	for _, c := range []struct {
		t             Template
		width, height int
	}{{Template{Kind: "svg"}, 0, 0}, {Template{Kind: "html"}, 640, 480}, {Template{Kind: "page", Height: 900}, 1280, 900}} {
		if w, h := c.t.Size(); w != c.width || h != c.height {
			t.Errorf("%+v is laid out in %d × %d, want %d × %d", c.t, w, h, c.width, c.height)
		}
	}
}
