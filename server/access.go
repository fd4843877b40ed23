package server

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

	"github.com/prefer-bo/prefer/internal/page"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/server/problem"

	"github.com/danielgtaylor/huma/v2"
)

// minOwnerToken is the shortest token an owner may choose.
const minOwnerToken = 16

// Cookies that stand in for a bearer token where a page cannot send one: images and event streams.
const (
	ownerCookie = "prefer_owner"
	raterCookie = "prefer_rater"
)

// Identity is who is behind a request: the owner, who may do everything, or a rater. The zero value is nobody.
type Identity struct {
	Owner bool

	// Rater is the name her answers are kept under. She cannot ask, answer or look in another's name.
	Rater string

	// Study is the one study she may answer in; empty: any.
	Study string

	key     string      // what her requests are counted under
	token   string      // hers, if she has one
	pending bool        // a guest of whom nothing is kept yet
	refused *live.Error // why her token is nobody's
	scrape  bool        // what collects numbers: /metrics is for it, and nothing else
	upload  string      // the id of an upload token of Study: uploadPath is for it, and nothing else
	guest   bool        // came through a link for everybody
}

// mayEnter reports whether the request may be about a study.
func (w Identity) mayEnter(study string) bool {
	return w.Owner || w.Rater != "" && (w.Study == "" || w.Study == study)
}

type identityKey struct{}

// asker returns who is behind the request of a context.
func asker(ctx context.Context) Identity {
	w, _ := ctx.Value(identityKey{}).(Identity)
	return w
}

// speaker returns the rater a request is about, if whoever is behind it may speak for her.
func speaker(ctx context.Context, rater string) (string, error) {
	switch w := asker(ctx); {
	case w.Owner:
		return rater, nil
	case rater == "" || rater == w.Rater:
		return w.Rater, nil
	}
	return "", problem.New(http.StatusForbidden, "other_rater", fmt.Sprintf("this token belongs to another rater than %q", rater))
}

// access knows the owner, and the one-time addresses that make a browser the owner's.
type access struct {
	open   bool     // no token, and no host that says: whoever gets here is the owner
	owner  [32]byte // hash of the token
	cookie [32]byte // hash of what the owner's browser keeps
	scrape [32]byte // hash of the token for /metrics

	mu   sync.Mutex
	once map[[32]byte]bool
}

func newAccess(cfg Config) *access {
	return &access{open: cfg.OwnerToken == "" && cfg.Identify == nil, owner: sha256.Sum256([]byte(cfg.OwnerToken)),
		cookie: sha256.Sum256([]byte(cookieOf(cfg.OwnerToken))), scrape: sha256.Sum256([]byte(cfg.ScrapeToken)), once: map[[32]byte]bool{}}
}

