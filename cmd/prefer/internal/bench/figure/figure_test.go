package figure

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// render checks that a figure is a PNG of its size and well-formed XML, and returns the SVG and its texts
// in the order written.
func render(t *testing.T, f *Figure) (svg string, texts []string) {
	t.Helper()
	raster, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raster))
	if err != nil {
		t.Fatal(err)
	}
	wide, high := math.Round(float64(f.width/vg.Inch)*dpi), math.Round(float64(f.height/vg.Inch)*dpi)
	if b := img.Bounds(); b.Dx() != int(wide) || b.Dy() != int(high) {
		t.Errorf("PNG has %d×%d pixels, want %g×%g", b.Dx(), b.Dy(), wide, high)
	}
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
			inText = e.Name.Local == "text"
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
				texts = append(texts, string(e))
			}
		case xml.EndElement:
			inText = false
		}
	}
	return string(doc), texts
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

func TestFigure(t *testing.T) {
	f := &Figure{width: 100, height: 50, paint: func(c draw.Canvas) {
		label{size: 8, colour: ink}.write(c, vg.Point{X: 5, Y: 5}, "a < b & c")
		axes{Canvas: c}.heat(func(u, v float64) color.NRGBA { return viridis.at(u * v) })
	}}
	svg, texts := render(t, f)
	if len(texts) != 1 || texts[0] != "a < b & c" {
		t.Errorf("texts %q", texts)
	}
	for _, want := range []string{`width="100pt" height="50pt" viewBox="0 0 100 50"`, "font-family:Liberation Sans,Arial,", `preserveAspectRatio="none"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("SVG without %q", want)
		}
	}
	m := regexp.MustCompile(`data:image/(\w+);base64,([^"]+)"`).FindStringSubmatch(svg)
	if m == nil || m[1] != "png" {
		t.Fatalf("SVG has no PNG inside")
	}
	raw, err := base64.StdEncoding.DecodeString(m[2])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(raw)); err != nil {
		t.Errorf("what is called a PNG inside the SVG: %v", err)
	}
}

// The same data, computed and drawn twice, give the same bytes. An SVG lists what is drawn, so that one
// figure is enough to see that painting it in pixels adds no chance.
func TestDeterminism(t *testing.T) {
	curves := func() *Figure { return benchmark(20).Draw() }
	example := func() *Figure { return newExample(t).Draw() }
	study := func() *Figure { return newCaseStudy(t, prefer.Config{}).Draw() }
	for _, c := range []struct {
		name   string
		draw   func() *Figure
		format func(*Figure) ([]byte, error)
	}{
		{"curves.svg", curves, (*Figure).SVG}, {"example.svg", example, (*Figure).SVG}, {"study.svg", study, (*Figure).SVG},
		{"example.png", example, (*Figure).PNG},
	} {
		var got [2][]byte
		for i := range got {
			var err error
			if got[i], err = c.format(c.draw()); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got[0], got[1]) {
			t.Errorf("%s has different bytes the second time", c.name)
		}
	}
}
