package media

import (
	"bytes"
	"mime/multipart"
	"os"
	"path/filepath"
	"testing"
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
		if m := f.Show("tea/green", c.name); m.URL != c.url || m.Type != c.kind {
			t.Errorf("%s is %+v, want %s as %s", c.name, m, c.url, c.kind)
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
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		part, err := w.CreateFormFile("file", name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(content)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		form, err := multipart.NewReader(&b, w.Boundary()).NextPart()
		if err != nil {
			t.Fatal(err)
		}
		return f.Keep(root, "tea", form)
	}
	one, err := keep(`C:\pictures\cup.PNG`, "png")
	two, again := keep("other.png", "png")
	if err != nil || again != nil || one.Name != "cup.PNG" || one.Media != two.Media || one.Item().Media != one.Media {
		t.Errorf("kept as %+v and %+v, %v, %v", one, two, err, again)
	}
	if data, err := f.Read("tea", one.Media); string(data) != "png" || err != nil {
		t.Errorf("found %q, %v", data, err)
	}
	if text, err := keep("poem.txt", "words"); err != nil || text.Item().Text != "words" || text.Item().Media != "" {
		t.Errorf("a text is %+v, %v", text, err)
	}
	for name, content := range map[string]string{"a.exe": "x", "long.txt": string(make([]byte, MaxText+1)), "bad.txt": "\xff"} {
		if _, err := keep(name, content); err == nil {
			t.Errorf("%s was kept", name)
		}
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
