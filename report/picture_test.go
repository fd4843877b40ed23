package report

import (
	"bytes"
	"encoding/base64"
	"errors"
	"html"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// photo is a PNG of that size, see-through in one corner if holed.
func photo(t *testing.T, width, height int, holed bool) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.NRGBA{uint8(x * 7), uint8(y * 5), uint8(x * y), 255})
		}
	}
	if holed {
		m.Set(0, 0, color.NRGBA{})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPicture: files become small pictures of the same shape, drawings stay, and each is in the page once; what is none leaves the name.
func TestPicture(t *testing.T) {
	list := space.Space{Items: []space.Item{{ID: "a", Media: "a.png"}, {ID: "b"}}}
	s := played(t, prefer.Config{Space: list}, 0, nil)
	if _, err := s.Observe(t.Context(), prefer.Duel{First: space.ItemOption("a"), Second: space.ItemOption("b"), Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`<symbol id="pic1" viewBox="([^"]*)"><image [^>]*href="data:([^;]*);base64,([^"]*)"`)
	for name, c := range map[string]struct {
		data      []byte
		err       error
		box, kind string
		width     int
	}{
		"small":       {photo(t, 30, 20, false), nil, "0 0 30 20", "image/png", 30},
		"large":       {photo(t, 800, 400, false), nil, "0 0 800 400", "image/jpeg", 320},
		"see-through": {photo(t, 400, 800, true), nil, "0 0 400 800", "image/png", 160},
		"drawing":     {[]byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"/>`), nil, "0 0 100 50", "image/svg+xml", 0},
		"text":        {[]byte("<script>"), nil, "", "", 0}, "torn": {photo(t, 400, 400, false)[:99], nil, "", "", 0}, "missing": {nil, errors.New("gone"), "", "", 0},
	} {
		page := written(t, s, Options{Media: func(file string) ([]byte, error) {
			if file != "a.png" {
				t.Errorf("it wants %q", file)
			}
			return c.data, c.err
		}})
		checkPage(t, page)
		m := address.FindStringSubmatch(html.UnescapeString(page))
		if m == nil {
			if c.kind != "" || !strings.Contains(page, `<p class="big">a</p>`) {
				t.Errorf("%s: no picture, or no name in its place", name)
			}
			if said := strings.Contains(page, "the file a.png was not found"); said != (c.err != nil) {
				t.Errorf("%s: the page says %v that a file is missing", name, said)
			}
			continue
		}
		if m[1] != c.box || m[2] != c.kind || strings.Count(page, "<symbol") != 1 || strings.Count(page, `<use href="#pic1"/>`) < 3 {
			t.Errorf("%s: %s of %s in %d places, want %s of %s", name, m[2], m[1], strings.Count(page, "<use"), c.kind, c.box)
		}
		data, err := base64.StdEncoding.DecodeString(m[3])
		if err != nil {
			t.Fatal(err)
		}
		if head, _, err := image.DecodeConfig(bytes.NewReader(data)); c.width > 0 && (err != nil || head.Width != c.width) {
			t.Errorf("%s: %d pixels wide, %v, want %d", name, head.Width, err, c.width)
		}
	}
}

// TestAlbum: a page has room for so many bytes of pictures; what a template draws comes before a file.
func TestAlbum(t *testing.T) {
	w := presenter{items: map[string]space.Item{"a": {ID: "a", Media: "a.png"}}, draw: func(o space.Option) string { return "<svg>" + o.Item() + "</svg>" }, album: &album{by: map[string]int{}}}
	if got := string(w.picture(space.ItemOption("a"))); !strings.Contains(got, `href="#pic1"`) || !strings.Contains(string(w.album.shots[0].Address), "image/svg") {
		t.Errorf("%s, %+v", got, w.album)
	}
	w.album.size = maxAlbum
	if got := w.picture(space.ItemOption("b")); got != "" {
		t.Errorf("beyond the room there is %s", got)
	}
	if got := w.picture(space.ItemOption("a")); got == "" {
		t.Error("what is there already is not shown again")
	}
}
