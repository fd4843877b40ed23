package page

import (
	"regexp"
	"testing"
)

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# Hi *there*", "<h1>Hi <em>there</em></h1>\n"},
		{"a\n\n- b\n- c", "<p>a</p>\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n"},
		{"~~old~~ `x < y`", "<p><del>old</del> <code>x &lt; y</code></p>\n"},
	} {
		got, err := Markdown(c.text)
		if err != nil || string(got) != c.want {
			t.Errorf("%q: %q (%v), want %q", c.text, got, err, c.want)
		}
	}
}

var dangerous = regexp.MustCompile(`(?i)<(script|iframe|object|embed|style|form|input|svg|math|base|meta|link)\b|<[^>]*\son[a-z]+\s*=|<[^>]*(href|src)\s*=\s*"?\s*(javascript|data|vbscript):`)

// FuzzMarkdown: whatever the text, the HTML holds nothing that runs, frames, submits or restyles.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"<script>alert(1)</script>", "[x](javascript:alert(1))", "![x](data:text/html,x)", `<img src=x onerror=alert(1)>`,
		"<svg/onload=alert(1)>", "[x]: javascript:y\n[x]", "```\n<b>\n```", "<a href='java\nscript:x'>", "<style>*{}</style>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		html, err := Markdown(text)
		if err != nil {
			t.Fatal(err)
		}
		if m := dangerous.FindString(string(html)); m != "" {
			t.Errorf("%q becomes %q, which holds %q", text, html, m)
		}
	})
}
