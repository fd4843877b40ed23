package figure

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/outfile"
	"github.com/prefer-bo/prefer/internal/chart"
)

// render checks that a figure is well-formed XML, and returns it and its texts in the order written.
func render(t *testing.T, doc []byte) (svg string, texts []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	inText := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("SVG is not XML: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "text" {
				inText, texts = true, append(texts, "")
			}
			for _, a := range e.Attr {
				if a.Name.Local == "href" { // an image in base64
					continue
				}
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("SVG has %s=%q", a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			if inText {
				texts[len(texts)-1] += string(e)
			}
		case xml.EndElement:
			inText = inText && e.Name.Local != "text"
		}
	}
	return string(doc), slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// count returns how many of the texts are s.
func count(texts []string, s string) int {
	n := 0
	for _, t := range texts {
		if t == s {
			n++
		}
	}
	return n
}

// A figure is a file of its own that says who made it.
func TestDocument(t *testing.T) {
	d := chart.NewPage(100, 50, "a figure")
	box(d, 10, 10, 30, 30, chart.Scale{High: 1}, chart.Scale{High: 1}).heat(func(u, v float64) color.NRGBA { return viridis.at(u * v) })
	svg, _ := render(t, document(d))
	for _, want := range []string{outfile.Comment, `width="100pt" height="50pt" viewBox="0 0 100 50"`, `preserveAspectRatio="none"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("SVG without %q", want)
		}
	}
	m := regexp.MustCompile(`data:image/png;base64,([^"]+)"`).FindStringSubmatch(svg)
	if m == nil {
		t.Fatalf("SVG has no PNG inside")
	}
	raw, err := base64.StdEncoding.DecodeString(m[1])
	if err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(bytes.NewReader(raw)); err != nil || img.Bounds().Dx() != pixels {
		t.Errorf("what is called a PNG inside the SVG: %v", err)
	}
}

// The same data, computed and drawn twice, give the same bytes.
func TestDeterminism(t *testing.T) {
	for name, draw := range map[string]func() []byte{
		"curves": benchmark(20).Draw, "example": func() []byte { return newExample(t).Draw() }, "study": func() []byte { return newCaseStudy(t, prefer.Config{}).Draw() },
	} {
		if !bytes.Equal(draw(), draw()) {
			t.Errorf("%s has different bytes the second time", name)
		}
	}
}
