package server

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/space"
)

// put writes a file of a folder.
func put(t testing.TB, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFolderFollows: files that are added join the study, once they are whole; what is removed leaves it, and comes back; a changed file is a new
// item, under another id, and the old one shows the new content to nobody; what is not of the folder stays. After a restart it goes on.
func TestFolderFollows(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		put(t, dir, name, pixel+name)
	}
	h := newTestServer(t, func(c *Config) { c.Folders = map[string]string{"renders": dir} })
	if _, _, err := h.server.OpenFolder(t.Context(), "renders"); err != nil {
		t.Fatal(err)
	}
	h.server.unwatch() // by hand, so that no clock decides
	h.server.watches.Wait()
	h.want(201, "POST", "/v1/studies/renders/items", `{"items":[{"id":"from elsewhere","text":"x"}]}`, nil)
	last, err := stampsOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := &folderWatch{server: h.server, study: "renders", dir: dir, last: last} // which has read nothing yet
	look := func(step string, want ...string) {
		t.Helper()
		w.look(t.Context())
		if got := slices.Sorted(slices.Values(h.items("renders"))); !slices.Equal(got, want) {
			t.Fatalf("%s: items %q, want %q", step, got, want)
		}
	}
	media := map[string]string{} // address by id
	shown := func() {
		study, err := h.store.Study(t.Context(), "renders")
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range study.Items(true) {
			media[it.ID] = h.server.files.Of("renders", it)
		}
	}
	look("nothing", "a.png", "b.png", "c.png", "from elsewhere")
	put(t, dir, "sub/d.png", pixel[:5])
	look("half a file", "a.png", "b.png", "c.png", "from elsewhere")
	put(t, dir, "sub/d.png", pixel+"d")
	look("it still changes", "a.png", "b.png", "c.png", "from elsewhere")
	look("it is whole", "a.png", "b.png", "c.png", "from elsewhere", "sub/d.png")
	put(t, dir, "a.png", pixel+"another")
	if err := os.Remove(filepath.Join(dir, "b.png")); err != nil {
		t.Fatal(err)
	}
	look("a removed file may be on its way", "a.png", "b.png", "c.png", "from elsewhere", "sub/d.png")
	look("changed and removed", "a.png (2)", "c.png", "from elsewhere", "sub/d.png")
	shown()
	if status, _, text := h.do("GET", media["a.png"], ""); status != 404 || !strings.Contains(string(text), "media_changed") {
		t.Errorf("what a.png was: %d %s", status, text)
	}
	if status, _, text := h.do("GET", media["a.png (2)"], ""); status != 200 || string(text) != pixel+"another" {
		t.Errorf("what a.png is: %d %q", status, text)
	}
	h.says("/s/renders/sheet", []string{"4 items", "sub/d.png is new, and joined", "a.png has changed: what it is now is a new item, a.png (2)", "b.png is gone"}, nil)
	put(t, dir, "b.png", pixel+"b.png")
	put(t, dir, "c.png", "broken now")
	look("", "a.png (2)", "c.png", "from elsewhere", "sub/d.png")
	look("back, and broken", "a.png (2)", "b.png", "from elsewhere", "sub/d.png")
	h.says("/s/renders/sheet", []string{"<code>c.png</code>", "b.png is back", "c.png is gone"}, nil)
	for name := range maps.Keys(w.last) { // touched, and not changed
		if err := os.Chtimes(filepath.Join(dir, name), w.last[name].time.Add(1e9), w.last[name].time.Add(1e9)); err != nil {
			t.Fatal(err)
		}
	}
	look("touched", "a.png (2)", "b.png", "from elsewhere", "sub/d.png")
	look("touched", "a.png (2)", "b.png", "from elsewhere", "sub/d.png")
	away := dir + " elsewhere"
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	look("no folder", "a.png (2)", "b.png", "from elsewhere", "sub/d.png")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	look("an empty one", "a.png (2)", "b.png", "from elsewhere", "sub/d.png")
	look("an empty one", "a.png (2)", "b.png", "from elsewhere", "sub/d.png")
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "e.png", pixel+"e")
	if err := os.Remove(filepath.Join(dir, "sub/d.png")); err != nil {
		t.Fatal(err)
	}
	if _, made, err := h.server.OpenFolder(t.Context(), "renders"); made || err != nil { // as after a restart
		t.Fatalf("made %v, %v", made, err)
	}
	look("after a restart", "a.png (2)", "b.png", "e.png", "from elsewhere")
}

// TestFolderDescribed: a study whose pictures have features and something of their own takes in a new picture without features.
func TestFolderDescribed(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "red.png", string(stripes(0, 2)))
	put(t, dir, "blue.png", string(stripes(240, 9)))
	found, err := exchange.ReadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range found.Items {
		found.Items[i].Features = space.Option{"redness": space.ValueOf(float64(i))}
	}
	h := newTestServer(t, func(c *Config) { c.Folders = map[string]string{"renders": dir} })
	if err := h.server.Create(t.Context(), "renders", prefer.Config{Space: space.Space{Items: found.Items, Own: true}}, Settings{}); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "green.png", string(stripes(120, 5)))
	if _, made, err := h.server.OpenFolder(t.Context(), "renders"); made || err != nil {
		t.Fatal(made, err)
	}
	study, err := h.store.Study(t.Context(), "renders")
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, it := range study.Items(false) {
		described[it.ID] = len(it.Features) == 1
	}
	if want := map[string]bool{"red.png": true, "blue.png": true, "green.png": false}; !maps.Equal(described, want) {
		t.Errorf("described %v, want %v", described, want)
	}
}
