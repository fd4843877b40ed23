package page

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// Config is what the pages need of the server they belong to.
type Config struct {
	// Studies is what the pages are about, and Files the media of items.
	Studies *live.Studies
	Files   *media.Files

	// Root is the prefix the server is mounted at.
	Root string

	// Reach lists where others reach the server, for an owner who came by an address that only this machine has.
	Reach []string

	// Who identifies the sender of a request: the owner, or a rater and the one study they may see, any if that is empty.
	Who func(context.Context) (owner bool, study, rater string)

	// Welcome leaves a rater's token with the browser, for images and event streams. Nil: there are no tokens, and Who alone says who somebody is.
	Welcome func(w http.ResponseWriter, r *http.Request, token string)

	// Place leaves with a browser, as the cookie of this name, where it is known by a link for everybody.
	Place func(w http.ResponseWriter, r *http.Request, name, token string)

	// Alone says that a rater has the study alone, in a file that holds it, with its history where the result is shown; Send that answers can be sent.
	Alone, Send bool

	// Packs says that the server can put a study into one file.
	Packs bool

	// First names the study that the server was opened with: the address of the server shows its contact sheet as long as nobody has answered. Nil: none.
	First func() string

	Logger *slog.Logger
}

// Pages are the handlers of the pages.
type Pages struct {
	Config
	moments struct { // readings that were worked out
		sync.Mutex
		known map[moment]timeline.Moment
	}
}

// New returns the pages of a server.
func New(c Config) *Pages { return &Pages{Config: c} }

// show is a page of a study.
type show func(http.ResponseWriter, *http.Request, visitor) error

// mux is what the pages are registered with.
type mux interface {
	HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request))
}

// Register lays out the pages. Those that change the study or show other people are the owner's.
func (p *Pages) Register(mux mux) {
	mux.HandleFunc("GET /page/{file}", static)
	for pattern, show := range map[string]show{"GET ": p.answer, "GET /result": p.named(p.results(p.result)), "GET /details": p.named(p.results(p.details)), "GET /map": p.results(p.mapOf), "GET /path": p.results(p.path), "GET /draw": p.draw, "GET /text": p.text,
		"GET /learned": p.learned, "GET /ending": p.ending, "GET /ahead": p.ahead, "POST /lost": p.lost} {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" /s/{study}"+path, p.visit(show))
		mux.HandleFunc(method+" /r/{token}"+path, p.visit(show))
	}
	mux.HandleFunc("GET /s/{study}/history", p.visit(p.ownersOnly(p.named(p.results(p.history)), true)))
	mux.HandleFunc("POST /s/{study}/flip", p.visit(p.ownersOnly(p.flip, true)))
	p.registerOwner(mux)
}

// results turns away visitors who may not see the result, reads what is fixed, by default the visitor's last contexts, and has an owner look at the rater of the query.
func (p *Pages) results(next func(http.ResponseWriter, *http.Request, visitor, space.Option) error) show {
	return func(w http.ResponseWriter, r *http.Request, v visitor) error {
		if v.MayLook(v.owner) != nil {
			return errHidden
		}
		q := r.URL.Query()
		fixed, err := v.ReadFixed(q["fixed"]...)
		if err != nil {
			return problem.Explain(r.Context(), p.Logger, err, "query.fixed")
		}
		if fixed == nil {
			fixed = v.settled()
		}
		if q.Has("rater") && v.owner && v.Config.People == prefer.PerRater {
			if err := v.lookAt(r.Context(), q.Get("rater")); err != nil {
				return err
			}
		}
		return next(w, r, v, fixed)
	}
}

// keep returns what the query of a part of the result page says of the rest of it.
func keep(q url.Values) []NameValue {
	return xslices.Map(xslices.Filter([]string{"rater", "fixed"}, q.Has), func(name string) NameValue { return NameValue{name, q.Get(name)} })
}

// must returns what is embedded in the program.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// try says what went wrong if do fails.
func (p *Pages) try(do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := do(w, r); err != nil {
			owner, _, _ := p.Who(r.Context())
			Fail(w, r, p.Root, owner && r.PathValue("token") == "", problem.Explain(r.Context(), p.Logger, err, ""))
		}
	}
}

