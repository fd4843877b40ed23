//go:build !js

package page

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
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
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Limits are what may be brought at once, for a page that says so before it sends anything.
type Limits struct {
	File     int64 `json:"file"`
	Together int64 `json:"together"`
	Count    int   `json:"count"`
}

// limits of what people bring.
var limits = Limits{File: media.MaxFile, Together: media.MaxTogether, Count: media.MaxCount}

// bundle is what came with a form of files.
type bundle struct {
	name   string // what the folder is called
	prompt string
	items  []space.Item
	tables map[string]table
	files  live.Files
	md     bool // there is Markdown
	kinds  map[string]int
	taken  map[string]bool // ids
}

// table is a list of items that came as one file.
type table struct {
	rows []space.Item
	err  error
}

// startFiles makes a study of files: a table with one item per row, or media and texts, each an item.
func (p *Pages) startFiles(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	place := "incoming " + rand.Text() // a study gets its name when all is there
	var b bundle
	err := p.unpack(w, r, place, &b)
	if err == nil {
		err = b.complete()
	}
	name := ""
	if err == nil {
		name, err = p.freeName(ctx, cmp.Or(slug(b.name), media.Thing(b.kinds)+"s"))
	}
	if err == nil {
		err = p.Files.Rename(place, name)
	}
	if err != nil {
		return errors.Join(err, p.Files.Remove(place))
	}
	cfg := prefer.Config{Space: space.Space{Items: b.items}, Prompt: b.prompt, Budget: min(max(2*len(b.items), leastProposed), mostProposed)}
	if err = cfg.Validate(); err == nil {
		err = p.Studies.Create(ctx, name, cfg, live.Settings{ShowResult: true, Page: live.Appearance{Markdown: b.md}})
	}
	if err != nil {
		return errors.Join(problem.Explain(ctx, p.Logger, err, "file"), p.Files.Remove(name))
	}
	if err := p.Studies.KeepFiles(ctx, name, b.files); err != nil {
		return err
	}
	return reply(w, map[string]string{"name": name})
}

// The budget that is proposed for dropped files is two answers per file, within these limits: at most about five minutes of pictures. The contact sheet shows it.
const (
	leastProposed = 10
	mostProposed  = 60
)

// unpack reads a form of files and keeps the media among them as uploads of a study. Hidden files, which every folder has, are passed over.
func (p *Pages) unpack(w http.ResponseWriter, r *http.Request, study string, b *bundle) error {
	if p.Files.Uploads == "" {
		return problem.New(http.StatusUnprocessableEntity, "no_media", "this server has no folder for uploads")
	}
	r.Body = http.MaxBytesReader(w, &patient{ReadCloser: r.Body, control: http.NewResponseController(w)}, media.MaxTogether+media.MaxCount<<10)
	form, err := r.MultipartReader()
	if err != nil {
		return problem.New(http.StatusUnsupportedMediaType, "content_type", "files are uploaded as multipart/form-data")
	}
	root, err := p.Files.Root(study)
	if err != nil {
		return err
	}
	defer root.Close()
	b.tables, b.kinds, b.taken = map[string]table{}, map[string]int{}, map[string]bool{}
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			return nil
		}
		broken := err != nil
		if err == nil {
			err = p.unpackPart(root, study, part, b)
		}
		if large := new(http.MaxBytesError); errors.As(err, &large) {
			return problem.New(http.StatusRequestEntityTooLarge, "upload", fmt.Sprintf("the files have more than %d GB together", int64(media.MaxTogether)>>30))
		}
		if err == nil && len(b.items) > media.MaxCount {
			err = problem.New(http.StatusRequestEntityTooLarge, "upload", fmt.Sprintf("there are more than %d files; \"prefer serve FOLDER\" takes as many as there are", media.MaxCount))
		}
		if broken || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrDeadlineExceeded) {
			return problem.New(http.StatusUnprocessableEntity, "upload", "the upload was interrupted: try again")
		}
		if err != nil {
			return err
		}
	}
}

