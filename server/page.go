package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/server/page"
	"github.com/prefer-bo/prefer/store"
)

// visitor is somebody at the pages of one study: the owner at /s/{study}, a rater at /r/{token}.
type visitor struct {
	*running
	who   who
	base  string // where the study's pages are for them
	token string // a rater's
}

// registerPage lays out the pages. Every page of a study exists for the owner and for raters; those that
// change the study or show other people are the owner's.
func (s *Server) registerPage(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", s.forTheOwner(s.pageStart))
	mux.HandleFunc("GET /start/sample/{demo}", s.pageSample)
	mux.HandleFunc("POST /start/demo", s.forTheOwner(s.startDemo))
	mux.HandleFunc("POST /start/params", s.forTheOwner(s.startParams))
	mux.HandleFunc("POST /start/files", s.forTheOwner(s.startFiles))
	static := http.StripPrefix("/page/", http.FileServerFS(page.Static()))
	mux.HandleFunc("GET /page/{file}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		static.ServeHTTP(w, r)
	})
	for path, show := range map[string]func(http.ResponseWriter, *http.Request, visitor) error{
		"": s.pageAnswer, "/result": s.pageResult, "/draw": s.pageDraw, "/text": s.pageText, "/learned": s.pageLearned,
	} {
		mux.HandleFunc("GET /s/{study}"+path, s.visit(show))
		mux.HandleFunc("GET /r/{token}"+path, s.visit(show))
	}
	mux.HandleFunc("GET /s/{study}/owner", s.visit(s.pageOwner))
	mux.HandleFunc("GET /s/{study}/jobs", s.visit(s.pageJobs))
	mux.HandleFunc("GET /s/{study}/qr", s.visit(s.pageQR))
	mux.HandleFunc("POST /s/{study}/flip", s.visit(s.pageFlip))
	mux.HandleFunc("POST /s/{study}/pause", s.visit(s.pagePause))
}

// forTheOwner turns everybody else away.
func (s *Server) forTheOwner(do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !asker(r.Context()).owner {
			s.fail(w, r, refuse(http.StatusForbidden, "owner_only", "This page is for the owner of the studies. Open the address that was printed where the server was started."))
			return
		}
		if err := do(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

// visit finds the study and who is there, and shows a page.
func (s *Server) visit(show func(http.ResponseWriter, *http.Request, visitor) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := s.arrive(w, r, show)
		if err != nil {
			s.fail(w, r, err)
		}
	}
}

func (s *Server) arrive(w http.ResponseWriter, r *http.Request, show func(http.ResponseWriter, *http.Request, visitor) error) error {
	ctx := r.Context()
	v := visitor{who: asker(ctx)}
	name := r.PathValue("study")
	if v.token = r.PathValue("token"); v.token != "" {
		who, ok, err := s.rater(ctx, v.token)
		if err != nil {
			return err
		}
		if !ok {
			return refuse(http.StatusNotFound, "link", "This link does not work, or no longer. Ask for a new one.")
		}
		if moved, err := s.ownLink(w, r, v.token, who); moved || err != nil {
			return err
		}
		v.who, name = who, who.study
		v.base = s.cfg.Prefix + "/r/" + url.PathEscape(v.token)
		s.setCookie(w, r, raterCookie, v.token, http.SameSiteLaxMode)
	} else {
		if !v.who.owner {
			return refuse(http.StatusForbidden, "owner_only", "This page is for the owner of the study. People who were invited have a link of their own.")
		}
		v.base = s.cfg.Prefix + "/s/" + url.PathEscape(name)
	}
	return s.with(ctx, name, func(run *running) error {
		v.running = run
		if run.settings.Page.Paused && !v.who.owner {
			return refuse(http.StatusServiceUnavailable, "paused", "The study is paused. Please come back later; your answers are kept.")
		}
		return show(w, r, v)
	})
}

// contentPolicy is what a page may do: load from here, nothing inline, no frames but the drawings. An address
// template and media elsewhere add where they load from.
func contentPolicy(origins string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:" + origins,
		"media-src 'self'" + origins, "frame-src 'self'" + origins, "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
	}, "; ")
}

// origins lists where a study's pages load from besides this server.
func (v visitor) origins() string {
	seen := map[string]bool{}
	out := ""
	add := func(origin string) {
		if origin != "" && !seen[origin] && !strings.ContainsAny(origin, " ;,'\"") {
			seen[origin] = true
			out += " " + origin
		}
	}
	add(v.settings.Page.Template.Origin())
	for _, item := range v.study.Items() {
		if u, err := url.Parse(item.Media); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
			add(u.Scheme + "://" + u.Host)
		}
		if len(seen) == maxOrigins {
			break
		}
	}
	return out
}

// maxOrigins bounds the header: media from more places than this is not a list of media.
const maxOrigins = 16

// write sends a page.
func (s *Server) write(w http.ResponseWriter, status int, origins string, view any) error {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", contentPolicy(origins))
	return page.Write(&late{w, status}, view)
}

// late writes the status with the first byte, when nothing can fail any more.
type late struct {
	http.ResponseWriter
	status int
}

func (l *late) Write(b []byte) (int, error) {
	l.WriteHeader(l.status)
	return l.ResponseWriter.Write(b)
}

// frame fills in what all pages of a study share.
func (s *Server) frame(v visitor, title, here string) page.Frame {
	return page.Frame{Root: s.cfg.Prefix, Title: title + " · prefer", Study: v.name, Base: v.base, Token: v.token, Owner: v.who.owner, Here: here}
}

// look says how options of the study are drawn.
func (v visitor) look() (page.Look, error) {
	params, err := page.JSON(v.cfg.Space.Parameters)
	return page.Look{Template: v.settings.Page.Template.Kind, Markdown: v.settings.Page.Markdown, Params: params}, err
}

// fail says what went wrong: to a browser as a page, to a script as a problem.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	var p *huma.ErrorModel
	if !errors.As(s.explain(r.Context(), err, ""), &p) {
		p = refuse(http.StatusInternalServerError, "internal", "something went wrong in the server; its log says what")
	}
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		writeProblem(w, p)
		return
	}
	heading := "That did not work"
	switch {
	case errors.Is(err, store.ErrNoStudy):
		heading = "There is no such study"
	case p.Type == problemTypes+"paused":
		heading = "A short break"
	}
	view := page.Message{Frame: page.Frame{Root: s.cfg.Prefix, Title: heading + " · prefer", Owner: asker(r.Context()).owner && r.PathValue("token") == ""}, Heading: heading, Text: p.Detail}
	if err := s.write(w, p.Status, "", view); err != nil {
		s.log.ErrorContext(r.Context(), "a page could not be written", "error", err)
	}
}

// reply sends JSON to a script of a page.
func (s *Server) reply(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(v)
}

// readBody reads the JSON a script of a page sent.
func readBody(w http.ResponseWriter, r *http.Request, into any) error {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxPageBody))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return refuse(http.StatusUnprocessableEntity, "invalid", "the body is not what it should be: "+err.Error())
	}
	return nil
}

// maxPageBody leaves room for a template.
const maxPageBody = 2 << 20

// beliefOf returns what is known about the utility the visitor answers for.
func (v visitor) beliefOf(ctx context.Context) (*prefer.Belief, error) {
	return v.study.Belief(ctx, v.utilityOf(v.who.rater))
}
