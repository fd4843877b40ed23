package server

import (
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path"
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
	name, err := s.freeName(r.Context(), d.Name)
	if err != nil {
		return err
	}
	if err := s.Create(r.Context(), name, d.Config, Settings{ShowResult: true, Page: d.Settings}); err != nil {
		return err
	}
	return s.reply(w, map[string]string{"name": name})
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
	name, err := s.freeName(r.Context(), slug(body.Name))
	if err != nil {
		return err
	}
	if err := s.Create(r.Context(), name, cfg, settings); err != nil {
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

// startFiles makes a study of files: a table with one item per row, or media and texts, each an item.
func (s *Server) startFiles(w http.ResponseWriter, r *http.Request) error {
	if s.cfg.Media == "" {
		return refuse(http.StatusUnprocessableEntity, "no_media", "this server has no folder for uploads")
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	form, err := r.MultipartReader()
	if err != nil {
		return refuse(http.StatusUnsupportedMediaType, "content_type", "files are uploaded as multipart/form-data")
	}
	name, err := s.freeName(r.Context(), "things")
	if err != nil {
		return err
	}
	root, err := s.mediaRoot(name, true)
	if err != nil {
		return err
	}
	defer root.Close()
	cfg, settings := prefer.Config{}, Settings{ShowResult: true}
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return refuse(http.StatusRequestEntityTooLarge, "upload", fmt.Sprintf("the files could not be read; together they may have %d MB", maxUpload>>20))
		}
		if err := s.startFile(root, name, part, &cfg, &settings); err != nil {
			return err
		}
	}
	if len(cfg.Space.Items) < 2 {
		return invalid("file", len(cfg.Space.Items), "there must be at least two pictures, sounds, films or texts, or a table (CSV) with two rows")
	}
	if err := cfg.Validate(); err != nil {
		return s.explain(r.Context(), err, "file")
	}
	if err := s.Create(r.Context(), name, cfg, settings); err != nil {
		return err
	}
	return s.reply(w, map[string]string{"name": name})
}

// startFile takes one part of the form in: the prompt, a table, or a file that becomes an item. Files that are
// nothing to look at or listen to, which every folder has, are passed over.
func (s *Server) startFile(root *os.Root, study string, part *multipart.Part, cfg *prefer.Config, settings *Settings) error {
	name := part.FileName()
	switch {
	case part.FormName() == "prompt":
		text, err := io.ReadAll(io.LimitReader(part, maxText))
		cfg.Prompt = string(text)
		return err
	case strings.EqualFold(path.Ext(name), ".csv"):
		items, err := exchange.ReadItemsCSV(part)
		if err != nil {
			return invalid("file", name, strings.TrimPrefix(err.Error(), "exchange: "))
		}
		cfg.Space.Items = append(cfg.Space.Items, items...)
		return nil
	case mediaType(name) == "other":
		return nil
	}
	f, err := s.keepFile(root, study, part)
	if err != nil {
		return err
	}
	item := prefer.Item{ID: f.Name, Media: f.Media}
	if f.Type == "text" {
		item.Media, item.Text = "", f.text
		settings.Page.Markdown = settings.Page.Markdown || strings.EqualFold(path.Ext(name), ".md")
	}
	cfg.Space.Items = append(cfg.Space.Items, item)
	return nil
}

// freeName returns the name, or the name with the first number that no study has.
func (s *Server) freeName(ctx context.Context, name string) (string, error) {
	studies, err := s.cfg.Store.List(ctx)
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, i := range studies {
		taken[i.Name] = true
	}
	free := name
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free, nil
}
