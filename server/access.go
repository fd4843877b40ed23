package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
)

// minOwnerToken is the shortest token an owner may choose.
const minOwnerToken = 16

// Cookies that stand in for a bearer token where a page cannot send one: images and event streams.
const (
	ownerCookie = "prefer_owner"
	raterCookie = "prefer_rater"
)

// who is behind a request.
type who struct {
	owner bool
	study string // the one study a rater may see
	rater string // her name in it
	key   string // what her requests are counted under
}

// mayBe reports whether the request may speak for a rater, and returns the name to use.
func (w who) mayBe(rater string) (string, bool) {
	if w.owner {
		return rater, true
	}
	if rater == "" {
		return w.rater, true
	}
	return rater, rater == w.rater
}

type whoKey struct{}

// asker returns who is behind the request of a context.
func asker(ctx context.Context) who {
	w, _ := ctx.Value(whoKey{}).(who)
	return w
}

// access knows the owner, and the one-time addresses that make a browser the owner's.
type access struct {
	open   bool     // no token: whoever gets here is the owner
	owner  [32]byte // hash of the token
	cookie [32]byte // hash of what the owner's browser keeps

	mu   sync.Mutex
	once map[[32]byte]bool
}

func newAccess(cfg Config) *access {
	return &access{open: cfg.OwnerToken == "", owner: sha256.Sum256([]byte(cfg.OwnerToken)),
		cookie: sha256.Sum256([]byte(cookieOf(cfg.OwnerToken))), once: map[[32]byte]bool{}}
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

// newToken returns 128 bits that nobody can guess, in 22 characters.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// linkNote returns the name of the note a rater's token is kept under: a hash, so that who reads the store
// cannot answer for her.
func linkNote(token string) string {
	sum := sha256.Sum256([]byte(token))
	return "link " + hex.EncodeToString(sum[:])
}

// identify finds out who is behind a request. A bearer token counts before a cookie, and the owner's before a
// rater's. ok is false for a token nobody has, and for none where one is needed.
func (s *Server) identify(r *http.Request) (w who, ok bool, err error) {
	if token, has := bearer(r); has {
		if !s.access.open && same(s.access.owner, token) {
			return who{owner: true}, true, nil
		}
		return s.named(r.Context(), token)
	}
	if s.access.open {
		return who{owner: true}, true, nil
	}
	if c, err := r.Cookie(ownerCookie); err == nil && same(s.access.cookie, c.Value) {
		return who{owner: true}, true, nil
	}
	if c, err := r.Cookie(raterCookie); err == nil {
		return s.named(r.Context(), c.Value)
	}
	return who{}, false, nil
}

func bearer(r *http.Request) (string, bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// named is rater for those who have a name: a token for everybody only opens the page that gives one.
func (s *Server) named(ctx context.Context, token string) (who, bool, error) {
	w, ok, err := s.rater(ctx, token)
	if w.rater == "" {
		return who{}, false, err
	}
	return w, ok, err
}

// rater returns whose token it is.
func (s *Server) rater(ctx context.Context, token string) (who, bool, error) {
	note, ok, err := s.cfg.Store.FindNote(ctx, "", linkNote(token))
	if err != nil || !ok {
		return who{}, false, err
	}
	return who{study: note.Study, rater: note.Rater, key: note.Name}, true, nil
}

// OwnerLink returns a path that makes the browser which opens it first the owner's. It works once.
func (s *Server) OwnerLink() string {
	code := newToken()
	s.access.mu.Lock()
	s.access.once[sha256.Sum256([]byte(code))] = true
	s.access.mu.Unlock()
	return s.cfg.Prefix + "/o/" + code
}

// enter answers the address of OwnerLink.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	sum := sha256.Sum256([]byte(r.PathValue("code")))
	s.access.mu.Lock()
	ok := s.access.once[sum]
	delete(s.access.once, sum)
	s.access.mu.Unlock()
	if !ok {
		writeProblem(w, refuse(http.StatusForbidden, "used", "this address was used already, or never existed: ask for a new one where the server runs"))
		return
	}
	if !s.access.open {
		s.setCookie(w, r, ownerCookie, cookieOf(s.cfg.OwnerToken), http.SameSiteStrictMode)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, s.cfg.Prefix+"/", http.StatusSeeOther)
}

func (s *Server) setCookie(w http.ResponseWriter, r *http.Request, name, value string, site http.SameSite) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: s.cfg.Prefix + "/", HttpOnly: true, SameSite: site,
		Secure: s.secure(r), MaxAge: 30 * 24 * 3600})
}

// secure reports whether a browser came over https, as far as anybody says so. Whoever lies can only make a
// cookie safer than it need be, so a proxy's word is taken from anywhere; that it was http is not believed.
func (s *Server) secure(r *http.Request) bool {
	first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",") // the proxy the browser spoke to
	return r.TLS != nil || strings.EqualFold(strings.TrimSpace(first), "https") || strings.HasPrefix(s.cfg.PublicURL, "https://")
}