// cookieOf returns what the owner's browser keeps: not the token itself, which may be in use elsewhere.
func cookieOf(token string) string {
	sum := sha256.Sum256([]byte("prefer owner cookie " + token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func same(a [32]byte, text string) bool {
	b := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// identify finds out who is behind a request: by Config.Identify alone if set, else a bearer token before a cookie, the owner's before a rater's.
func (s *Server) identify(r *http.Request) (w Identity, ok bool, err error) {
	if s.cfg.Identify != nil {
		w, err = s.cfg.Identify(r)
		w.key = "rater " + w.Rater
		return w, err == nil && (w.Owner || w.Rater != ""), err
	}
	owner := Identity{Owner: true}
	token, has := bearer(r)
	if !has && r.URL.Path == uploadPath { // to which a cookie says nothing
		return w, false, nil
	}
	if has {
		if !s.access.open && same(s.access.owner, token) {
			return owner, true, nil
		}
		if s.cfg.ScrapeToken != "" && same(s.access.scrape, token) {
			return Identity{scrape: true, key: "scrape"}, true, nil
		}
		return s.named(r.Context(), token)
	}
	if s.access.open {
		return owner, true, nil
	}
	if c, err := r.Cookie(ownerCookie); err == nil && same(s.access.cookie, c.Value) {
		return owner, true, nil
	}
	if c, err := r.Cookie(raterCookie); err == nil {
		return s.named(r.Context(), c.Value)
	}
	return Identity{}, false, nil
}

func bearer(r *http.Request) (string, bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// named returns whose token it is: one for everybody is nobody's, and only opens the page that gives a name.
func (s *Server) named(ctx context.Context, secret string) (Identity, bool, error) {
	t, err := s.studies.Tokens.Find(ctx, secret)
	if refused, ok := errors.AsType[*live.Error](err); ok {
		return Identity{refused: refused}, false, nil
	}
	switch {
	case err != nil || t.Kind == token.Shared:
		return Identity{}, false, err
	case t.Kind == token.Upload:
		return Identity{upload: t.ID, Study: t.Study, key: t.Key}, true, nil
	}
	return Identity{Study: t.Study, Rater: t.Rater, key: countedAs(t), token: secret, pending: t.Pending, guest: t.Through != ""}, true, nil
}

// stranger is what somebody hears who needs a token and has none, or one that is nobody's or no longer hers.
func stranger(who Identity, bearer bool) *huma.ErrorModel {
	switch {
	case who.refused != nil && who.refused.Code != live.NoLink:
		return problem.New(http.StatusUnauthorized, string(who.refused.Code), who.refused.Detail)
	case bearer:
		return problem.New(http.StatusUnauthorized, "token", "nobody has this token, or no longer")
	}
	return problem.New(http.StatusUnauthorized, "token", "a token is needed: Authorization: Bearer …")
}

// still reports whether a token is as good as it was. Who has none does not lose it.
func (s *Server) still(ctx context.Context, who Identity) bool {
	if who.token == "" {
		return true
	}
	_, ok, err := s.named(ctx, who.token)
	return ok || err != nil // a store that cannot be reached says nothing about her
}

// OwnerLink returns the path of a page with a button that makes the browser which presses it first the owner's. It works once.
func (s *Server) OwnerLink() string {
	code := token.NewSecret()
	s.access.mu.Lock()
	s.access.once[sha256.Sum256([]byte(code))] = true
	s.access.mu.Unlock()
	return s.cfg.Prefix + "/o/" + code
}

// enters reports whether a code makes a browser the owner's, and if it is used does so for the last time.
func (a *access) enters(code string, use bool) bool {
	sum := sha256.Sum256([]byte(code))
	a.mu.Lock()
	defer a.mu.Unlock()
	ok := a.once[sum]
	if use {
		delete(a.once, sum)
	}
	return ok
}

var errUsed = problem.New(http.StatusForbidden, "used", "this address was used already, or never existed: ask for a new one where the server runs")

// offer answers the address of OwnerLink with a page whose button enters: a chat that previews addresses must not use it up.
func (s *Server) offer(w http.ResponseWriter, r *http.Request) {
	if !s.access.enters(r.PathValue("code"), false) {
		s.fail(w, r, errUsed)
		return
	}
	page.SignIn(w, r, s.cfg.Prefix, r.PathValue("code"))
}

// enter makes a browser the owner's, the first that presses the button; for any other it is a 403.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	if !s.access.enters(r.PathValue("code"), true) {
		s.fail(w, r, errUsed)
		return
	}
	if !s.access.open {
		s.setCookie(w, r, ownerCookie, cookieOf(s.cfg.OwnerToken), "/", http.SameSiteStrictMode)
	}
	http.Redirect(w, r, s.cfg.Prefix+"/?in", http.StatusSeeOther)
}

// keepToken leaves a rater's token with the browser.
func (s *Server) keepToken(w http.ResponseWriter, r *http.Request, token string) {
	s.setCookie(w, r, raterCookie, url.PathEscape(token), "/", http.SameSiteLaxMode)
}

// setCookie leaves a cookie with a browser, for https alone if TLS, any proxy or Config.PublicURL says so: a false claim only makes it safer.
func (s *Server) setCookie(w http.ResponseWriter, r *http.Request, name, value, path string, site http.SameSite) {
	first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",") // the proxy the browser spoke to
	secure := r.TLS != nil || strings.EqualFold(strings.TrimSpace(first), "https") || strings.HasPrefix(s.cfg.PublicURL, "https://")
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: s.cfg.Prefix + path, HttpOnly: true, SameSite: site, Secure: secure, MaxAge: 30 * 24 * 3600})
}
