package media

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestURL: what a page loads a file from, and as what it is taken.
func TestURL(t *testing.T) {
	f := &Files{Prefix: "/taste"}
	for _, c := range []struct{ name, url, kind string }{
		{"a b.png", "/taste/m/tea%2Fgreen/a%20b.png", "image"},
		{"sub/c.MP3", "/taste/m/tea%2Fgreen/sub/c.MP3", "audio"},
		{"https://example.org/x.webm?y=1", "https://example.org/x.webm?y=1", "video"},
		{"notes.md", "/taste/m/tea%2Fgreen/notes.md", "text"},
		{"program.exe", "/taste/m/tea%2Fgreen/program.exe", "other"},
		{"page.html", "/taste/m/tea%2Fgreen/page.html", "other"},
	} {
		if at, kind := f.Of("tea/green", space.Item{Media: c.name}), Type(c.name); at != c.url || kind != c.kind {
			t.Errorf("%s is %s as %s, want %s as %s", c.name, at, kind, c.url, c.kind)
		}
	}
}

// pixel is a whole picture: GIF, one by one.
const pixel = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

// TestName: a file is called by its path within a folder, and by nothing of where that was.
func TestName(t *testing.T) {
	for said, want := range map[string]string{"1.png": "1.png", "a/1.png": "a/1.png", `a\\1.png`: "a/1.png", `C:\\pictures\\cup.PNG`: "cup.PNG", "/home/ann/x.png": "x.png", "../../x.png": "x.png", "a/../../b/x.png": "b/x.png", "": ""} {
		if got := Name(`form-data; name="file"; filename="` + said + `"`); got != want {
			t.Errorf("%s is called %q, want %q", said, got, want)
		}
	}
}

// TestKeep: a file is kept under its content and found again, in its own study alone; what is none of the media, or too
// long a text, is not kept, and a name leads nowhere else.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	f := &Files{Uploads: filepath.Join(dir, "up"), Folders: map[string]string{"mine": dir}}
	if err := f.Remove("tea"); err != nil {
		t.Errorf("before the first upload: %v", err)
	}
	root, err := f.Root("tea")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	keep := func(name, content string) (Upload, error) {
		return f.Keep(root, "tea", name, strings.NewReader(content))
	}
	one, err := keep("sub/cup.PNG", pixel)
	two, again := keep("other.png", pixel)
	if err != nil || again != nil || one.Item().ID != "sub/cup.PNG" || one.Media != two.Media || one.Item().Media != one.Media {
		t.Errorf("kept as %+v and %+v, %v, %v", one, two, err, again)
	}
	if data, err := f.Read("tea", one.Media); string(data) != pixel || err != nil {
		t.Errorf("found %q, %v", data, err)
	}
	if text, err := keep("poem.txt", "words"); err != nil || text.Item().Text != "words" || text.Item().Media != "" {
		t.Errorf("a text is %+v, %v", text, err)
	}
	for name, content := range map[string]string{"a.exe": "x", "long.txt": string(make([]byte, MaxText+1)), "bad.txt": "\xff", "broken.png": "x", "empty.mp4": ""} {
		if _, err := keep(name, content); !errors.As(err, &Unreadable{}) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if kept, err := os.ReadDir(f.folder("tea")); len(kept) != 2 || err != nil {
		t.Errorf("kept are %v, want a picture and a text, %v", kept, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.png"), []byte("own"), 0o644); err != nil {
		t.Fatal(err)
	}
	if data, err := f.Read("mine", "mine.png"); string(data) != "own" || err != nil {
		t.Errorf("of the study's folder %q, %v", data, err)
	}
	for _, c := range []struct{ study, name string }{{"coffee", one.Media}, {"mine", "../mine.png"}, {"tea", "../../mine.png"}, {"mine", one.Media}} {
		if _, err := f.Read(c.study, c.name); err == nil {
			t.Errorf("%s is found in %s", c.name, c.study)
		}
	}
	if file, err := f.Open("mine", "mine.png", false); err == nil {
		file.Close()
		t.Error("what no item has is served from the study's folder")
	}
	if err := f.Remove("tea"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read("tea", one.Media); err == nil {
		t.Error("after removal it is still there")
	}
}
