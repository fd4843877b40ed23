package live

import (
	"strings"
	"testing"
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
	} {
		err := c.t.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+.80v: %v, want %q", c.t, err, c.want)
		}
	}
	if got := (Template{Kind: "image", Text: "https://example.org:8443/a?x={{x}}"}).Origin(); got != "https://example.org:8443" {
		t.Errorf("origin %q", got)
	}
	if got := (Template{Kind: "svg", Text: "{{a}}{{b}}"}).unknown([]string{"a"}); got != "b" {
		t.Errorf("unknown placeholder %q, want b", got)
	}
}
