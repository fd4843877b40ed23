package main

import (
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/store"
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
		made, err := initCommand{Items: dir, Pixels: pixels}.draft(t.Context(), nil, prefer.Config{})
		if err != nil {
			t.Fatal(err)
		}
		packed, _, err := packCommand{What: dir, Pixels: pixels}.file(t.Context(), streams{})
		if err != nil {
			t.Fatal(err)
		}
		st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), store.Options{})
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
		if got := hash(prefer.New(t.Context(), made.config)); got != served {
			t.Errorf("pixels %v: init makes %s, serve %s", pixels, got, served)
		}
		if got := hash(prefer.New(t.Context(), packed.Config)); got != served {
			t.Errorf("pixels %v: pack makes %s, serve %s", pixels, got, served)
		}
		if described := len(made.config.Space.Items[0].Features) > 0; described != pixels {
			t.Errorf("pixels %v: the pictures are described: %v", pixels, described)
		}
	}
	for _, command := range []reflect.Type{reflect.TypeFor[initCommand](), reflect.TypeFor[serveCommand](), reflect.TypeFor[packCommand]()} {
		if f, ok := command.FieldByName("Pixels"); !ok || f.Tag.Get("default") != "" {
			t.Errorf("%v describes pictures by their pixels without being asked", command)
		}
	}
}

// TestSchemaSettings: the schema that init prints knows every setting that a study file may have.
func TestSchemaSettings(t *testing.T) {
	type part struct {
		Properties map[string]part `json:"properties"`
	}
	var doc part
	if err := json.Unmarshal([]byte(exchange.StudySchema()), &doc); err != nil {
		t.Fatal(err)
	}
	check := func(where string, of reflect.Type, known map[string]part) {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if _, ok := known[name]; name != "" && !ok {
				t.Errorf("the schema has no %s%s", where, name)
			}
		}
	}
	check("", reflect.TypeFor[live.Settings](), doc.Properties)
	check("checks.", reflect.TypeFor[live.Checks](), doc.Properties["checks"].Properties)
	check("sitting.", reflect.TypeFor[live.Sitting](), doc.Properties["sitting"].Properties)
}
