package media

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
)

// drawn encodes a small picture.
func drawn(t *testing.T, encode func(w io.Writer, m image.Image) error) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 9, 5))
	m.Set(3, 3, color.White)
	var b bytes.Buffer
	if err := encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCheck: what can be shown passes, and of the rest it is said what is wrong.
func TestCheck(t *testing.T) {
	picture := drawn(t, png.Encode)
	photo := drawn(t, func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) })
	const svg = `<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>`
	for _, c := range []struct{ name, content, why string }{
		{"a.png", picture, ""}, {"photo called a.png", photo, ""}, {"a.JPG", photo, ""},
		{"a.gif", drawn(t, func(w io.Writer, m image.Image) error { return gif.Encode(w, m, nil) }), ""},
		{"a.bmp", drawn(t, bmp.Encode), ""},
		{"a.webp", "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00", ""},
		{"a.avif", "\x00\x00\x00\x1cftypavif", ""}, {"a.svg", svg, ""},
		{"editor.svg", `<?xml version="1.0" encoding="iso-8859-1"?><!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"/>`, ""},
		{"a.mp3", "ID3\x03\x00\x00", ""}, {"a.mp4", "\x00\x00\x00\x18ftypmp42", ""}, {"a.tiff", "II*\x00", ""}, {"a.txt", "\ufeffwörds", ""},
		{"preview.jpg", photo[:2] + "\xff\xe1\x00\x06\xff\xda\xff\xd9" + photo[2:], ""},
		{"a.png", "", "empty"}, {"a.mp4", "", "empty"}, {"a.txt", "", "empty"},
		{"a.png", "not a picture", "not a picture"}, {"a.jpg", photo[:30], "damaged"}, {"a.avif", "RIFF, or another", "not a picture"},
		{"a.png", picture[:len(picture)-9], "cut short"}, {"a.png", picture[:40], "cut short"},
		{"preview.jpg", photo[:2] + "\xff\xe1\x00\x06\xff\xda\xff\xd9" + photo[2:len(photo)-2], "cut short"},
		{"a.svg", svg[:40], "read to its end"}, {"a.svg", "<svg><g/></svg>", "xmlns"}, {"a.svg", "<html/>", "xmlns"}, {"a.svg", svg + "</g>", "read to its end"},
		{"a.mp3", "\x00\x00\x00\x00", "zeros"}, {"a.mp4", "<!doctype html>\n<title>404</title>", "neither film nor sound"}, {"a.wav", "PK\x03\x04\x14", "neither film nor sound"},
		{"a.md", "\xff", "UTF-8"}, {"a.txt", strings.Repeat("x", MaxText+1), "64 KB"},
	} {
		err := Check(c.name, strings.NewReader(c.content))
		if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s with %.30q: %v, want %q", c.name, c.content, err, c.why)
		}
	}
}

// TestCheckCut: a picture of any format that is cut anywhere is refused, and with bytes after its end it is not. A GIF needs no last byte.
func TestCheckCut(t *testing.T) {
	const webp = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"
	for name, whole := range map[string]string{
		"a.png": drawn(t, png.Encode), "a.bmp": drawn(t, bmp.Encode), "a.webp": webp,
		"a.jpg": drawn(t, func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }),
		"a.gif": drawn(t, func(w io.Writer, m image.Image) error { return gif.Encode(w, m, nil) }),
	} {
		for n := range strings.TrimSuffix(whole, "\x3b") {
			if err := Check(name, strings.NewReader(whole[:n])); err == nil {
				t.Errorf("%s passes with %d of %d bytes", name, n, len(whole))
			}
		}
		if err := Check(name, strings.NewReader(whole+"more")); err != nil {
			t.Errorf("%s with bytes after its end: %v", name, err)
		}
	}
}

// TestType: by the ending, whatever the system thinks, and each of the endings that a person is told is one.
func TestType(t *testing.T) {
	for name, want := range map[string]string{"a.WEBP": "image", "x/b.opus": "audio", "https://example.org/c.mov?d=1": "video", "d.md": "text", "e.exe": "other", "f.html": "other", "g": "other"} {
		if got := Type(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	named := strings.FieldsFunc(Endings, func(r rune) bool { return r == ' ' || r == ',' })
	for _, ending := range named {
		if !Browsers("a" + ending) {
			t.Errorf("%s is not an ending of media", ending)
		}
	}
	if len(named) != len(types) {
		t.Errorf("people are told %d endings of %d", len(named), len(types))
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "<svg xmlns='http://www.w3.org/2000/svg'/>", "RIFF"} {
		f.Add(".png", seed)
		f.Add(".svg", seed)
	}
	f.Fuzz(func(t *testing.T, ending, content string) {
		_ = Check("a"+ending, strings.NewReader(content)) // whatever is in it, it is read or said to be wrong
	})
}
