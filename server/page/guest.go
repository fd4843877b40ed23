package page

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/server/problem"
)

// seat sends everybody who comes through a link for everybody to a link of her own, under a name of her own: the participant's ID
// that a recruiting service adds to the address (PROLIFIC_PID), or a made-up one. An ID is no secret, so it opens nothing
// that somebody has answered: a browser is known by the cookie it got the first time. Who comes under a name that
// somebody has, in a browser that is not known, is told, and may begin anew (?anew=1). Nothing is kept here before
// she is asked something.
func (p *Pages) seat(w http.ResponseWriter, r *http.Request, link token.Token) error {
	q := r.URL.Query()
	id := q.Get("PROLIFIC_PID")
	sum := sha256.Sum256([]byte(link.ID + "\x00" + id))
	cookie := "prefer_place_" + hex.EncodeToString(sum[:6])
	token, ok := p.seated(r, link, id, cookie)
	if !ok {
		var err error
		if token, err = p.Studies.Tokens.Visit(r.Context(), r.PathValue("token"), id, q.Get("anew") != ""); err != nil {
			if refused, ok := errors.AsType[*live.Error](err); ok && refused.Code == live.Invalid {
				err = problem.Field("query.PROLIFIC_PID", nil, fmt.Sprintf("PROLIFIC_PID is %.40q, and %s", id, refused.Detail))
			}
			return err
		}
	}
	p.Place(w, r, cookie, token)
	path := p.Root + "/r/" + url.PathEscape(token)
	keep := url.Values{}
	for _, name := range []string{"SESSION_ID", "fixed"} {
		if q.Get(name) != "" {
			keep[name] = q[name]
		}
	}
	if len(keep) > 0 {
		path += "?" + keep.Encode()
	}
	http.Redirect(w, r, path, http.StatusSeeOther)
	return nil
}

// seated returns the token by which a browser is known: the one it got when it came through this link under this ID or, for
// those who came before there were such cookies, that of whom it answered for last, if she has the ID for a name.
func (p *Pages) seated(r *http.Request, link token.Token, id, cookie string) (token string, ok bool) {
	for _, name := range []string{cookie, "prefer_rater"} {
		c, err := r.Cookie(name)
		if err != nil {
			continue
		}
		own, err := p.Studies.Tokens.Link(r.Context(), c.Value)
		if err == nil && !own.Everybody && own.Study == link.Study && (name == cookie && own.Through == link.ID || id != "" && own.Rater == id) {
			return c.Value, true
		}
	}
	return "", false
}
