package server

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/internal/page"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// recordingMux is a mux that knows its patterns, so that a test can try every one of them.
type recordingMux struct {
	*http.ServeMux
	patterns []string
}

func (m *recordingMux) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	m.patterns = append(m.patterns, pattern)
	m.ServeMux.HandleFunc(pattern, handler)
}

// routes lays out the API and everything round it.
func (s *Server) routes() (http.Handler, error) {
	mux := &recordingMux{ServeMux: http.NewServeMux()}
	s.mux = mux
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
		Transformers:                 []huma.Transformer{locate, problem.Complete(gate.RequestID)},
	})
	s.api.UseMiddleware(s.gate.Authorize)
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
	mux.HandleFunc("POST /o/{code}", s.signIn)
	if s.cfg.Page == nil {
		pages := page.Config{Studies: s.studies, Files: s.files, Root: s.cfg.Prefix, Reach: s.cfg.Reach, Logger: s.log, Welcome: s.gate.KeepToken, Packs: s.cfg.Core != nil || pack.Has(),
			First: func() string { return given(s.first.Load()) },
			Place: func(w http.ResponseWriter, r *http.Request, name, token string) {
				s.gate.SetCookie(w, r, name, token, "/r/", http.SameSiteLaxMode)
			},
			Who: func(ctx context.Context) (bool, string, string) {
				w := gate.CallerOf(ctx)
				return w.Owner, w.Study, w.Rater
			}}
		if s.cfg.Identify != nil {
			pages.Welcome = nil
		}
		page.New(pages).Register(mux)
	} else {
		mux.HandleFunc("GET /r/{token}", s.welcome)
	}
	mux.HandleFunc("/", s.notFound(mux.ServeMux))
	return s.gate.Wrap(mux), nil
}

// notFound answers what is no part of the API: the page, or a problem that says which methods there are.
func (s *Server) notFound(mux *http.ServeMux) http.HandlerFunc {
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
			s.fail(w, r, problem.New(http.StatusNotFound, "no_address", "no such address; see /openapi.json"))
		}
	}
}

// fail says what went wrong: as a page to a browser that looks at no part of the API, else as a problem.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, what error) {
	if first := strings.SplitN(r.URL.Path+"/", "/", 3)[1]; s.cfg.Page != nil || slices.Contains([]string{"v1", "m", "metrics", "openapi.json", "livez", "readyz", "healthz"}, first) {
		problem.Write(w, problem.Of(r.Context(), s.log, what))
		return
	}
	page.Fail(w, r, s.cfg.Prefix, gate.CallerOf(r.Context()).Owner, what)
}

// welcome answers a rater's address with the host's page, and leaves the token with the browser. An unknown token is a 404, an ended one a 410.
func (s *Server) welcome(w http.ResponseWriter, r *http.Request) {
	if _, err := s.studies.Tokens.Link(r.Context(), r.PathValue("token")); err != nil {
		problem.Write(w, problem.Of(r.Context(), s.log, err))
		return
	}
	s.gate.KeepToken(w, r, r.PathValue("token"))
	s.cfg.Page.ServeHTTP(w, r)
}

var errUsed = problem.New(http.StatusForbidden, "used", "this address was already used, or never existed: create a new one where the server runs")

// offer answers the address of OwnerLink with a page whose button signs in: a chat that previews addresses must not use it up.
func (s *Server) offer(w http.ResponseWriter, r *http.Request) {
	if !s.gate.IsOwnerCode(r.PathValue("code")) {
		s.fail(w, r, errUsed)
		return
	}
	page.SignIn(w, r, s.cfg.Prefix, r.PathValue("code"))
}

// signIn makes a browser the owner's, the first that presses the button; for any other it is a 403.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	if !s.gate.SignIn(w, r, r.PathValue("code")) {
		s.fail(w, r, errUsed)
		return
	}
	http.Redirect(w, r, s.cfg.Prefix+"/?in", http.StatusSeeOther)
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
	op := huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, MaxBodyBytes: maxBody, Extensions: map[string]any{gate.RoleKey: role}}
	for _, c := range change {
		c(&op)
	}
	return op
}