// forOwner denies everybody else.
func (p *Pages) forOwner(do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return p.try(func(w http.ResponseWriter, r *http.Request) error {
		if owner, _, _ := p.Who(r.Context()); !owner {
			return problem.New(http.StatusForbidden, "owner_only", "This page is for the owner of the studies. Open the address printed when the server started.")
		}
		return do(w, r)
	})
}

var errOwnersOnly = problem.New(http.StatusForbidden, "owner_only", "This page is for the owner of the study. If you were invited, use your personal link.")

// ownersOnly shows a page to the owner alone or, if alone is true, also to the rater of a packed file whose result may be seen.
func (p *Pages) ownersOnly(next show, alone bool) show {
	return func(w http.ResponseWriter, r *http.Request, v visitor) error {
		if v.owner || alone && p.Alone && v.Settings.ShowResult {
			return next(w, r, v)
		}
		return errOwnersOnly
	}
}

// visit finds the study and who is there, and shows a page.
func (p *Pages) visit(next show) http.HandlerFunc {
	return p.try(func(w http.ResponseWriter, r *http.Request) error { return p.arrive(w, r, next) })
}

func (p *Pages) arrive(w http.ResponseWriter, r *http.Request, next show) error {
	ctx := r.Context()
	owner, study, rater := p.Who(ctx)
	v := visitor{owner: owner, rater: rater, token: r.PathValue("token")}
	name := r.PathValue("study")
	if v.token != "" {
		if p.Welcome == nil {
			return problem.New(http.StatusNotFound, string(live.NoLink), "Links are off on this server. Open the page where you are signed in.")
		}
		link, err := p.Studies.Tokens.Link(ctx, v.token)
		if err != nil {
			return err
		}
		if link.Everybody {
			return p.welcome(w, r, link)
		}
		v.owner, v.rater, name = false, link.Rater, link.Study
		v.base = p.Root + "/r/" + url.PathEscape(v.token)
		p.Welcome(w, r, v.token)
	} else {
		if !owner && (p.Welcome != nil || study != "" && study != name) {
			return errOwnersOnly
		}
		v.base = p.Root + "/s/" + url.PathEscape(name)
	}
	return p.Studies.With(ctx, name, func(open *live.Study) error {
		v.Study = open
		lang, fixed := language.Of(open.Settings.Page.Language)
		if !fixed {
			lang = speaks(r)
		}
		v.Presenter = view.New(open.Study, lang, open.Settings.Page.Template.Text)
		v.Terms = open.Settings.Page.Words[lang.Tag()]
		v.rater = v.self()
		if open.Settings.Page.Paused && !v.owner {
			return problem.New(http.StatusServiceUnavailable, "paused", "The study is paused. Please come back later; your answers are kept.")
		}
		return next(w, r, v)
	})
}

// write sends a page, or nothing if there is something wrong with it. It may load from here and from origins, has nothing inline, and no frames but the drawings.
func (p *Pages) write(w http.ResponseWriter, status int, origins string, view any) error {
	text, err := Render(view)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", strings.Join([]string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'", "connect-src 'self'", "img-src 'self' data:" + origins,
		"media-src 'self'" + origins, "frame-src 'self'" + origins, "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
	}, "; "))
	w.Header().Add("Vary", "Accept-Language")
	w.WriteHeader(status)
	_, err = w.Write(text)
	return err
}

// frame fills in what all pages of a study share.
func (p *Pages) frame(v visitor, title, here string) Frame {
	f := Frame{Root: p.Root, Title: title + " · prefer", Study: v.Name, Base: v.base, Token: v.token, Owner: v.owner, List: len(v.Config.Space.Items) > 0, Here: here, Lang: v.Lang, Alone: p.Alone, Send: p.Send, Shows: v.owner || v.Settings.ShowResult}
	if here != "answer" && here != "result" { // the pages of owners are in English
		f.Lang = language.Language{}
	}
	return f
}

// reply sends JSON to a script of a page.
func reply(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(v)
}

