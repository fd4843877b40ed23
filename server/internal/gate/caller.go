package gate

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/server/problem"

	"github.com/danielgtaylor/huma/v2"
)

// Cookies that stand in for a bearer token where a page cannot send one: images and event streams.
const (
	OwnerCookie = "prefer_owner"
	RaterCookie = "prefer_rater"
)

// Caller is the sender of a request. The zero value is nobody.
type Caller struct {
	Owner  bool   // may do everything
	Rater  string // the name the caller's answers are kept under
	Study  string // the one study a rater may answer in; empty: any
	Upload string // the id of an upload token of Study, which UploadPath alone is for
	Scrape bool   // a program that collects metrics: /metrics is for it, and nothing else

	key     string      // what the caller's requests are counted under
	token   string      // the caller's, if there is one
	pending bool        // a guest of whom nothing is kept yet
	refused *live.Error // why the token is nobody's
	guest   bool        // came through a shared link
}

// MayEnter reports whether the request may be about a study.
func (c Caller) MayEnter(study string) bool {
	return c.Owner || c.Rater != "" && (c.Study == "" || c.Study == study)
}

type callerKey struct{}

// CallerOf returns the caller of the request of a context.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// RaterOf returns the rater that a request is about: the one it names, if the caller may speak for that rater, else the caller.
func RaterOf(ctx context.Context, named string) (string, error) {
	switch c := CallerOf(ctx); {
	case c.Owner:
		return named, nil
	case named == "" || named == c.Rater:
		return c.Rater, nil
	}
	return "", problem.New(http.StatusForbidden, "other_rater", fmt.Sprintf("this token belongs to another rater than %q", named))
}

// Look is the part of a request that says whose utility it is about, and under which conditions.
type Look struct {
	Study string `path:"study"`
	Rater string `query:"rater" maxLength:"200" doc:"The rater, in a study per rater."`
	Fixed string `query:"fixed" maxLength:"10000" doc:"Only options with these values, of contexts or other parameters: noise=quiet,hour=7 or a JSON object."`
}

// access has the hashes of the owner's secrets, and of the one-time addresses that make a browser the owner's.
type access struct {
	open   bool     // no token, and no host that says: every caller is the owner
	owner  [32]byte // hash of the token
	cookie [32]byte // hash of what the owner's browser keeps
	scrape [32]byte // hash of the token for /metrics
	once   sync.Map // by hash, the one-time addresses that were not used yet
}

// CookieOf returns what the owner's browser keeps: not the token itself, which may be in use elsewhere.
func CookieOf(token string) string {
	sum := sha256.Sum256([]byte("prefer owner cookie " + token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func same(a [32]byte, text string) bool {
	b := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// identify finds the caller of a request: by Config.Identify alone if set, else by a bearer token before a cookie, the owner's before a rater's.
func (g *Gate) identify(r *http.Request) (c Caller, ok bool, err error) {
	if g.cfg.Identify != nil {
		c, err = g.cfg.Identify(r)
		c.key = "rater " + c.Rater
		return c, err == nil && (c.Owner || c.Rater != ""), err
	}
	owner := Caller{Owner: true}
	token, has := bearer(r)
	if !has && r.URL.Path == UploadPath { // to which a cookie says nothing
		return c, false, nil
	}
	if has {
		if !g.access.open && same(g.access.owner, token) {
			return owner, true, nil
		}
		if g.cfg.ScrapeToken != "" && same(g.access.scrape, token) {
			return Caller{Scrape: true, key: "scrape"}, true, nil
		}
		return g.holder(r.Context(), token)
	}
	if g.access.open {
		return owner, true, nil
	}
	if c, err := r.Cookie(OwnerCookie); err == nil && same(g.access.cookie, c.Value) {
		return owner, true, nil
	}
	if c, err := r.Cookie(RaterCookie); err == nil {
		return g.holder(r.Context(), c.Value)
	}
	return Caller{}, false, nil
}

func bearer(r *http.Request) (string, bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// holder returns the caller with a token. A shared link is nobody's: it only opens the page that gives a name.
func (g *Gate) holder(ctx context.Context, secret string) (Caller, bool, error) {
	t, err := g.cfg.Tokens.Find(ctx, secret)
	if refused, ok := errors.AsType[*live.Error](err); ok {
		return Caller{refused: refused}, false, nil
	}
	switch {
	case err != nil || t.Kind == token.Shared:
		return Caller{}, false, err
	case t.Kind == token.Upload:
		return Caller{Upload: t.ID, Study: t.Study, key: t.Key}, true, nil
	}
	return Caller{Study: t.Study, Rater: t.Rater, key: countedAs(t), token: secret, pending: t.Pending, guest: t.Through != ""}, true, nil
}

// unauthorized is the refusal of a caller who needs a token and has none, or one that does not work.
func unauthorized(c Caller, bearer bool) *huma.ErrorModel {
	switch {
	case c.refused != nil && c.refused.Code != live.NoLink:
		return problem.New(http.StatusUnauthorized, string(c.refused.Code), c.refused.Detail)
	case bearer:
		return problem.New(http.StatusUnauthorized, "token", "this token is unknown or has been revoked")
	}
	return problem.New(http.StatusUnauthorized, "token", "a token is needed: Authorization: Bearer …")
}

// StillValid reports whether the token of a caller works as it did, also if the caller has none or the store cannot be reached.
func (g *Gate) StillValid(ctx context.Context, c Caller) bool {
	if c.token == "" {
		return true
	}
	_, ok, err := g.holder(ctx, c.token)
	return ok || err != nil
}

// OwnerLink returns the path of a page with a button that makes the browser which presses it first the owner's. It works once.
func (g *Gate) OwnerLink() string {
	code := token.NewSecret()
	g.access.once.Store(sha256.Sum256([]byte(code)), true)
	return g.cfg.Prefix + "/o/" + code
}

// IsOwnerCode reports whether a code of OwnerLink still works.
func (g *Gate) IsOwnerCode(code string) bool {
	_, ok := g.access.once.Load(sha256.Sum256([]byte(code)))
	return ok
}

// SignIn makes a browser the owner's with a code of OwnerLink, which works no longer; false if it did not work.
func (g *Gate) SignIn(w http.ResponseWriter, r *http.Request, code string) bool {
	_, ok := g.access.once.LoadAndDelete(sha256.Sum256([]byte(code)))
	if ok && !g.access.open {
		g.SetCookie(w, r, OwnerCookie, CookieOf(g.cfg.OwnerToken), "/", http.SameSiteStrictMode)
	}
	return ok
}

// KeepToken leaves a rater's token with the browser.
func (g *Gate) KeepToken(w http.ResponseWriter, r *http.Request, token string) {
	g.SetCookie(w, r, RaterCookie, url.PathEscape(token), "/", http.SameSiteLaxMode)
}

// SetCookie leaves a cookie with a browser, for https alone if TLS, any proxy or Config.PublicURL says so: a false claim only makes it safer.
func (g *Gate) SetCookie(w http.ResponseWriter, r *http.Request, name, value, path string, site http.SameSite) {
	first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",") // the proxy the browser spoke to
	secure := r.TLS != nil || strings.EqualFold(strings.TrimSpace(first), "https") || strings.HasPrefix(g.cfg.PublicURL, "https://")
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: g.cfg.Prefix + path, HttpOnly: true, SameSite: site, Secure: secure, MaxAge: 30 * 24 * 3600})
}
