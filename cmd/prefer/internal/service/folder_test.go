package service

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/studies"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// TestOneFolder: init, serve and pack make the same study of a folder, by names unless pixels are asked for.
func TestOneFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "renders")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a.png", "b.png", "c.png"} {
		m := image.NewGray(image.Rect(0, 0, 8, 8))
		m.SetGray(i, 0, color.Gray{Y: 200})
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, m); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	hash := func(study *prefer.Study, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		sum, err := study.Events(0)[0].Created.Config.Hash()
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	for _, pixels := range []bool{false, true} {
		var out bytes.Buffer
		if err := (studies.Init{Path: filepath.Join(t.TempDir(), "i.db"), Items: dir, Pixels: pixels}).Run(t.Context(), cli.Streams{Out: &out, Err: io.Discard, JSON: true}); err != nil {
			t.Fatal(err)
		}
		var made struct {
			Hash   string        `json:"config_sha256"`
			Config prefer.Config `json:"config"`
		}
		if err := json.Unmarshal(out.Bytes(), &made); err != nil {
			t.Fatal(err)
		}
		packed, _, err := Pack{What: dir, Pixels: pixels}.file(t.Context(), cli.Streams{})
		if err != nil {
			t.Fatal(err)
		}
		st, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		srv, err := server.New(server.Config{Store: st, Folders: map[string]string{"renders": dir}, Pixels: pixels})
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close(t.Context())
		if _, _, err := srv.OpenFolder(t.Context(), "renders"); err != nil {
			t.Fatal(err)
		}
		served := hash(st.Study(t.Context(), "renders"))
		if made.Hash != served {
			t.Errorf("pixels %v: init makes %s, serve %s", pixels, made.Hash, served)
		}
		if got := hash(prefer.New(t.Context(), packed.Config)); got != served {
			t.Errorf("pixels %v: pack makes %s, serve %s", pixels, got, served)
		}
		if described := len(made.Config.Space.Items[0].Features) > 0; described != pixels {
			t.Errorf("pixels %v: the pictures are described: %v", pixels, described)
		}
	}
	for _, command := range []reflect.Type{reflect.TypeFor[studies.Init](), reflect.TypeFor[Serve](), reflect.TypeFor[Pack]()} {
		if f, ok := command.FieldByName("Pixels"); !ok || f.Tag.Get("default") != "" {
			t.Errorf("%v describes pictures by their pixels without being asked", command)
		}
	}
}
