package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/server/page"
	"github.com/prefer-bo/prefer/store"
)

func (s *Server) pageStart(w http.ResponseWriter, r *http.Request) error {
	demos, err := page.Demos()
	if err != nil {
		return err
	}
	studies, err := s.cfg.Store.List(r.Context())
	if err != nil {
		return err
	}
	view := page.Start{Frame: page.Frame{Root: s.cfg.Prefix, Title: "prefer", Owner: true}, Demos: demos, Uploads: s.cfg.Media != ""}
	slices.SortFunc(studies, func(a, b store.Info) int { return b.Changed.Compare(a.Changed) })
	for _, i := range studies {
		view.Studies = append(view.Studies, page.StudyLine{Name: i.Name, Answers: i.Answers, Changed: i.Changed})
	}
	return s.write(w, http.StatusOK, "", view)
}

// pageSample draws an option of a demonstration, for the start page.
func (s *Server) pageSample(w http.ResponseWriter, r *http.Request) {
	d, err := demo(r.PathValue("demo"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	w.Header().Set("Cache-Control", "private, max-age=3600")
	_, _ = io.WriteString(w, d.Sample) // the browser may be gone
}

func demo(name string) (page.Demo, error) {
	demos, err := page.Demos()
	if err != nil {
		return page.Demo{}, err
	}
	at := slices.IndexFunc(demos, func(d page.Demo) bool { return d.Name == name })
	if at < 0 {
		return page.Demo{}, refuse(http.StatusNotFound, "no_demo", fmt.Sprintf("there is no demonstration %.40q", name))
	}
	return demos[at], nil
}

func (s *Server) startDemo(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Name string `json:"name"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	d, err := demo(body.Name)
	if err != nil {
		return err
	}
	name, err := s.createFree(r.Context(), d.Name, d.Config, Settings{ShowResult: true, Page: d.Settings})
	if err != nil {
		return err
	}
	return s.reply(w, map[string]string{"name": name})
}

// maxNames is how many studies of one name the start page makes before it wants another name.
const maxNames = 1000

// createFree makes a study under the name, or the name with the first free number.
func (s *Server) createFree(ctx context.Context, name string, cfg prefer.Config, settings Settings) (string, error) {
	for n := 1; n <= maxNames; n++ {
		free := name
		if n > 1 {
			free = fmt.Sprintf("%s-%d", name, n)
		}
		err := s.Create(ctx, free, cfg, settings)
		if errors.Is(err, store.ErrExists) {
			continue
		}
		return free, err
	}
	return "", fmt.Errorf("server: there are %d studies called %q already: %w", maxNames, name, store.ErrExists)
}

// startParams makes a study of the form on the start page.
func (s *Server) startParams(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Name   string             `json:"name"`
		Prompt string             `json:"prompt"`
		Params []prefer.Parameter `json:"params"`
		Page   page.Appearance    `json:"page"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	cfg := prefer.Config{Space: prefer.Box(body.Params...), Prompt: body.Prompt}
	if err := cfg.Validate(); err != nil {
		return s.explain(r.Context(), err, "body.params")
	}
	settings := Settings{ShowResult: true, Page: body.Page}
	if err := settings.validate(cfg); err != nil {
		return err
	}
	name, err := s.createFree(r.Context(), slug(body.Name), cfg, settings)
	if err != nil {
		return s.explain(r.Context(), err, "body.name")
	}
	return s.reply(w, map[string]string{"name": name})
}

// slug keeps of a name what an address can hold without escapes; spaces become dashes.
func slug(text string) string {
	out := strings.Map(func(c rune) rune {
		switch {
		case c == ' ' || c == '/' || c == '\\':
			return '-'
		case c < ' ' || strings.ContainsRune("?#%&\"'<>", c):
			return -1
		}
		return c
	}, strings.TrimSpace(text))
	return strings.Trim(out, "-.")
}

// startFiles makes a study of files: a table with one item per row, or media, each an item.
func (s *Server) startFiles(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	if err := r.ParseMultipartForm(maxPageBody); err != nil {
		return refuse(http.StatusRequestEntityTooLarge, "upload", fmt.Sprintf("the files could not be read; together they may have %d MB", maxUpload>>20))
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }() // temporary files
	files := r.MultipartForm.File["file"]
	cfg := prefer.Config{Prompt: r.FormValue("prompt")}
	settings := Settings{ShowResult: true}
	name := "things"
	if len(files) == 1 && strings.EqualFold(path.Ext(files[0].Filename), ".csv") {
		items, err := readTable(files[0])
		if err != nil {
			return invalid("file", files[0].Filename, strings.TrimPrefix(err.Error(), "exchange: "))
		}
		cfg.Space = prefer.List(items...)
		name = strings.TrimSuffix(path.Base(files[0].Filename), path.Ext(files[0].Filename))
		files = nil
	} else {
		files = slices.DeleteFunc(files, func(f *multipart.FileHeader) bool { return mediaType(f.Filename) == "other" })
		for _, f := range files {
			cfg.Space.Items = append(cfg.Space.Items, prefer.Item{ID: path.Base(f.Filename), Media: path.Base(f.Filename)})
		}
	}
	if len(cfg.Space.Items) < 2 {
		return invalid("file", len(cfg.Space.Items), "there must be at least two pictures, sounds, films or texts, or a table (CSV) with two rows")
	}
	if err := cfg.Validate(); err != nil {
		return s.explain(r.Context(), err, "file")
	}
	name, err := s.createFree(r.Context(), slug(name), cfg, settings)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := s.keepUpload(name, f); err != nil {
			return errors.Join(err, s.cfg.Store.Delete(context.WithoutCancel(r.Context()), name))
		}
	}
	return s.reply(w, map[string]string{"name": name})
}

func readTable(f *multipart.FileHeader) ([]prefer.Item, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return exchange.ReadItemsCSV(in)
}

// keepUpload keeps a file as media of a study.
func (s *Server) keepUpload(study string, f *multipart.FileHeader) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	folder := filepath.Join(s.cfg.Media, study)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(folder, path.Base(f.Filename)))
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func (s *Server) mediaText(study, media string) (string, error) {
	b, err := os.ReadFile(filepath.Join(s.cfg.Media, study, path.Base(media)))
	return string(b), err
}
