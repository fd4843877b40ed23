package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
)

type mediaInput struct {
	Study   string `query:"study" required:"true" maxLength:"200" doc:"The study the files are for."`
	Type    string `header:"Content-Type"`
	RawBody []byte `contentType:"multipart/form-data"`
}

// upload is a file that was kept.
type upload struct {
	Name  string `json:"name" doc:"What it was called."`
	Media string `json:"media" doc:"What an item calls it."`
	Type  string `json:"type"`
	URL   string `json:"url"`
	text  string
}

type mediaOutput struct {
	Body struct {
		Files []upload `json:"files" nullable:"false"`
	}
}

type itemsInput struct {
	Study   string `path:"study"`
	Type    string `header:"Content-Type"`
	RawBody []byte `contentType:"application/json"`
}

type itemsOutput struct {
	Body struct {
		Items int      `json:"items_count" doc:"How many the study has now."`
		Added []string `json:"added" nullable:"false" doc:"The ids of the new ones."`
	}
}

// itemsBody is the JSON form of what joins.
type itemsBody struct {
	Items []prefer.Item `json:"items"`
}

func (s *Server) registerMedia() {
	form := func(op *huma.Operation, more map[string]*huma.MediaType) {
		op.MaxBodyBytes, op.BodyReadTimeout, op.SkipValidateBody = maxUpload, 5*time.Minute, true
		op.DefaultStatus = http.StatusCreated
		content := map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{Type: huma.TypeObject,
			Properties: map[string]*huma.Schema{"file": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}}
		for kind, m := range more {
			content[kind] = m
		}
		op.RequestBody = &huma.RequestBody{Required: true, Content: content}
	}
	huma.Register(s.api, operation(http.MethodPost, "/v1/media", "upload", "Upload files for items", forOwner, func(op *huma.Operation) { form(op, nil) }), s.uploadMedia)
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/items", "join", "Add items to a list, as JSON or as files", forOwner, func(op *huma.Operation) {
		object := &huma.Schema{Type: huma.TypeObject, Required: []string{"items"}, Properties: map[string]*huma.Schema{
			"items": {Type: huma.TypeArray, Items: &huma.Schema{Ref: "#/components/schemas/" + studyFile + ".item"}}}, AdditionalProperties: false}
		form(op, map[string]*huma.MediaType{"application/json": {Schema: object}})
	}), s.join)
}

func (s *Server) uploadMedia(ctx context.Context, in *mediaInput) (*mediaOutput, error) {
	out := &mediaOutput{}
	err := s.with(ctx, in.Study, func(*running) error { return nil }) // there is such a study
	if err == nil {
		out.Body.Files, err = s.keepFiles(in.Study, in.Type, in.RawBody)
	}
	return out, s.explain(ctx, err, "")
}

func (s *Server) join(ctx context.Context, in *itemsInput) (*itemsOutput, error) {
	var items []prefer.Item
	if kind, _, _ := mime.ParseMediaType(in.Type); kind == "multipart/form-data" {
		if err := s.with(ctx, in.Study, func(*running) error { return nil }); err != nil {
			return nil, s.explain(ctx, err, "")
		}
		files, err := s.keepFiles(in.Study, in.Type, in.RawBody)
		if err != nil {
			return nil, s.explain(ctx, err, "")
		}
		for _, f := range files {
			item := prefer.Item{ID: f.Name, Media: f.Media}
			if f.Type == "text" {
				item.Media, item.Text = "", f.text
			}
			items = append(items, item)
		}
	} else {
		d := json.NewDecoder(bytes.NewReader(in.RawBody))
		d.DisallowUnknownFields()
		var body itemsBody
		if err := d.Decode(&body); err != nil {
			return nil, invalid("body"+fieldOf(err), nil, err.Error())
		}
		items = body.Items
	}
	out := &itemsOutput{}
	err := s.with(ctx, in.Study, func(r *running) error {
		if err := r.study.Join(context.WithoutCancel(ctx), items...); err != nil {
			return err
		}
		out.Body.Added = make([]string, len(items))
		for i, it := range items {
			out.Body.Added[i] = it.ID
		}
		r.look(func(b *book) { out.Body.Items = len(b.items) })
		s.bell.ring(r.name, r.end(), "joined")
		return nil
	})
	return out, s.explain(ctx, err, "body.items")
}

// keepFiles keeps the files of a form, each under the hash of its content: the same file again is the same
// file, and no name can be taken from another.
func (s *Server) keepFiles(study, contentType string, body []byte) ([]upload, error) {
	if s.cfg.Media == "" {
		return nil, refuse(http.StatusUnprocessableEntity, "no_media", "this server has no folder for uploads: give it one, or use addresses of media elsewhere")
	}
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, refuse(http.StatusUnsupportedMediaType, "content_type", "files are uploaded as multipart/form-data")
	}
	root, err := s.mediaRoot(study, true)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []upload
	for form := multipart.NewReader(bytes.NewReader(body), params["boundary"]); ; {
		part, err := form.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, invalid("body", nil, "the form cannot be read: "+err.Error())
		}
		if part.FileName() == "" {
			return nil, invalid("body."+part.FormName(), nil, "a part of the form is no file")
		}
		f, err := s.keepFile(root, study, part)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		return nil, invalid("body", nil, "the form has no files")
	}
	return out, nil
}

// maxText bounds a text file that becomes an item: its text is kept in the log.
const maxText = 64 << 10

func (s *Server) keepFile(root *os.Root, study string, part *multipart.Part) (upload, error) {
	name := path.Base(strings.ReplaceAll(part.FileName(), "\\", "/"))
	f := upload{Name: name, Type: mediaType(name)}
	data, err := io.ReadAll(part)
	switch {
	case err != nil:
		return f, invalid("body", name, "the file cannot be read: "+err.Error())
	case f.Type == "other":
		return f, invalid("body", name, fmt.Sprintf("%q is neither image, sound, film nor text by its ending", name))
	case f.Type == "text":
		if len(data) > maxText || !utf8.Valid(data) {
			return f, invalid("body", name, fmt.Sprintf("%q is longer than %d KB or not UTF-8", name, maxText>>10))
		}
		f.text = string(data)
	}
	sum := sha256.Sum256(data)
	f.Media = fmt.Sprintf("%x%s", sum[:12], strings.ToLower(path.Ext(name)))
	f.URL = s.mediaURL(study, f.Media)
	half := f.Media + ".part" // a reader must not see half of it
	if err := root.WriteFile(half, data, 0o644); err != nil {
		return f, err
	}
	return f, root.Rename(half, f.Media)
}

// mediaFolder is what the folder of a study's uploads is called.
func mediaFolder(study string) string { return "study " + url.PathEscape(study) }

// removeMedia deletes the uploads of a study.
func (s *Server) removeMedia(study string) error {
	if s.cfg.Media == "" {
		return nil
	}
	media, err := os.OpenRoot(s.cfg.Media)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer media.Close()
	return media.RemoveAll(mediaFolder(study))
}

// mediaRoot opens the folder of a study's uploads.
func (s *Server) mediaRoot(study string, create bool) (*os.Root, error) {
	dir := mediaFolder(study)
	if create {
		if err := os.MkdirAll(s.cfg.Media, 0o755); err != nil {
			return nil, err
		}
	}
	media, err := os.OpenRoot(s.cfg.Media)
	if err != nil {
		return nil, err
	}
	defer media.Close()
	if create {
		if err := media.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return media.OpenRoot(dir)
}