// unpackPart takes one part of the form in: the name or prompt of the study, a table, or a file that becomes an item.
func (p *Pages) unpackPart(root *os.Root, study string, part *multipart.Part, b *bundle) error {
	if part.FileName() == "" {
		text, err := io.ReadAll(io.LimitReader(part, maxName*4))
		switch part.FormName() {
		case "prompt":
			b.prompt = strings.TrimSpace(string(text))
		case "name":
			b.name = string(text)
		}
		return err
	}
	name := media.Name(part.Header.Get("Content-Disposition"))
	switch {
	case strings.HasPrefix(name, ".") || strings.Contains(name, "/."):
		return nil
	case strings.EqualFold(path.Ext(name), ".csv"):
		items, err := exchange.ReadItemsCSV(part)
		b.tables[name] = table{items, err}
		return nil
	case media.Type(name) == "other":
		b.files.Ignored = append(b.files.Ignored, name)
		return nil
	}
	f, err := p.Files.Keep(root, study, name, part)
	if bad := (media.Unreadable{}); errors.As(err, &bad) {
		b.files.Unread(bad.Name, bad.Why)
		return nil
	}
	if err != nil {
		return err
	}
	for n := 2; b.taken[f.Name]; n++ { // two of a name, from two folders
		f.Name = fmt.Sprintf("%s (%d)", name, n)
	}
	b.taken[f.Name] = true
	b.kinds[f.Type]++
	b.md = b.md || f.Type == "text" && strings.EqualFold(path.Ext(name), ".md")
	b.items = append(b.items, f.Item())
	return nil
}

// complete makes items of a table where there is nothing else, and features of one called features.csv; other tables are ignored.
func (b *bundle) complete() error {
	slices.SortFunc(b.items, func(a, c space.Item) int { return strings.Compare(a.ID, c.ID) })
	for name, t := range b.tables {
		alone := len(b.kinds) == 0
		if !alone && name != exchange.FeatureTable {
			b.files.Ignored = append(b.files.Ignored, name)
			continue
		}
		if alone {
			b.items, b.name = append(b.items, t.rows...), cmp.Or(b.name, strings.TrimSuffix(path.Base(name), path.Ext(name)))
		} else if t.err == nil {
			unreadable := xslices.Map(b.files.Unreadable, func(u live.Unreadable) exchange.Unreadable { return exchange.Unreadable(u) })
			f := exchange.Folder{Items: b.items, Unreadable: unreadable}
			t.err = f.AddFeatures(t.rows)
		}
		if t.err != nil {
			return problem.Field("file", name, name+": "+strings.TrimPrefix(t.err.Error(), "exchange: "))
		}
	}
	slices.Sort(b.files.Ignored)
	b.leaveOutCopies(nil)
	if len(b.items) < 2 {
		why := ""
		for _, u := range b.files.Unreadable[:min(len(b.files.Unreadable), 3)] {
			why += fmt.Sprintf("; %s cannot be read: %s", u.Name, u.Why)
		}
		return problem.Field("file", len(b.items), "there must be at least two pictures, sounds, films or texts, or a table (CSV) with two rows"+why)
	}
	return nil
}

// leaveOutCopies has files of the same bytes be one item. The media of an upload is named by its content.
func (b *bundle) leaveOutCopies(there []space.Item) {
	known := xslices.ToMap(there, func(it space.Item) (string, bool) { return it.ID, true })
	kept, copies := exchange.WithoutCopies(slices.Concat(there, b.items), func(it space.Item) string { return it.Media + it.Text })
	b.items = slices.DeleteFunc(kept, func(it space.Item) bool { return known[it.ID] })
	copies = xslices.Filter(copies, func(c exchange.Copy) bool { return !known[c.Name] })
	b.files.Copies = append(b.files.Copies, xslices.Map(copies, func(c exchange.Copy) live.Copy { return live.Copy(c) })...)
}

// patience is how long a browser may send nothing of an upload. The server's own limit is for all of a request, which is too short for films.
const patience = time.Minute

// patient moves the end of a request away as long as something arrives.
type patient struct {
	io.ReadCloser
	control *http.ResponseController
	until   time.Time
}

func (p *patient) Read(b []byte) (int, error) {
	if now := time.Now(); now.Add(patience / 2).After(p.until) {
		p.until = now.Add(patience)
		_ = p.control.SetReadDeadline(p.until) // a writer without deadlines is a test's
	}
	return p.ReadCloser.Read(b)
}

// freeName returns the name, or the name with the first number that no study has.
func (p *Pages) freeName(ctx context.Context, name string) (string, error) {
	studies, err := p.Studies.List(ctx)
	if err != nil {
		return "", err
	}
	taken := xslices.ToMap(studies, func(i store.Info) (string, bool) { return i.Name, true })
	free := name
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free, nil
}
