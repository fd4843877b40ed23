package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/live"
)

// bring sends fields and files, as name and content, as the page does: names of files are paths.
func (h *testServer) bring(to string, fields map[string]string, files ...string) (int, string) {
	h.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for name, value := range fields {
		_ = form.WriteField(name, value)
	}
	for i := 0; i < len(files); i += 2 {
		part, err := form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename="%s"`, files[i])}})
		if err != nil {
			h.t.Fatal(err)
		}
		_, _ = part.Write([]byte(files[i+1]))
	}
	_ = form.Close()
	status, _, text := h.do("POST", to, b.String(), "Content-Type", form.FormDataContentType())
	return status, string(text)
}

// items returns the ids of a study's items.
func (h *testServer) items(study string) (ids []string) {
	h.t.Helper()
	s, err := h.store.Study(h.t.Context(), study)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, it := range s.Items(false) {
		ids = append(ids, it.ID)
	}
	return ids
}

// TestUploads: a folder becomes a study of its name, with paths as ids; what cannot be read and what is no medium is told and not asked about; a
// table becomes items with features; too little makes no study and leaves no files.
func TestUploads(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Media = t.TempDir() })
	status, text := h.bring("/start/files", map[string]string{"name": "my renders", "prompt": " Which? "}, "b/1.png", pixel, "a/1.png", pixel+"2", "broken.png", "x", "a/empty.jpg", "",
		"Thumbs.db", "x", ".DS_Store", "x", "results.csv", "a,b\n1\n")
	if status != 200 || !strings.Contains(text, `"my-renders"`) {
		t.Fatalf("%d %s", status, text)
	}
	if got := h.items("my-renders"); !slices.Equal(got, []string{"a/1.png", "b/1.png"}) {
		t.Errorf("items %q", got)
	}
	files, err := h.server.studies.Files(t.Context(), "my-renders")
	if want := (live.Files{Unreadable: []live.Unreadable{{Name: "broken.png", Why: "it is not a picture, whatever its name says"}, {Name: "a/empty.jpg", Why: "it is empty"}}, Ignored: []string{"Thumbs.db", "results.csv"}}); err != nil || fmt.Sprint(files) != fmt.Sprint(want) {
		t.Errorf("told of files %+v, %v, want %+v", files, err, want)
	}
	h.says("/s/my-renders/sheet", []string{"2 pictures", `value="Which?"`, "2 files cannot be read", "broken.png", "it is empty", "2 files ignored", "Thumbs.db"}, []string{"DS_Store"})
	for _, c := range []struct {
		files []string
		name  string
	}{
		{[]string{"list.csv", "id,text,sweet\na,Apple,3\nb,Bread,1\n"}, "list"},
		{[]string{"a.png", pixel, "b.png", pixel, "features.csv", "id,hue\na.png,1\nb.png,2\n"}, "pictures"},
		{[]string{"a.md", "# A", "b.md", "*b*"}, "texts"},
		{[]string{"a.png", pixel, "b.mp3", "ID3\x03"}, "items"},
		{[]string{"1.png", pixel, "1.png", pixel + "2"}, "pictures-2"},
	} {
		if status, text := h.bring("/start/files", nil, c.files...); status != 200 || !strings.Contains(text, `"`+c.name+`"`) {
			t.Errorf("%q: %d %s, want %s", c.files, status, text, c.name)
		}
	}
	if _, _, text := h.do("GET", "/s/texts/text?item=a.md", ""); string(text) != "<h1>A</h1>\n" {
		t.Errorf("the text of a.md is %q", text)
	}
	kept, _ := os.ReadDir(h.server.cfg.Media)
	for _, c := range [][]string{{"only.png", pixel}, {"a.png", pixel, "b.png", "broken"}, {"list.csv", "id\na\na\n"}, {"list.csv", "id,hue\na\n"}, {"a.png", pixel, "b.png", pixel, "features.csv", "id,hue\na.png,1\n"}, {}} {
		if status, text := h.bring("/start/files", nil, c...); status != 422 {
			t.Errorf("%q: %d %s", c, status, text)
		}
	}
	if now, _ := os.ReadDir(h.server.cfg.Media); len(now) != len(kept) {
		t.Errorf("%d folders of uploads are left of what made no study: %v", len(now)-len(kept), now)
	}
}

// TestSheetAdd: further files join; what is there already and what cannot be read is told, and a file that can be read now is no longer told of.
func TestSheetAdd(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Media = t.TempDir() })
	h.bring("/start/files", nil, "a.png", pixel, "b.png", pixel+"2", "b2.png", pixel+"2", "c.png", "half")
	status, text := h.bring("/s/pictures/files", nil, "c.png", pixel+"3", "a.png", pixel, "d.png", "broken", "e.exe", "x", "a copy.png", pixel)
	var added struct {
		Added      int
		Unreadable []live.Unreadable
		There      []string
	}
	if err := json.Unmarshal([]byte(text), &added); status != 200 || err != nil || added.Added != 1 || len(added.Unreadable) != 1 || !slices.Equal(added.There, []string{"a.png"}) {
		t.Errorf("%d %s", status, text)
	}
	if got := h.items("pictures"); !slices.Equal(got, []string{"a.png", "b.png", "c.png"}) {
		t.Errorf("items %q", got)
	}
	h.says("/s/pictures/sheet", []string{"3 pictures", "1 file cannot be read", "<code>d.png</code>", "1 file ignored", "2 files are copies of others", "<code>a copy.png</code>", "<code>b.png</code>"}, []string{"<code>c.png</code>"})
}

// TestSheetDescribe: the description of a picture reaches raters who are asked about it, and can be removed.
func TestSheetDescribe(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Media = t.TempDir() })
	h.bring("/start/files", nil, "a.png", pixel, "b.png", pixel+"2")
	told := func() (out map[string]string) {
		var q Question
		h.want(200, "POST", "/v1/studies/pictures/ask", "", &q)
		out = map[string]string{}
		for _, o := range q.Options {
			out[o.Item.ID] = o.Item.Text
		}
		return out
	}
	h.want(200, "POST", "/s/pictures/describe", `{"item":"a.png","text":" a <b>red</b> cup "}`, nil)
	if got := told(); got["a.png"] != "a <b>red</b> cup" || got["b.png"] != "" {
		t.Errorf("told %q", got)
	}
	h.says("/s/pictures/sheet", []string{`alt="a <b>red</b> cup"`}, nil)
	h.want(200, "POST", "/s/pictures/describe", `{"item":"a.png","text":""}`, nil)
	if got := told(); got["a.png"] != "" {
		t.Errorf("told %q", got)
	}
	h.refused(404, "no_item", "", "POST", "/s/pictures/describe", `{"item":"c.png","text":"x"}`)
	h.refused(422, "invalid", "body.text", "POST", "/s/pictures/describe", `{"item":"a.png","text":"`+strings.Repeat("x", live.MaxDescription+1)+`"}`)
}

// TestSheetLong: of a long list the sheet has the beginning, and the rest when it is asked for; it is honest about what will have been seen.
func TestSheetLong(t *testing.T) {
	h := newTestServer(t, nil)
	list := make([]string, 300)
	for i := range list {
		list[i] = fmt.Sprintf(`{"id":"i%03d","text":"thing %03d"}`, i, i)
	}
	h.want(201, "POST", "/v1/studies", `{"name":"long","budget":40,"items":[`+strings.Join(list, ",")+`]}`, nil)
	h.says("/s/long/sheet", []string{"300 texts", "thing 119", "180 left", "40 answers each: about 8 minutes", "at most 80 of the 300 texts"}, []string{"thing 120"})
	h.says("/s/long/sheet?from=240", []string{"thing 240", "thing 299"}, []string{"thing 239", "<main"})
	h.refused(422, "invalid", "", "GET", "/s/long/sheet?from=301", "")
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, "coffee", "tea", 1), nil)
	h.refused(404, "no_items", "", "GET", "/s/tea/sheet", "")
}

// TestOpenFolder: a visitor from outside sees the contact sheet of the folder until somebody has answered; files
// that cannot be read are told, and are no items.
func TestOpenFolder(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.png": pixel, "b.png": pixel + "2", "c.png": pixel, "sub/a.png": pixel + "3", "broken.png": "x", "notes.json": "{}"} {
		put(t, dir, name, content)
	}
	h := newTestServer(t, func(c *Config) { c.Folders = map[string]string{"renders": dir} })
	if status, _, _ := h.do("GET", "/", "", "Sec-Fetch-Site", "none"); status != 200 {
		t.Errorf("before there is a study: %d", status)
	}
	found, made, err := h.server.OpenFolder(t.Context(), "renders")
	if want := "3 pictures (a.png, b.png, sub/a.png), 2 files are the same picture (c.png = a.png), 1 cannot be read (broken.png: it is not a picture, whatever its name says), 1 file ignored (notes.json)"; err != nil || !made || found.String() != want {
		t.Errorf("%s, %v, %v, want %s", found, made, err, want)
	}
	if _, made, err := h.server.OpenFolder(t.Context(), "renders"); made || err != nil {
		t.Errorf("again: made %v, %v", made, err)
	}
	if _, _, err := h.server.OpenFolder(t.Context(), "other"); err == nil {
		t.Error("a folder that nobody named is opened")
	}
	if got := h.items("renders"); !slices.Equal(got, []string{"a.png", "b.png", "sub/a.png"}) {
		t.Errorf("items %q", got)
	}
	first := func(from string) string {
		_, _, text := h.do("GET", "/", "", "Sec-Fetch-Site", from) // redirects are followed
		switch {
		case strings.Contains(string(text), "3 pictures"):
			return "sheet"
		case strings.Contains(string(text), "Your studies"):
			return "start"
		}
		return string(text)
	}
	if none, same := first("none"), first("same-origin"); none != "sheet" || same != "start" {
		t.Errorf("from outside one sees %s, from within %s", none, same)
	}
	var q Question
	h.want(200, "POST", "/v1/studies/renders/ask", "", &q)
	h.want(200, "POST", "/v1/studies/renders/tell", `{"question_id":"`+q.ID+`","choice":"first"}`, nil)
	if none := first("none"); none != "start" {
		t.Errorf("after an answer one sees %s", none)
	}
}