func replyWith(status int) func(*huma.Operation) {
	return func(op *huma.Operation) { op.DefaultStatus = status }
}

// replyAs has an operation reply with text of this type.
func replyAs(description, contentType string) func(*huma.Operation) {
	return func(op *huma.Operation) {
		op.Responses = map[string]*huma.Response{"200": {Description: description, Content: map[string]*huma.MediaType{contentType: {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	}
}

// reply adds an operation whose handler returns the reply. An error becomes a problem.
func reply[I, O any](s *Server, op huma.Operation, do func(context.Context, *I) (*O, error)) {
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := do(ctx, in)
		return out, s.explain(ctx, err, problem.Blame(err))
	})
}

// register adds an operation whose handler returns the body of the reply.
func register[I, T any](s *Server, op huma.Operation, do func(context.Context, *I) (T, error)) {
	reply(s, op, func(ctx context.Context, in *I) (*output[T], error) {
		body, err := do(ctx, in)
		return &output[T]{body}, err
	})
}

// registerChange adds an operation whose reply is empty.
func registerChange[I any](s *Server, op huma.Operation, do func(context.Context, *I) error) {
	reply(s, op, func(ctx context.Context, in *I) (*struct{}, error) { return nil, do(ctx, in) })
}

// look looks at the shared utility of a study, or that of the rater who is named, for callers who may see its results.
func look[T any](ctx context.Context, s *Server, in gate.Look, do func(open *live.Study, l prefer.Look) (T, error)) (out T, err error) {
	rater, err := gate.RaterOf(ctx, in.Rater)
	if err == nil {
		err = live.CheckRater(rater)
	}
	if err != nil {
		return out, s.explain(ctx, err, "query")
	}
	return live.In(ctx, s.studies, in.Study, func(open *live.Study) (out T, err error) {
		if err := open.MayLook(gate.CallerOf(ctx).Owner); err != nil {
			return out, err
		}
		if open.Config.People == prefer.PerRater && rater == "" {
			return out, problem.Field("query.rater", nil, "each rater of this study has their own result: name one with ?rater=, or see /group")
		}
		l := prefer.Look{Rater: rater}
		if l.Fixed, err = open.ReadFixed(in.Fixed); err != nil {
			return out, s.explain(ctx, err, "query.fixed")
		}
		out, err = do(open, l)
		if errcode.Of(err) == "context" || errcode.Of(err) == "option" {
			err = s.explain(ctx, err, "query.fixed")
		}
		return out, err
	})
}

// explain makes a problem of an error; location is the field to blame if the caller knows one.
func (s *Server) explain(ctx context.Context, err error, location string) error {
	return problem.Explain(ctx, s.log, err, location)
}

// jsonFormat reads what it is sent to the letter, and writes JSON without escaping what only HTML minds.
var jsonFormat = huma.Format{Unmarshal: readJSON, Marshal: func(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}}

// readJSON reads a body. It is called twice: into any, which is held against the schema, and then into what the operation takes.
func readJSON(data []byte, v any) error {
	if _, first := v.(*any); first {
		if err := strictjson.Text(data); err != nil {
			return err
		}
		return json.Unmarshal(data, v)
	}
	if err := strictjson.Decode(data, v); err != nil {
		return err
	}
	return strictjson.NoNull(data)
}

var named = regexp.MustCompile(`^(\S+) is null:|^json: unknown field "([^"]+)"|^field in the wrong case: "([^"]+)"`)

// locate blames the field that readJSON names, where huma blames the body, and quotes all of it.
func locate(_ huma.Context, _ string, v any) (any, error) {
	if p, ok := v.(*huma.ErrorModel); ok {
		for _, e := range p.Errors {
			if m := named.FindStringSubmatch(e.Message); m != nil && e.Location == "body" {
				e.Location, e.Value = "body."+m[1]+m[2]+m[3], nil
			}
		}
	}
	return v, nil
}