// maxBody leaves room for a template.
const maxBody = 2 << 20

// readBody reads the JSON a script of a page sent.
func readBody(w http.ResponseWriter, r *http.Request, into any) error {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		err = strictjson.Decode(text, into)
	}
	if err != nil {
		return problem.New(http.StatusUnprocessableEntity, "invalid", "invalid body: "+err.Error())
	}
	return nil
}

// static sends a script, a picture, a font, or the sheet of styles.
func static(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	file := r.PathValue("file")
	if strings.HasSuffix(file, ".woff2") {
		w.Header().Set("Cache-Control", "public, max-age=2592000") // a font of another look has another name
		w.Header().Set("Content-Type", "font/woff2")               // which not every system knows
		http.ServeFileFS(w, r, chart.Fonts, "fonts/"+file)
		return
	}
	if file != "style.css" {
		http.ServeFileFS(w, r, files, "static/"+file)
		return
	}
	http.ServeContent(w, r, "style.css", time.Time{}, strings.NewReader(sheet()))
}

// sheet is the colours, styles/base.css, and after it that of all charts and, in the order of their names, the sheets of single parts of the pages: one request for all.
var sheet = sync.OnceValue(func() string {
	base, rest := "", ""
	for _, name := range must(fs.Glob(files, "styles/*.css")) {
		if text := string(must(fs.ReadFile(files, name))); name == "styles/base.css" {
			base = text
		} else {
			rest += "\n" + text
		}
	}
	return chart.Colours + base + "\n" + chart.Style + rest
})

// Message is a page with one thing to say.
type Message struct {
	Frame
	Heading, Text string
	Go, Button    string // where a button leads, and what it says; empty for none
	Post          bool   // pressing it does something
}

// Fail says what went wrong: to a browser as a page in its language, to a script as a problem.
func Fail(w http.ResponseWriter, r *http.Request, root string, owner bool, err error) {
	what := problem.Of(r.Context(), slog.Default(), err)
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		problem.Write(w, what)
		return
	}
	in := speaks(r)
	kind := strings.TrimPrefix(what.Type, problem.Types)
	view := Message{Frame: Frame{Root: root, Owner: owner, Lang: in}, Heading: in.T("error.title"), Text: in.Sentence(what.Detail)}
	switch {
	case slices.Contains(kinds, kind):
		view.Heading, view.Text = in.T("error."+kind), in.T("error."+kind+".text")
	case what.Status >= http.StatusInternalServerError:
		view.Heading, view.Text = in.T("error.server"), in.T("error.server.text", "request", w.Header().Get(problem.RequestID))
	}
	switch {
	case kind == string(live.NameTaken):
		q := r.URL.Query()
		q.Set("anew", "1")
		view.Go, view.Button = "?"+q.Encode(), in.T("error.name_taken.go")
	case r.Method == http.MethodGet && (what.Status == http.StatusServiceUnavailable || what.Status == http.StatusTooManyRequests):
		view.Go, view.Button = r.RequestURI, in.T("error.again")
	}
	view.Title = view.Heading + " · prefer"
	_ = (&Pages{}).write(w, what.Status, "", view) // the browser may be gone
}

// kinds are the problems that raters meet, for which pages have words in every language.
var kinds = []string{
	"no_study", "no_address", "used", "token", "owner_only", "result_hidden", "too_many", "busy", "too_late", "store_unavailable",
	string(live.Paused), string(live.Closing), string(live.NoLink), string(live.LinkWithdrawn), string(live.LinkExpired), string(live.LinkRenewed),
	string(live.NameTaken), string(live.Forgotten),
}

// SignIn shows the page of the owner’s address: a button that signs the browser in.
func SignIn(w http.ResponseWriter, r *http.Request, root, code string) {
	in := speaks(r)
	_ = (&Pages{}).write(w, http.StatusOK, "", Message{Frame: Frame{Root: root, Title: "prefer", Lang: in}, Heading: in.T("enter.title"), Text: in.T("enter.text"),
		Go: root + "/o/" + url.PathEscape(code), Button: in.T("enter.go"), Post: true})
}
