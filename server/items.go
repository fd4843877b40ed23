package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

type itemInput struct {
	Study string `path:"study"`
	Item  string `path:"item" maxLength:"4000" doc:"The id of an item; a slash in it is written %2F."`
}

// listItem is an item as its owner sees it.
type listItem struct {
	ID       string       `json:"id"`
	Media    string       `json:"media,omitempty"`
	Text     string       `json:"text,omitempty"`
	Sum      string       `json:"sum,omitempty" doc:"Checksum of the media."`
	Features space.Option `json:"features,omitempty"`
	Left     bool         `json:"left,omitempty" doc:"Removed from the list: it is not asked about; answers about it still count."`
}

type itemListOutputBody struct {
	Items []listItem `json:"items" nullable:"false" doc:"In the order of joining."`
}

type leaveOutputBody struct {
	Items int `json:"items_count" doc:"How many the study has now."`
}

type mediaInput struct {
	Study   string `query:"study" required:"true" maxLength:"200" doc:"The study the files are for."`
	Type    string `header:"Content-Type"`
	RawBody []byte `contentType:"multipart/form-data"`
}

type mediaOutputBody struct {
	Files []media.Upload `json:"files" nullable:"false"`
}

type itemsInput struct {
	Study   string `path:"study"`
	Type    string `header:"Content-Type"`
	RawBody []byte `contentType:"application/json"`
}

type itemsOutputBody struct {
	Items int      `json:"items_count" doc:"How many the study has now."`
	Added []string `json:"added" nullable:"false" doc:"The ids of the new ones."`
}

// itemsBody is the JSON form of what joins.
type itemsBody struct {
	Items []space.Item `json:"items"`
}

func registerItems(s *Server) {
	register(s, operation(http.MethodGet, "/v1/studies/{study}/items", "items", "The items of a study, removed ones included", gate.Owner), func(ctx context.Context, in *studyInput) (itemListOutputBody, error) {
		return live.In(ctx, s.studies, in.Study, func(open *live.Study) (itemListOutputBody, error) {
			here := xslices.ToMap(open.Study.Items(false), func(it space.Item) (string, bool) { return it.ID, true })
			return itemListOutputBody{append([]listItem{}, xslices.Map(open.Study.Items(true), func(it space.Item) listItem {
				return listItem{it.ID, it.Media, it.Text, it.Sum, it.Features, !here[it.ID]}
			})...)}, nil
		})
	})
	register(s, operation(http.MethodDelete, "/v1/studies/{study}/items/{item}", "leave", "Remove an item from a list; answers about it still count", gate.Owner), func(ctx context.Context, in *itemInput) (out leaveOutputBody, err error) {
		err = s.studies.Change(ctx, in.Study, "left", "", func(open *live.Study) error {
			err := open.Study.Change(context.WithoutCancel(ctx), prefer.Change{Leave: []string{in.Item}})
			_, out.Items = open.Size()
			return err
		})
		return out, s.explain(ctx, err, "path.item")
	})
	form := func(op *huma.Operation, more map[string]*huma.MediaType) {
		op.MaxBodyBytes, op.BodyReadTimeout, op.SkipValidateBody = media.MaxUpload, 5*time.Minute, true
		op.DefaultStatus = http.StatusCreated
		content := map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{Type: huma.TypeObject,
			Properties: map[string]*huma.Schema{"file": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}}
		maps.Copy(content, more)
		op.RequestBody = &huma.RequestBody{Required: true, Content: content}
	}
	register(s, operation(http.MethodPost, "/v1/media", "upload", "Upload files for items", gate.Owner, func(op *huma.Operation) { form(op, nil) }), func(ctx context.Context, in *mediaInput) (mediaOutputBody, error) {
		files, err := s.keepFiles(ctx, in.Study, in.Type, in.RawBody)
		return mediaOutputBody{files}, err
	})
	register(s, operation(http.MethodPost, "/v1/studies/{study}/items", "join", "Add items to a list, as JSON or as files", gate.Owner, func(op *huma.Operation) {
		object := &huma.Schema{Type: huma.TypeObject, Required: []string{"items"}, Properties: map[string]*huma.Schema{
			"items": {Type: huma.TypeArray, Items: &huma.Schema{Ref: "#/components/schemas/" + studyFile + ".item"}}}, AdditionalProperties: false}
		form(op, map[string]*huma.MediaType{"application/json": {Schema: object}})
	}), s.join)
}

