package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/internal/page"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// doors is a mux that knows its patterns, so that a test can try every one of them.
type doors struct {
	*http.ServeMux
	patterns []string
}

func (d *doors) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	d.patterns = append(d.patterns, pattern)
	d.ServeMux.HandleFunc(pattern, handler)
}

// routes lays out the API and everything round it.
func (s *Server) routes() (http.Handler, error) {
	mux := &doors{ServeMux: http.NewServeMux()}
	s.doors = mux
	registry := huma.NewMapRegistry("#/components/schemas/", schemaName)
	registry.RegisterTypeAlias(reflect.TypeFor[space.Option](), reflect.TypeFor[optionSchema]())
	registry.RegisterTypeAlias(reflect.TypeFor[space.Value](), reflect.TypeFor[valueSchema]())
	registry.RegisterTypeAlias(reflect.TypeFor[space.Parameter](), reflect.TypeFor[objectSchema]())
	s.api = humago.New(mux, huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI:    "3.1.0",
			Info:       &huma.Info{Title: "prefer", Version: "1", Description: "Finds what a person likes best by asking a short series of well-chosen \"A or B?\" questions."},
			Components: &huma.Components{Schemas: registry, SecuritySchemes: map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}}},
			Security:   []map[string][]string{{"token": {}}, {}},
		},
		Formats:                      map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat},
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
		Transformers: []huma.Transformer{locate, problem.Complete(func(ctx context.Context) string {
			c, _ := ctx.Value(recordKey{}).(*record)
			return given(c).id
		})},
	})
	s.api.UseMiddleware(s.admit)
	for _, register := range []func(*Server){registerStudies, registerAsk, registerBelief, registerPeople, registerTokens, registerExchange, registerItems, registerEvents, registerJobs} {
		register(s)
	}
	var err error
	if s.openAPI, err = describe(s.api); err != nil {
		return nil, err
	}
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(s.openAPI) // the client may be gone
	})
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { fine(w) }) // whatever the store does: a restart would not reach it either
	mux.HandleFunc("GET /readyz", s.serveReady)
	mux.HandleFunc("GET /healthz", s.serveReady) // its older name
	mux.HandleFunc("GET /metrics", s.serveMetrics)
	mux.HandleFunc("GET /m/{study}/{file...}", s.serveMedia)
	mux.HandleFunc("GET /o/{code}", s.offer)
	mux.HandleFunc("POST /o/{code}", s.enter)
	if s.cfg.Page == nil {
		pages := page.Config{Studies: s.studies, Files: s.files, Root: s.cfg.Prefix, Reach: s.cfg.Reach, Logger: s.log, Welcome: s.keepToken, Packs: s.cfg.Core != nil || pack.Has(),
			First: func() string { return given(s.first.Load()) },
			Place: func(w http.ResponseWriter, r *http.Request, name, token string) {
				s.setCookie(w, r, name, token, "/r/", http.SameSiteLaxMode)
			},
			Who: func(ctx context.Context) (bool, string, string) { w := asker(ctx); return w.Owner, w.Study, w.Rater }}
		if s.cfg.Identify != nil {
			pages.Welcome = nil
		}
		page.New(pages).Register(mux)
	} else {
		mux.HandleFunc("GET /r/{token}", s.welcome)
	}
	mux.HandleFunc("/", s.elsewhere(mux.ServeMux))
	return s.guard(mux), nil
}

// elsewhere answers what is no part of the API: the page, or a problem that says which methods there are.
func (s *Server) elsewhere(mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			probe := r.Clone(r.Context())
			probe.Method = method
			if _, pattern := mux.Handler(probe); pattern != "/" && pattern != "" && method != r.Method {
				allowed = append(allowed, method)
			}
		}
		switch {
		case len(allowed) > 0:
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			s.fail(w, r, problem.New(http.StatusMethodNotAllowed, "method", r.Method+" is not for this address, only "+strings.Join(allowed, " and ")))
		case s.cfg.Page != nil && !slices.Contains([]string{"v1", "m"}, strings.SplitN(r.URL.Path, "/", 3)[1]):
			s.cfg.Page.ServeHTTP(w, r)
		default:
			s.fail(w, r, problem.New(http.StatusNotFound, "no_address", "there is nothing at this address; /openapi.json lists what there is"))
		}
	}
}

// fail says what went wrong: as a page to a browser that looks at no part of the API, else as a problem.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, what error) {
	if first := strings.SplitN(r.URL.Path+"/", "/", 3)[1]; s.cfg.Page != nil || slices.Contains([]string{"v1", "m", "metrics", "openapi.json", "livez", "readyz", "healthz"}, first) {
		problem.Write(w, problem.Of(r.Context(), s.log, what))
		return
	}
	page.Fail(w, r, s.cfg.Prefix, asker(r.Context()).Owner, what)
}

// welcome answers a rater's address with the host's page, and leaves the token with the browser. An unknown token is a 404, an ended one a 410.
func (s *Server) welcome(w http.ResponseWriter, r *http.Request) {
	if _, err := s.studies.Tokens.Link(r.Context(), r.PathValue("token")); err != nil {
		problem.Write(w, problem.Of(r.Context(), s.log, err))
		return
	}
	s.keepToken(w, r, r.PathValue("token"))
	s.cfg.Page.ServeHTTP(w, r)
}

// schemaName names a type in openapi.json: as in Go, or as it was called when clients were first written.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	return cmp.Or(map[string]string{"Calibration": "Foretold", "Correlation": "Agreement", "Tally": "BlindShare"}[name], name)
}

// maxBody is the size of the largest body, uploads and imports aside.
const maxBody = 1 << 20

// output is a reply with a body and nothing else to say.
type output[T any] struct{ Body T }

