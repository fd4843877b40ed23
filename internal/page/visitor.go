package page

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/space"
)

// visitor is somebody at the pages of one study: the owner or a rater at /s/{study}, a rater at /r/{token}.
type visitor struct {
	*live.Study
	view.Presenter
	owner bool
	rater string            // under which name they answer
	of    string            // what somebody else is called at whom they look
	names map[string]string // what people are called, for an owner
	base  string            // where the study's pages are for them
	token string            // a rater's
}

// self returns the name under which the visitor answers. The owner has one in a study per rater only, unless answers without a name came before.
func (v visitor) self() string {
	if !v.owner || v.rater != "" || v.Config.People != prefer.PerRater || v.Status("").Given > 0 {
		return v.rater
	}
	return token.OwnersName
}

// called is how a rater is called on an owner's pages.
func (v visitor) called(rater string) string {
	if rater == "" || rater == v.self() {
		return "you"
	}
	return cmp.Or(v.names[rater], rater)
}

// named has an owner see people by what they are called.
func (p *Pages) named(next show) show {
	return func(w http.ResponseWriter, r *http.Request, v visitor) (err error) {
		if v.owner {
			if v.names, err = p.Studies.Names(r.Context(), v.Name); err != nil {
				return err
			}
		}
		return next(w, r, v)
	}
}

// prompt returns the prompt in the language of the page; other is false if it is the study's own.
func (v visitor) prompt() (text string, other bool) {
	if text, other = v.Settings.Page.Prompts[v.Lang.Tag()]; other {
		return text, true
	}
	return v.Config.Prompt, false
}

// maxOrigins bounds the header: media from more places than this is not a list of media.
const maxOrigins = 16

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
	add(v.Settings.Page.Template.Origin())
	for _, item := range v.Items() {
		if u, err := url.Parse(item.Media); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
			add(u.Scheme + "://" + u.Host)
		}
		if len(seen) == maxOrigins {
			break
		}
	}
	return out
}

// belief returns what is known about the utility the visitor answers for, under what is fixed.
func (v visitor) belief(ctx context.Context, fixed space.Option) (*prefer.Belief, error) {
	return v.Study.Study.Belief(ctx, prefer.Look{Rater: v.Utility(v.rater), Fixed: fixed})
}
