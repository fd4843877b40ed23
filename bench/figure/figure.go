package figure

import (
	"bytes"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a drawing that can be had in either format, any number of times, with the same bytes.
type Figure struct {
	width, height vg.Length
	paint         func(c draw.Canvas)
}

// dpi makes the PNG of a figure as wide as a page 1400 pixels wide.
const dpi = 200

// pageWidth is the width of the text of the paper, 7 inches.
const pageWidth = 7 * vg.Inch

// corrections to what vgsvg writes: it calls the PNG inside an image element a JPEG, does not say that
// the image fills its rectangle, and names one font. Arial and Helvetica have the widths of Liberation
// Sans, so the layout holds with either.
var corrections = []struct{ from, to []byte }{
	{[]byte("data:image/jpg;"), []byte("data:image/png;")},
	{[]byte("<image "), []byte(`<image preserveAspectRatio="none" `)},
	{[]byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")},
}

// SVG returns the figure as a document of one page-sized drawing, in points, with its text as text.
func (f *Figure) SVG() ([]byte, error) {
	c := vgsvg.New(f.width, f.height)
	f.paint(canvas(c, f))
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, err
	}
	doc := buf.Bytes()
	for _, r := range corrections {
		doc = bytes.ReplaceAll(doc, r.from, r.to)
	}
	return doc, nil
}

// PNG returns the figure as an image.
func (f *Figure) PNG() ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dpi))
	f.paint(canvas(c, f))
	var buf bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&buf); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// canvas returns c with white paper on it: an SVG has none by itself and would be unreadable on a dark
// page.
func canvas(c vg.Canvas, f *Figure) draw.Canvas {
	d := draw.NewCanvas(c, f.width, f.height)
	c.SetColor(paper)
	c.Fill(d.Rectangle.Path())
	return d
}
