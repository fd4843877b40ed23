package page

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
)

// Message is a page with one thing to say.
type Message struct {
	Frame
	Heading, Text string
	Go, Button    string // where a button leads, and what it says; empty for none
	Post          bool   // pressing it does something
}

// Fail says what went wrong, whoever is at the pages under root: to a browser as a page in its language, to a script as a problem, which
// err is or is made one.
func Fail(w http.ResponseWriter, r *http.Request, root string, owner bool, err error) {
	what := problem.Of(r.Context(), slog.Default(), err)
	if !Browses(r) {
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

// Browses reports whether whoever made a request reads pages.
func Browses(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// kinds are those of the problems that pages tell in words of their own, in every language: those that raters meet. Of others the
// owner reads what a program would.
var kinds = []string{
	"no_study", "no_address", "used", "token", "owner_only", "result_hidden", "too_many", "busy", "too_late", "store_unavailable",
	string(live.Paused), string(live.Closing), string(live.NoLink), string(live.LinkWithdrawn), string(live.LinkExpired), string(live.LinkRenewed),
	string(live.NameTaken), string(live.Forgotten),
}

// sentence makes one of words, on the owner's pages.
func sentence(text string) string { return language.English().Sentence(text) }

// Door is the page of the owner's address: a button that makes the browser hers.
func Door(w http.ResponseWriter, r *http.Request, root, code string) {
	in := speaks(r)
	_ = (&Pages{}).write(w, http.StatusOK, "", Message{Frame: Frame{Root: root, Title: "prefer", Lang: in}, Heading: in.T("door.title"), Text: in.T("door.text"),
		Go: root + "/o/" + url.PathEscape(code), Button: in.T("door.go"), Post: true})
}
