package media

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestThumbnails: a large picture has a small copy that is made once, also one that can be seen through; small pictures, drawings and pictures that are shown
// turned have none.
func TestThumbnails(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := func(side int, alpha uint8) image.Image {
		m := image.NewNRGBA(image.Rect(0, 0, 2*side, side))
		for i := range m.Pix {
			m.Pix[i] = byte(rng.Uint32())
		}
		for y := range side {
			for x := range 2 * side {
				c := m.NRGBAAt(x, y)
				m.SetNRGBA(x, y, color.NRGBA{c.R, c.G, c.B, alpha})
			}
		}
		return m
	}
	encoded := func(m image.Image, kind string) []byte {
		var b bytes.Buffer
		var err error
		if kind == "jpeg" {
			err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 100})
		} else {
			err = png.Encode(&b, m)
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	photo := encoded(noise(600, 255), "jpeg")
	exif := append([]byte("\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01"), 0, 6, 0, 0, 0, 0, 0, 0)
	binary.BigEndian.PutUint16(exif[2:], uint16(len(exif)-2))
	bomb := encoded(noise(600, 255), "png")
	copy(bomb[16:], "\x00\x01\x00\x00\x00\x01\x00\x00") // says 65536 × 65536
	turned := append(append(append([]byte{}, photo[:2]...), exif...), photo[2:]...)
	var all Thumbnails
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"photo.jpg", photo, "image/jpeg"}, {"opaque.png", encoded(noise(600, 255), "png"), "image/jpeg"}, {"glass.png", encoded(noise(600, 90), "png"), "image/png"},
		{"turned.jpg", turned, ""}, {"small.png", encoded(noise(40, 255), "png"), ""}, {"drawing.svg", bytes.Repeat([]byte(" "), 2*smallFile), ""}, {"bomb.png", bomb, ""}, {"broken.png", bytes.Repeat([]byte("x"), 2*smallFile), ""},
	} {
		at := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(at, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		var first []byte
		for range 2 {
			f, err := os.Open(at)
			if err != nil {
				t.Fatal(err)
			}
			info, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			small, kind := all.Of("study", c.name, f, info)
			f.Close()
			if kind != c.want || (small == nil) != (c.want == "") || len(small) > len(c.data)/2 {
				t.Errorf("%s has a copy of %d bytes, %q, want %q", c.name, len(small), kind, c.want)
			}
			if small == nil {
				continue
			}
			if m, _, err := image.DecodeConfig(bytes.NewReader(small)); err != nil || m.Width != smallSide || m.Height != smallSide/2 {
				t.Errorf("%s has a copy of %d × %d, %v", c.name, m.Width, m.Height, err)
			}
			if first != nil && &first[0] != &small[0] {
				t.Errorf("%s was made twice", c.name)
			}
			first = small
		}
	}
}
