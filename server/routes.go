package server

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prefer-bo/prefer/pack"
	"github.com/prefer-bo/prefer/server/page"
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
		Transformers:                 []huma.Transformer{locate, problem.Complete(requestID)},
	})
	s.api.UseMiddleware(s.admit)
	for _, register := range []func(*Server){registerStudies, registerAsk, registerTell, registerBlind, registerBelief,
		registerPeople, registerTokens, registerUploads, registerExchange, registerPack, registerMedia, registerItems, registerEvents, registerJobs} {
		register(s)
	}
	var err error
	if s.openAPI, err = describe(s.api); err != nil {
		return nil, err
	}
	mux.HandleFunc("GET /openapi.json", s.serveOpenAPI)
	mux.HandleFunc("GET /livez", s.serveLive)
	mux.HandleFunc("GET /readyz", s.serveReady)
	mux.HandleFunc("GET /healthz", s.serveReady) // its older name
	mux.HandleFunc("GET /metrics", s.serveMetrics)
	mux.HandleFunc("GET /m/{study}/{file...}", s.serveMedia)
	mux.HandleFunc("GET /o/{code}", s.offer)
	mux.HandleFunc("POST /o/{code}", s.enter)
	if s.cfg.Page == nil {
		pages := page.Config{Studies: s.studies, Files: s.files, Root: s.cfg.Prefix, Reach: s.cfg.Reach, Logger: s.log, Welcome: s.keepToken, Place: s.keepPlace, First: s.firstStudy,
			Packs: s.cfg.Core != nil || pack.Has(),
			Who:   func(ctx context.Context) (bool, string, string) { w := asker(ctx); return w.Owner, w.Study, w.Rater }}
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

// welcome answers a rater's address with the host's page, and leaves her token with the browser. Anybody may; a token
// nobody has is a 404, one that no longer works a 410.
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
