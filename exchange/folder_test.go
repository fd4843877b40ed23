package exchange

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
)

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

// sumOfNothing is how SHA-256 of an empty file begins.
const sumOfNothing = "e3b0c44298fc1c14"

func TestReadFolder(t *testing.T) {
	files := map[string]string{"b.PNG": "", "a.jpeg": "", "sub/c.mp3": "", "sub.svg": "", "z.txt": "\ufeffhello\n", ".hidden.png": "", ".git/d.png": "", "notes.json": ""}
	dir := folder(t, files)
	if err := os.Symlink("a.jpeg", filepath.Join(dir, "link.jpg")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	want := []prefer.Item{{ID: "a.jpeg", Media: "a.jpeg", Sum: sumOfNothing}, {ID: "b.PNG", Media: "b.PNG", Sum: sumOfNothing}, {ID: "link.jpg", Media: "link.jpg", Sum: sumOfNothing}, {ID: "sub.svg", Media: "sub.svg", Sum: sumOfNothing},
		{ID: "sub/c.mp3", Media: "sub/c.mp3", Sum: sumOfNothing}, {ID: "z.txt", Text: "hello\n"}}
	items, err := ReadItems(dir)
	if d := cmp.Diff(want, items, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

func TestReadFolderFeatures(t *testing.T) {
	dir := folder(t, map[string]string{"a.png": "", "s/b.png": "", "features.csv": "hue,id\n0.5,s/b.png\n1,a.png\n"})
	want := []prefer.Item{
		{ID: "a.png", Media: "a.png", Sum: sumOfNothing, Features: map[string]prefer.Value{"hue": prefer.ValueOf(1)}},
		{ID: "s/b.png", Media: "s/b.png", Sum: sumOfNothing, Features: map[string]prefer.Value{"hue": prefer.ValueOf(0.5)}},
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
		"no row":        {map[string]string{"a.png": "", "b.png": "", "features.csv": "id,hue\na.png,1\n"}, []string{"features.csv", `"b.png"`}},
		"no file":       {map[string]string{"a.png": "", "features.csv": "id,hue\na.png,1\nb.png,2\n"}, []string{"features.csv", `"b.png"`}},
		"bad table":     {map[string]string{"a.png": "", "features.csv": "id,hue\na.png\n"}, []string{"features.csv", "line 2"}},
		"long text":     {map[string]string{"a.txt": strings.Repeat("x", maxText+1)}, []string{`"a.txt"`, "64 KB"}},
		"no text":       {map[string]string{"a.md": "\xff"}, []string{`"a.md"`, "UTF-8"}},
	} {
		_, err := ReadItems(folder(t, c.files))
		wantError(t, name, err, c.words...)
	}
}

// TestReadFolderEscape: a link that leads out of the folder is refused, whatever it is called.
func TestReadFolderEscape(t *testing.T) {
	outside := folder(t, map[string]string{"secret.png": "", "secret.csv": "id,hue\na.png,1\n"})
	for link, to := range map[string]string{"b.png": "secret.png", "c.txt": "secret.png", "features.csv": "secret.csv"} {
		dir := folder(t, map[string]string{"a.png": ""})
		if err := os.Symlink(filepath.Join(outside, to), filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
		_, err := ReadItems(dir)
		wantError(t, link, err, link, "escapes")
	}
}
