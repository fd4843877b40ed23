package exchange

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/space"
)

// pixel is a whole picture: GIF, one by one.
const pixel = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

// folder makes a folder of files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The sums of pixel, of a drawing and of a film: SHA-256 begins so.
const (
	sumOfPixel   = "6c63cc5063ac82d8"
	sumOfDrawing = "900fbe934249ad12"
	sumOfFilm    = "4f0049d5f748a652"
)

// TestReadFolder: of the files of a folder, items, copies of them, what cannot be read, with the reason, and what is ignored.
func TestReadFolder(t *testing.T) {
	dir := folder(t, map[string]string{"b.PNG": pixel, "a.jpeg": pixel, "sub/b.PNG": pixel, "sub.svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`, "z.txt": "\ufeffhello\n", "film.mp4": "\x00\x00\x00\x18ftypmp42",
		".hidden.png": pixel, ".git/d.png": pixel, "notes.json": "{}", "sub/Thumbs.db": "x", "broken.png": "none", "empty.png": "", "sub/long.md": "\xff"})
	outside := folder(t, map[string]string{"secret.png": pixel})
	for link, to := range map[string]string{"link.jpg": "a.jpeg", "loop": ".", "out.png": filepath.Join(outside, "secret.png"), "nowhere.png": "gone.png"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	want := Folder{
		Items: []space.Item{{ID: "a.jpeg", Media: "a.jpeg", Sum: sumOfPixel}, {ID: "film.mp4", Media: "film.mp4", Sum: sumOfFilm},
			{ID: "sub.svg", Media: "sub.svg", Sum: sumOfDrawing}, {ID: "z.txt", Text: "hello\n"}},
		Copies: []Copy{{"b.PNG", "a.jpeg"}, {"link.jpg", "a.jpeg"}, {"sub/b.PNG", "a.jpeg"}},
		Unreadable: []Unreadable{{"broken.png", "it is not a picture, whatever its name says"}, {"empty.png", "it is empty"}, {"nowhere.png", "it cannot be opened"},
			{"out.png", "it leads out of the folder"}, {"sub/long.md", "it is not UTF-8"}},
		Ignored: []string{"notes.json", "sub/Thumbs.db"},
	}
	got, err := ReadFolder(dir)
	if d := cmp.Diff(want, got, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	items, err := ReadItems(dir)
	if d := cmp.Diff(want.Items, items, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

// TestCopies: files of the same bytes are one item unless their features differ; long files that only begin and end alike are two. A study that lists a copy keeps
// it, and what it is a copy of does not join.
func TestCopies(t *testing.T) {
	long := "\x00\x00\x00\x18ftypmp42" + strings.Repeat("x", 3*wholeSum)
	dir := folder(t, map[string]string{"1.mp4": long, "2.mp4": long[:len(long)/2] + "y" + long[len(long)/2+1:], "3.mp4": long, "a.txt": "A", "b.txt": "A"})
	got, err := ReadFolder(dir)
	if d := cmp.Diff([]Copy{{"3.mp4", "1.mp4"}, {"b.txt", "a.txt"}}, got.Copies); err != nil || d != "" || len(got.Items) != 3 || got.Items[0].Sum != got.Items[1].Sum {
		t.Errorf("%v, %v\n%s", got, err, d)
	}
	ids := func(items []space.Item) string {
		out := ""
		for _, it := range items {
			out += it.ID + " "
		}
		return out
	}
	listed := []space.Item{{ID: "b.txt", Text: "A"}, {ID: "3.mp4", Media: "3.mp4", Sum: "other"}}
	if now := ids(got.ItemsBeside(listed)); now != "1.mp4 2.mp4 b.txt " {
		t.Errorf("beside b.txt and a changed 3.mp4: %s", now)
	}
	listed = append(listed, space.Item{ID: "a.txt", Text: "A"})
	if now := ids(got.ItemsBeside(listed)); now != "1.mp4 2.mp4 a.txt b.txt " {
		t.Errorf("beside both: %s", now)
	}
	dir = folder(t, map[string]string{"a.txt": "A", "b.txt": "A", "c.txt": "A", FeatureTable: "id,price\na.txt,1\nb.txt,2\nc.txt,1\n"})
	if got, err := ReadFolder(dir); err != nil || ids(got.Items) != "a.txt b.txt " || len(got.Copies) != 1 {
		t.Errorf("at two prices: %v, %v", got, err)
	}
}

func TestReadFolderFeatures(t *testing.T) {
	dir := folder(t, map[string]string{"a.png": pixel, "s/b.png": pixel, "broken.png": "", "features.csv": "hue,id\n0.5,s/b.png\n1,a.png\n3,broken.png\n"})
	want := []space.Item{
		{ID: "a.png", Media: "a.png", Sum: sumOfPixel, Features: map[string]space.Value{"hue": space.ValueOf(1)}},
		{ID: "s/b.png", Media: "s/b.png", Sum: sumOfPixel, Features: map[string]space.Value{"hue": space.ValueOf(0.5)}},
	}
	items, err := ReadItems(dir)
	if d := cmp.Diff(want, items, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

func TestReadFolderErrors(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		words []string
	}{
		"empty":         {nil, []string{"no items", ".png"}},
		"nothing known": {map[string]string{"a.exe": "", ".b.png": ""}, []string{"no items"}},
		"no row":        {map[string]string{"a.png": pixel, "b.png": pixel, "features.csv": "id,hue\na.png,1\n"}, []string{"features.csv", `"b.png"`}},
		"no file":       {map[string]string{"a.png": pixel, "features.csv": "id,hue\na.png,1\nb.png,2\n"}, []string{"features.csv", `"b.png"`}},
		"bad table":     {map[string]string{"a.png": pixel, "features.csv": "id,hue\na.png\n"}, []string{"features.csv", "line 2"}},
		"unreadable":    {map[string]string{"a.png": "x"}, []string{"no items", "a.png: it is not a picture"}},
	} {
		_, err := ReadItems(folder(t, c.files))
		wantError(t, name, err, c.words...)
	}
}

// TestReadFolderEscape: a link that leads out of the folder is not followed, whatever it is called.
func TestReadFolderEscape(t *testing.T) {
	outside := folder(t, map[string]string{"secret.png": pixel, "secret.csv": "id,hue\na.png,1\n"})
	dir := folder(t, map[string]string{"a.png": pixel})
	if err := os.Symlink(filepath.Join(outside, "secret.csv"), filepath.Join(dir, "features.csv")); err != nil {
		t.Fatal(err)
	}
	_, err := ReadItems(dir)
	wantError(t, "features.csv", err, "features.csv", "escapes")
}
