package media

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"
)

// filled is a picture of one colour, with another one in part of it.
func filled(w, h int, c, other color.Color, part image.Rectangle) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	draw.Draw(m, part, image.NewUniform(other), image.Point{}, draw.Src)
	return m
}

func (f Features) of(name string) float64 { return f[slices.Index(FeatureNames[:], name)] }

// TestOf: the colours of the primaries are those that Ottosson gives, and every feature says what its name says.
func TestOf(t *testing.T) {
	red, white, black, blue := color.NRGBA{255, 0, 0, 255}, color.White, color.Black, color.NRGBA{0, 0, 255, 255}
	plain := featuresOf(filled(90, 60, red, red, image.Rectangle{}))
	for name, want := range map[string]float64{"lightness": 0.627955, "redness": 0.224863, "warmth": 0.125846, "colour": 0.257683, "contrast": 0, "variety": 0, "detail": 0, "lines": 0, "sky": 0, "coarseness": 0} {
		if got := plain.of(name); math.Abs(got-want) > 2e-6 {
			t.Errorf("%s of red is %g, want %g", name, got, want)
		}
	}
	if w := featuresOf(filled(8, 8, white, white, image.Rectangle{})); math.Abs(w.of("lightness")-1) > 1e-6 || w != featuresOf(filled(8, 8, color.Transparent, color.Transparent, image.Rectangle{})) {
		t.Errorf("white is %v; the transparent is not the same", w)
	}
	half := featuresOf(filled(64, 64, black, white, image.Rect(0, 0, 64, 32)))
	if math.Abs(half.of("contrast")-0.5) > 1e-6 || math.Abs(half.of("sky")-1) > 1e-6 || math.Abs(half.of("lines")+1) > 0.01 {
		t.Errorf("white above black is %v", half)
	}
	upright := featuresOf(filled(64, 64, black, white, image.Rect(0, 0, 32, 64)))
	if math.Abs(upright.of("lines")-1) > 0.01 || math.Abs(upright.of("sky")) > 1e-6 {
		t.Errorf("white beside black is %v", upright)
	}
	if v := featuresOf(filled(64, 64, red, blue, image.Rect(0, 0, 32, 64))).of("variety"); math.Abs(v-0.5*math.Hypot(0.224863+0.032457, 0.125846+0.311528)) > 1e-5 {
		t.Errorf("the variety of red and blue is %g", v)
	}
	fine, coarse := image.NewGray(image.Rect(0, 0, 64, 64)), image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range fine.Pix {
		x, y := i%64, i/64
		fine.Pix[i], coarse.Pix[i] = uint8(255*((x+y)%2)), uint8(255*((x/8+y/8)%2))
	}
	if f, c := featuresOf(fine), featuresOf(coarse); f.of("detail") != 1 || !(c.of("detail") < 0.3) || !(f.of("coarseness") < c.of("coarseness")) {
		t.Errorf("fine %v, coarse %v", f, c)
	}
}

// TestRead: the same picture in another format, or larger, is about the same; what is no picture is said to be none, and nothing is
// decoded that would take all of the memory.
func TestReadFeatures(t *testing.T) {
	m := filled(120, 80, color.NRGBA{30, 90, 160, 255}, color.NRGBA{240, 200, 40, 255}, image.Rect(20, 20, 70, 60))
	large := filled(960, 640, color.NRGBA{30, 90, 160, 255}, color.NRGBA{240, 200, 40, 255}, image.Rect(160, 160, 560, 480))
	var a, b bytes.Buffer
	if png.Encode(&a, m) != nil || jpeg.Encode(&b, large, &jpeg.Options{Quality: 95}) != nil {
		t.Fatal("not encoded")
	}
	one, err := ReadFeatures(bytes.NewReader(a.Bytes()))
	two, lost := ReadFeatures(bytes.NewReader(b.Bytes()))
	if err != nil || lost != nil {
		t.Fatal(err, lost)
	}
	for i := range one {
		if math.Abs(one[i]-two[i]) > 0.1 {
			t.Errorf("%s is %g in a PNG and %g in a larger JPEG", FeatureNames[i], one[i], two[i])
		}
	}
	if _, err := ReadFeatures(strings.NewReader("not a picture")); !errors.Is(err, image.ErrFormat) {
		t.Errorf("a text is read as a picture: %v", err)
	}
	if _, err := ReadFeatures(bytes.NewReader(a.Bytes()[:a.Len()/2])); err == nil {
		t.Error("half a picture is read")
	}
	bomb := slices.Clone(a.Bytes())
	copy(bomb[16:], "\x00\x01\x00\x00\x00\x01\x00\x00") // 65536 × 65536
	if _, err := ReadFeatures(bytes.NewReader(bomb)); err == nil {
		t.Error("a header of four thousand million pixels is believed")
	}
}