// join adds items to the list of a study, as JSON or as files. Items that are there already, and a study of parameters, are a 422.
func (s *Server) join(ctx context.Context, in *itemsInput) (out itemsOutputBody, err error) {
	var items []space.Item
	if kind, _, _ := mime.ParseMediaType(in.Type); kind == "multipart/form-data" {
		files, err := s.keepFiles(ctx, in.Study, in.Type, in.RawBody)
		if err != nil {
			return out, err
		}
		items = append(items, xslices.Map(files, func(f media.Upload) space.Item { return f.Item() })...)
	} else {
		var body itemsBody
		if err := readJSON(in.RawBody, &body); err != nil {
			return out, problem.Field("body"+fieldOf(err), nil, err.Error())
		}
		items = body.Items
	}
	err = s.studies.Change(ctx, in.Study, "joined", "", func(open *live.Study) error {
		if err := open.Study.Change(context.WithoutCancel(ctx), prefer.Change{Join: items}); err != nil {
			return err
		}
		out.Added = append([]string{}, xslices.Map(items, func(it space.Item) string { return it.ID })...)
		_, out.Items = open.Size()
		return nil
	})
	return out, s.explain(ctx, err, "body.items")
}

// keepFiles keeps the files of a form for a study that is there.
func (s *Server) keepFiles(ctx context.Context, study, contentType string, body []byte) ([]media.Upload, error) {
	if err := s.studies.Exists(ctx, study); err != nil {
		return nil, err
	}
	if s.files.Uploads == "" {
		return nil, problem.New(http.StatusUnprocessableEntity, "no_media", "this server has no folder for uploads: give it one, or use addresses of media elsewhere")
	}
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, problem.New(http.StatusUnsupportedMediaType, "content_type", "files are uploaded as multipart/form-data")
	}
	root, err := s.files.Root(study)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []media.Upload
	for form := multipart.NewReader(bytes.NewReader(body), params["boundary"]); ; {
		part, err := form.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, problem.Field("body", nil, "the form cannot be read: "+err.Error())
		}
		if part.FileName() == "" {
			return nil, problem.Field("body."+part.FormName(), nil, "a part of the form is not a file")
		}
		f, err := s.files.Keep(root, study, media.Name(part.Header.Get("Content-Disposition")), part)
		if bad := (media.Unreadable{}); errors.As(err, &bad) {
			return nil, problem.Field("body", bad.Name, bad.Error())
		} else if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, problem.Field("body", part.FileName(), "the form ends within a file")
		}
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		return nil, problem.Field("body", nil, "the form has no files")
	}
	return out, nil
}

// serveMedia serves a file of a study: to its raters the media of items, to the owner uploads as well. ?small asks for a thumbnail. What is not there, or no
// media, is a 404.
func (s *Server) serveMedia(w http.ResponseWriter, r *http.Request) {
	study, name := r.PathValue("study"), r.PathValue("file")
	by := gate.CallerOf(r.Context())
	if !by.MayEnter(study) {
		problem.Write(w, gate.OtherStudy)
		return
	}
	var item bool
	err := s.studies.With(r.Context(), study, func(open *live.Study) error { item = open.HasMedia(name); return nil })
	if err != nil {
		problem.Write(w, problem.Of(r.Context(), s.log, err))
		return
	}
	var info os.FileInfo
	f, err := s.files.Open(study, name, item)
	if err == nil {
		defer f.Close()
		info, err = f.Stat()
	}
	kind := media.ContentType(name)
	if err != nil || !info.Mode().IsRegular() || !item && !by.Owner || kind == media.Unknown {
		problem.Write(w, problem.New(http.StatusNotFound, "no_media", "there is no such file"))
		return
	}
	if sum := r.URL.Query().Get("sum"); sum != "" && item && sumOf(&s.sums, study, name, f, info) != sum {
		problem.Write(w, problem.New(http.StatusNotFound, "media_changed", "the file has changed since it was asked about"))
		return
	}
	var from io.ReadSeeker = f
	if r.URL.Query().Has("small") {
		if copied, as := s.small.Of(study, name, f, info); copied != nil {
			from, kind = bytes.NewReader(copied), as
		}
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox") // an SVG may hold a script
	h.Set("Cache-Control", "private, max-age=3600")
	http.ServeContent(w, r, name, info.ModTime(), from)
}