// studyInput is a request about a study that says no more, studyBody one with a body.
type studyInput struct {
	Study string `path:"study"`
}

type studyBody[T any] struct {
	Study string `path:"study"`
	Body  T
}

// given returns a body, the zero value if it was left out.
func given[T any](body *T) (v T) {
	if body != nil {
		v = *body
	}
	return v
}

// operation fills in what all operations have in common, who may call it among them.
func operation(method, path, id, summary, role string, change ...func(*huma.Operation)) huma.Operation {
	op := huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, MaxBodyBytes: maxBody, Extensions: map[string]any{whoKey: role}}
	for _, c := range change {
		c(&op)
	}
	return op
}

// replyWith has an operation reply with another status than 200.
func replyWith(status int) func(*huma.Operation) {
	return func(op *huma.Operation) { op.DefaultStatus = status }
}

// replyAs has an operation reply with text of this type.
func replyAs(description, contentType string) func(*huma.Operation) {
	return func(op *huma.Operation) {
		op.Responses = map[string]*huma.Response{"200": {Description: description, Content: map[string]*huma.MediaType{contentType: {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	}
}

// with replies with what do finds in a study.
func with[T any](ctx context.Context, s *Server, study string, do func(*live.Study) (T, error)) (*output[T], error) {
	out := &output[T]{}
	err := s.studies.With(ctx, study, func(open *live.Study) (err error) {
		out.Body, err = do(open)
		return err
	})
	return out, s.explain(ctx, err, problem.Blame(err))
}

// look looks at the shared utility of a study, or that of the rater who is named, for whoever may see its results.
func look[T any](ctx context.Context, s *Server, in lookInput, do func(open *live.Study, l prefer.Look) (T, error)) (*output[T], error) {
	rater, err := speaker(ctx, in.Rater)
	if err == nil {
		err = live.CheckRater(rater)
	}
	if err != nil {
		return nil, s.explain(ctx, err, "query")
	}
	return with(ctx, s, in.Study, func(open *live.Study) (out T, err error) {
		if err := open.MayLook(asker(ctx).Owner); err != nil {
			return out, err
		}
		if open.Config.People == prefer.PerRater && rater == "" {
			return out, problem.Field("query.rater", nil, "every rater of this study has a utility of her own: say whose with ?rater=, or see /group")
		}
		l := prefer.Look{Rater: rater}
		if l.Fixed, err = open.ReadFixed(in.Fixed); err != nil {
			return out, s.explain(ctx, err, "query.fixed")
		}
		out, err = do(open, l)
		if space.CodeOf(err) == "context" || space.CodeOf(err) == "option" {
			err = s.explain(ctx, err, "query.fixed")
		}
		return out, err
	})
}

// explain makes a problem of an error; location is the field to blame if the caller knows one.
func (s *Server) explain(ctx context.Context, err error, location string) error {
	return problem.Explain(ctx, s.log, err, location)
}

// optionSchema describes space.Option, which writes itself.
type optionSchema struct{}

func (optionSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Description: "A setting of every parameter by name, or {\"item\": id}.",
		AdditionalProperties: valueSchema{}.Schema(nil)}
}

// valueSchema describes space.Value.
type valueSchema struct{}

func (valueSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeNumber}, {Type: huma.TypeString}, {Type: huma.TypeBoolean}}}
}

// objectSchema describes what the study file's own schema describes better.
type objectSchema struct{}

func (objectSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// studyFile is the name of the schema of a study file among the components.
const studyFile = "StudyFile"

// nullable are the fields that may be null where huma knows no more than that they are objects.
var nullable = []string{"Told.next", "Group.best"}

// describe returns the OpenAPI document: what huma knows, and the published schema of a study file.
func describe(api huma.API) ([]byte, error) {
	text, err := json.Marshal(api.OpenAPI())
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	moved := strings.ReplaceAll(exchange.StudySchema(), "#/$defs/", "#/components/schemas/"+studyFile+".")
	var file map[string]any
	if err := json.Unmarshal([]byte(moved), &file); err != nil {
		return nil, fmt.Errorf("server: the schema of a study file: %w", err)
	}
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	for name, def := range file["$defs"].(map[string]any) {
		schemas[studyFile+"."+name] = def
	}
	for _, at := range nullable {
		name, field, _ := strings.Cut(at, ".")
		properties := schemas[name].(map[string]any)["properties"].(map[string]any)
		properties[field] = map[string]any{"oneOf": []any{properties[field], map[string]any{"type": "null"}}}
	}
	delete(file, "$defs")
	delete(file, "$schema")
	delete(file, "$id")
	for _, path := range doc["paths"].(map[string]any) { // as contract.CheckName has it; huma would refuse the rest in words of its own
		for _, operation := range path.(map[string]any) {
			parameters, _ := operation.(map[string]any)["parameters"].([]any)
			for _, each := range parameters {
				if p := each.(map[string]any); p["in"] == "path" && p["name"] == "study" {
					p["schema"] = map[string]any{"type": "string", "minLength": 1, "maxLength": 200, "pattern": `^[^/\x00-\x1f\x7f-\x9f]+$`}
				}
			}
		}
	}
	properties := file["properties"].(map[string]any)
	properties["name"] = map[string]any{"type": "string", "minLength": 1, "maxLength": 200, "description": "What the study is called."}
	properties["from"] = map[string]any{"type": "string", "description": "Earlier study of this server: everybody begins with what its people have in common."}
	for name, one := range schemas["Settings"].(map[string]any)["properties"].(map[string]any) {
		properties[name] = one
	}
	file["required"] = []string{"name"}
	schemas[studyFile] = file
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err = e.Encode(doc)
	return out.Bytes(), err
}
