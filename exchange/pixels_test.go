package exchange

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestAddPixels: pictures get the features of their pixels, what is none and what is described already stays as it is.
func TestAddPixels(t *testing.T) {
	dir := folder(t, map[string]string{"torn.png": "no picture", "film.mp4": "", "words.txt": "w"})
	for name, c := range map[string]color.Gray{"black.png": {0}, "white.png": {255}} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		m := image.NewGray(image.Rect(0, 0, 4, 4))
		for i := range m.Pix {
			m.Pix[i] = c.Y
		}
		if err := png.Encode(f, m); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	own := space.Option{"mine": space.ValueOf(3)}
	items := []space.Item{{ID: "torn", Media: "torn.png"}, {ID: "b", Media: "black.png"}, {ID: "film", Media: "film.mp4"}, {ID: "w", Media: "white.png"},
		{ID: "known", Media: "white.png", Features: own}, {ID: "text", Text: "w"}, {ID: "lost", Media: "lost.png"}}
	if n, err := addPixels(t.Context(), dir, items); n != 2 || err != nil {
		t.Errorf("%d described, want 2: %v", n, err)
	}
	if b, w := items[1].Features["lightness"], items[3].Features["lightness"]; b.Float() != 0 || w.Float() != 1 || len(items[1].Features) != 10 {
		t.Errorf("black is %v, white %v", items[1].Features, items[3].Features)
	}
	for _, i := range []int{0, 2, 5, 6} {
		if items[i].Features != nil {
			t.Errorf("%s has %v", items[i].ID, items[i].Features)
		}
	}
	if len(items[4].Features) != 1 || !pictured(items[:4]) || pictured(items[4:]) || pictured(items[:1]) {
		t.Errorf("what was described is %v", items[4].Features)
	}
	if err := (prefer.Config{Space: space.Space{Items: items[:4], Own: true}}).Validate(); err != nil {
		t.Error(err)
	}
}
