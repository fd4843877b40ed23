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
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/studies"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// TestOneFolder: init, serve and pack make the same study of a folder, whose pictures have no features.
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
	var out bytes.Buffer
	if err := (studies.Init{Path: filepath.Join(t.TempDir(), "i.db"), Items: dir}).Run(t.Context(), cli.Streams{Out: &out, Err: io.Discard, JSON: true}); err != nil {
		t.Fatal(err)
	}
	var made struct {
		Hash   string        `json:"config_sha256"`
		Config prefer.Config `json:"config"`
	}
	if err := json.Unmarshal(out.Bytes(), &made); err != nil {
		t.Fatal(err)
	}
	packed, _, err := Pack{What: dir}.file(t.Context(), cli.Streams{})
	if err != nil {
		t.Fatal(err)
	}
	st, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	srv, err := server.New(server.Config{Store: st, Folders: map[string]string{"renders": dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	if _, _, err := srv.OpenFolder(t.Context(), "renders"); err != nil {
		t.Fatal(err)
	}
	served := hash(st.Study(t.Context(), "renders"))
	if made.Hash != served {
		t.Errorf("init makes %s, serve %s", made.Hash, served)
	}
	if got := hash(prefer.New(t.Context(), packed.Config)); got != served {
		t.Errorf("pack makes %s, serve %s", got, served)
	}
	if got := made.Config.Space.Items[0].Features; len(got) > 0 {
		t.Errorf("a picture has %v", got)
	}
}
