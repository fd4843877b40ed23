package server

import (
	"bytes"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/media"
)

// pixel is a whole picture: GIF, one by one.
const pixel = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

// form packs files into a form, and returns it with its content type.
func form(t testing.TB, files ...string) (body, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		part, err := w.CreateFormFile("file", files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

const pictures = `{"name":"coffee","items":[{"id":"x","text":"one"},{"id":"y","media":"sub/y.png"},{"id":"z","media":"https://example.org/z.mp3"}]}`

func TestMedia(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sub/y.png", "secret.png", "features.csv"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("png of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h := newTestServer(t, func(c *Config) {
		withOwner(c)
		c.Media, c.Folders = filepath.Join(t.TempDir(), "media"), map[string]string{"coffee": folder}
	})
	h.want(201, "POST", "/v1/studies", pictures, nil)
	ann := h.invite("coffee", "ann")
	status, head, text := ann.do("GET", "/m/coffee/sub/y.png", "")
	if status != 200 || string(text) != "png of sub/y.png" || head.Get("Content-Type") != "image/png" || !strings.Contains(head.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%d %v %s", status, head, text)
	}
	for _, name := range []string{"secret.png", "features.csv", "none.png", "sub", "..%2fcoffee.db", "%2e%2e/x.png"} {
		if status, _, text := ann.do("GET", "/m/coffee/"+name, ""); status != 404 {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	body, kind := form(t, "cup.PNG", pixel, `..\..\b.txt`, "a text", "drawing.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	var joined struct {
		Items int `json:"items_count"`
		Added []string
	}
	h.want(201, "POST", "/v1/studies/coffee/items", body, &joined, "Content-Type", kind)
	if joined.Items != 6 || strings.Join(joined.Added, " ") != "cup.PNG b.txt drawing.svg" {
		t.Errorf("joined %+v", joined)
	}
	h.want(201, "POST", "/v1/studies/coffee/items", `{"items":[{"id":"w","text":"four"}]}`, &joined)
	body, kind = form(t, "other.jpg", pixel+" of no item")
	var up struct{ Files []media.Upload }
	h.want(201, "POST", "/v1/media?study=coffee", body, &up, "Content-Type", kind)
	if len(up.Files) != 1 || up.Files[0].Type != "image" {
		t.Fatalf("uploaded %+v", up)
	}
	if status, _, text := h.do("GET", up.Files[0].URL, ""); status != 200 || string(text) != pixel+" of no item" {
		t.Errorf("%d %s", status, text)
	}
	ann.refused(404, "no_media", "", "GET", up.Files[0].URL, "")
	// Every option can be looked at by the rater.
	seen := map[string]bool{}
	for range 30 {
		var q Question
		ann.want(200, "POST", "/v1/studies/coffee/ask", "", &q)
		for _, o := range q.Options {
			seen[o.Item.ID] = true
			switch {
			case o.Item.ID == "z":
				if o.Media == nil || o.Media.URL != "https://example.org/z.mp3" || o.Media.Type != "audio" {
					t.Errorf("shown %+v", o)
				}
			case o.Media != nil:
				if status, _, text := ann.do("GET", o.Media.URL, ""); status != 200 || len(text) == 0 || o.Media.Type != "image" {
					t.Errorf("%+v: %d", o.Media, status)
				}
			case o.Item.Text == "":
				t.Errorf("nothing to show of %+v", o)
			}
		}
		ann.want(200, "POST", "/v1/studies/coffee/tell", `{"question_id":"`+q.ID+`","choice":"first"}`, nil)
	}
	if len(seen) < 5 {
		t.Errorf("only %v were shown", seen)
	}
	var b belief
	h.want(200, "GET", "/v1/studies/coffee/belief", "", &b)
	if len(b.Ranking) != 7 {
		t.Errorf("ranked %+v", b.Ranking)
	}
	h.refused(422, "list", "", "GET", "/v1/studies/coffee/map?x=a&y=b", "")
	h.want(204, "DELETE", "/v1/studies/coffee", "", nil)
	if left, err := os.ReadDir(h.server.cfg.Media); err != nil || len(left) != 0 {
		t.Errorf("of a deleted study %v is left, %v", left, err)
	}
}

func TestMediaRefused(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Media = filepath.Join(t.TempDir(), "media") })
	h.want(201, "POST", "/v1/studies", pictures, nil)
	body, kind := form(t, "program.exe", "MZ")
	h.refused(422, "invalid", "body", "POST", "/v1/studies/coffee/items", body, "Content-Type", kind)
	body, kind = form(t, "bad.txt", "\xff")
	h.refused(422, "invalid", "body", "POST", "/v1/studies/coffee/items", body, "Content-Type", kind)
	body, kind = form(t, "cup.png", pixel, "broken.png", "x")
	h.refused(422, "invalid", "body", "POST", "/v1/studies/coffee/items", body, "Content-Type", kind)
	body, kind = form(t)
	h.refused(422, "invalid", "body", "POST", "/v1/studies/coffee/items", body, "Content-Type", kind)
	h.refused(422, "invalid", "body", "POST", "/v1/studies/coffee/items", "--x", "Content-Type", "multipart/form-data; boundary=x")
	h.refused(415, "content_type", "", "POST", "/v1/studies/coffee/items", "--x", "Content-Type", "multipart/form-data")
	h.refused(422, "option", "body.items", "POST", "/v1/studies/coffee/items", `{"items":[]}`)
	h.refused(422, "option", "body.items", "POST", "/v1/studies/coffee/items", `{"items":[{"id":"x"}]}`)
	h.refused(422, "invalid", "body.colour", "POST", "/v1/studies/coffee/items", `{"colour":1}`)
	body, kind = form(t, "x.png", pixel)
	h.refused(404, "no_study", "", "POST", "/v1/media?study=none", body, "Content-Type", kind)
	h.refused(422, "invalid", "query.study", "POST", "/v1/media", body, "Content-Type", kind)
	none := newTestServer(t, nil)
	none.want(201, "POST", "/v1/studies", pictures, nil)
	none.refused(422, "no_media", "", "POST", "/v1/media?study=coffee", body, "Content-Type", kind)
}
