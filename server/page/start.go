package page

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
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/media"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/store/contract"
)

// start shows the owner the studies there are, and ways to make one.
func (p *Pages) start(w http.ResponseWriter, r *http.Request) error {
	demos, err := demo.Drawn()
	if err != nil {
		return err
	}
	studies, err := p.Studies.List(r.Context())
	if err != nil {
		return err
	}
	slices.SortFunc(studies, func(a, b contract.Info) int { return b.Changed.Compare(a.Changed) })
	frame := Frame{Root: p.Root, Title: "prefer", Owner: true}
	return p.write(w, http.StatusOK, "", Start{Frame: frame, Demos: demos, Studies: shelf(studies, time.Now()), Fold: shelved, Uploads: p.Files.Uploads != ""})
}

// create makes a study under this name, or with a number after it if that is taken, and replies with the name.
func (p *Pages) create(w http.ResponseWriter, r *http.Request, name string, cfg prefer.Config, settings live.Settings) error {
	name, err := p.freeName(r.Context(), name)
	if err != nil {
		return err
	}
	if err := p.Studies.Create(r.Context(), name, cfg, settings); err != nil {
		return problem.Explain(r.Context(), p.Logger, err, "body.name")
	}
	return reply(w, map[string]string{"name": name})
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
func (p *Pages) startFiles(w http.ResponseWriter, r *http.Request) error {
	if p.Files.Uploads == "" {
		return problem.New(http.StatusUnprocessableEntity, "no_media", "this server has no folder for uploads")
	}
	r.Body = http.MaxBytesReader(w, r.Body, media.MaxUpload)
	form, err := r.MultipartReader()
	if err != nil {
		return problem.New(http.StatusUnsupportedMediaType, "content_type", "files are uploaded as multipart/form-data")
	}
	name, err := p.freeName(r.Context(), "things")
	if err != nil {
		return err
	}
	root, err := p.Files.Root(name)
	if err != nil {
		return err
	}
	defer root.Close()
	cfg, settings := prefer.Config{}, live.Settings{ShowResult: true}
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return problem.New(http.StatusRequestEntityTooLarge, "upload", fmt.Sprintf("the files could not be read; together they may have %d MB", media.MaxUpload>>20))
		}
		if err := p.startFile(root, name, part, &cfg, &settings); err != nil {
			return err
		}
	}
	if len(cfg.Space.Items) < 2 {
		return problem.Field("file", len(cfg.Space.Items), "there must be at least two pictures, sounds, films or texts, or a table (CSV) with two rows")
	}
	if err := cfg.Validate(); err != nil {
		return problem.Explain(r.Context(), p.Logger, err, "file")
	}
	if err := p.Studies.Create(r.Context(), name, cfg, settings); err != nil {
		return err
	}
	return reply(w, map[string]string{"name": name})
}

// startFile takes one part of the form in: the prompt, a table, or a file that becomes an item. Files that are
// nothing to look at or listen to, which every folder has, are passed over.
func (p *Pages) startFile(root *os.Root, study string, part *multipart.Part, cfg *prefer.Config, settings *live.Settings) error {
	name := part.FileName()
	switch {
	case part.FormName() == "prompt":
		text, err := io.ReadAll(io.LimitReader(part, media.MaxText))
		cfg.Prompt = string(text)
		return err
	case strings.EqualFold(path.Ext(name), ".csv"):
		items, err := exchange.ReadItemsCSV(part)
		if err != nil {
			return problem.Field("file", name, strings.TrimPrefix(err.Error(), "exchange: "))
		}
		cfg.Space.Items = append(cfg.Space.Items, items...)
		return nil
	case media.Type(name) == "other":
		return nil
	}
	f, err := p.Files.Keep(root, study, part)
	if err != nil {
		return err
	}
	if f.Type == "text" && strings.EqualFold(path.Ext(name), ".md") {
		settings.Page.Markdown = true
	}
	cfg.Space.Items = append(cfg.Space.Items, f.Item())
	return nil
}

// freeName returns the name, or the name with the first number that no study has.
func (p *Pages) freeName(ctx context.Context, name string) (string, error) {
	studies, err := p.Studies.List(ctx)
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
