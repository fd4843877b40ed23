package report

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

func TestHTMLEscapes(t *testing.T) {
	const bad = `<script>alert("&")</script>`
	d := Document{
		Title: bad, Lead: bad,
		Sections: []Section{{
			Title: bad, Text: []string{bad}, Notes: []string{bad},
			Figures: []Figure{{Caption: bad, SVG: []byte("<?xml version=\"1.0\"?>\n<svg></svg>")}},
			Grids:   []Grid{{Caption: bad, Head: []string{bad}, Rows: [][]Cell{{{Text: bad, Detail: bad}}, {{Text: bad, Strong: true}}}}},
		}},
	}
	page, err := d.HTML()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(page), "<script") || strings.Contains(string(page), "<?xml") {
		t.Errorf("markup of a name or a prolog gets through:\n%s", page)
	}
	if got := strings.Count(string(page), "&lt;script&gt;"); got != 13 { // the title thrice, the section's twice
		t.Errorf("%d escaped names, want 13", got)
	}
	d.Sections[0].Figures[0].SVG = []byte("PNG")
	if _, err := d.HTML(); err == nil {
		t.Error("a figure that is not SVG")
	}
}

// TestHTMLSelfContained: the page loads nothing. Names of XML namespaces look like addresses and are none.
func TestHTMLSelfContained(t *testing.T) {
	d, err := New(small(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	page, err := d.HTML()
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`xmlns(:\w+)?="[^"]*"`).ReplaceAllString(string(page), "")
	if found := regexp.MustCompile(`(?i)(https?:)?//[\w.-]+\.\w+[^"\s<]*|@import|url\([^)#]*\)|<link|<script|\bsrc=`).FindAllString(text, -1); found != nil {
		t.Errorf("the page refers to %q", found)
	}
	for _, href := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if id, inside := strings.CutPrefix(href[1], "#"); !inside || strings.Count(text, `id="`+id+`"`) != 1 {
			t.Errorf("link to %q", href[1])
		}
	}
	if got := strings.Count(text, "<svg"); got != 4 { // all, and three noise levels
		t.Errorf("%d figures inside, want 4", got)
	}
	dec := xml.NewDecoder(strings.NewReader(string(page))) // every element is closed
	for err == nil {
		_, err = dec.Token()
	}
	if !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
