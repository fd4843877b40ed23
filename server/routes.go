package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// Who may call an operation.
const (
	forOwner  = "owner"
	forRater  = "rater"  // a rater too, in her study
	forResult = "result" // a rater too, if her study shows results
	forAll    = "all"
)

// roleKey is where an operation says who may call it.
const roleKey = "for"

// Sizes of bodies.
const (
	maxBody   = 1 << 20
	maxUpload = 64 << 20
)

// routes lays out the API and everything round it.
func (s *Server) routes() (http.Handler, error) {
	mux := http.NewServeMux()
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	registry.RegisterTypeAlias(reflect.TypeFor[prefer.Option](), reflect.TypeFor[optionSchema]())
	registry.RegisterTypeAlias(reflect.TypeFor[prefer.Value](), reflect.TypeFor[valueSchema]())
	registry.RegisterTypeAlias(reflect.TypeFor[prefer.Parameter](), reflect.TypeFor[objectSchema]())
	registry.RegisterTypeAlias(reflect.TypeFor[prefer.Range](), reflect.TypeFor[[2]int]())
	config := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI:    "3.1.0",
			Info:       &huma.Info{Title: "prefer", Version: "1", Description: "Finds what a person likes best by asking a short series of well-chosen \"A or B?\" questions."},
			Components: &huma.Components{Schemas: registry, SecuritySchemes: map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}}},
			Security:   []map[string][]string{{"token": {}}, {}},
		},
		Formats:                      map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat},
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
		Transformers:                 []huma.Transformer{typed},
	}
	s.api = humago.New(mux, config)
	s.api.UseMiddleware(s.admit)
	s.registerStudies()
	s.registerAsk()
	s.registerTell()
	s.registerUndo()
	s.registerLook()
	s.registerBelief()
	s.registerPredict()
	s.registerPeople()
	s.registerExchange()
	s.registerMedia()
	s.registerEvents()
	s.registerJobs()
	s.registerSimulations()
	s.registerReports()
	if err := s.describe(); err != nil {
		return nil, err
	}
	mux.HandleFunc("GET /openapi.json", s.serveOpenAPI)
	mux.HandleFunc("GET /healthz", s.serveHealth)
	mux.HandleFunc("GET /metrics", s.serveMetrics)
	mux.HandleFunc("GET /m/{study}/{file...}", s.serveMedia)
	mux.HandleFunc("GET /o/{code}", s.enter)
	if s.cfg.Page == nil {
		s.registerPage(mux)
	} else {
		mux.HandleFunc("GET /r/{token}", s.welcome)
	}
	mux.HandleFunc("/", s.elsewhere(mux))
	return s.guard(mux), nil
}

// jsonFormat reads and writes JSON without escaping what only HTML minds.
var jsonFormat = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	},
	Unmarshal: json.Unmarshal,
}

// operation fills in what all operations have in common.
func operation(method, path, id, summary, role string, change ...func(*huma.Operation)) huma.Operation {
	op := huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, MaxBodyBytes: maxBody, Metadata: map[string]any{roleKey: role}}
	for _, c := range change {
		c(&op)
	}
	return op
}

// admit lets a request through to its operation if who is behind it may call that.
func (s *Server) admit(ctx huma.Context, next func(huma.Context)) {
	op := ctx.Operation()
	w := asker(ctx.Context())
	role, _ := op.Metadata[roleKey].(string)
	switch {
	case w.owner || role == forAll:
	case role == forOwner:
		s.writeRefusal(ctx, refuse(http.StatusForbidden, "owner_only", "only the owner of the studies may do this"))
		return
	case ctx.Param("study") != w.study:
		s.writeRefusal(ctx, refuse(http.StatusForbidden, "other_study", "this token belongs to another study"))
		return
	}
	next(ctx)
}

func (s *Server) writeRefusal(ctx huma.Context, p *huma.ErrorModel) {
	_, w := humago.Unwrap(ctx)
	writeProblem(w, p)
}

// elsewhere answers what is no part of the API: the page, or a problem that says which methods there are.
func (s *Server) elsewhere(mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
			probe := r.Clone(r.Context())
			probe.Method = method
			if _, pattern := mux.Handler(probe); pattern != "/" && pattern != "" && method != r.Method {
				allowed = append(allowed, method)
			}
		}
		switch {
		case len(allowed) > 0:
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			writeProblem(w, refuse(http.StatusMethodNotAllowed, "method", r.Method+" is not for this address, only "+strings.Join(allowed, " and ")))
		case s.cfg.Page != nil && !slices.Contains([]string{"v1", "m"}, strings.SplitN(r.URL.Path, "/", 3)[1]):
			s.cfg.Page.ServeHTTP(w, r)
		default:
			writeProblem(w, refuse(http.StatusNotFound, "no_address", "there is nothing at this address; /openapi.json lists what there is"))
		}
	}
}

func (s *Server) serveOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(s.openAPI)
}

func (s *Server) serveHealth(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithTimeout(r.Context(), maxHealth)
	defer stop()
	_, _, err := s.cfg.Store.FindNote(ctx, "", "health")
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	if err != nil {
		writeProblem(w, s.problem(r.Context(), err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "{\"status\":\"ok\"}\n")
}

func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if !asker(r.Context()).owner {
		writeProblem(w, refuse(http.StatusForbidden, "owner_only", "only the owner of the studies may do this"))
		return
	}
	var text bytes.Buffer
	s.metrics.write(&text, s.studies.count(), s.bell.count(), len(s.jobs.list()))
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(text.Bytes())
}
