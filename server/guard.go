package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
)

// guard is what every request passes before its handler: panics, headers, the host, the limits, identity, and requests from other sites.
func (s *Server) guard(next http.Handler) http.Handler {
	inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		id := r.Header.Get(problem.RequestID)
		if !sane.MatchString(id) {
			id = rand.Text()[:16] // 80 bits
		}
		w.Header().Set(problem.RequestID, id)
		c := &record{id: id, remote: s.address(r), r: r}
		ctx, t := live.WithTimes(context.WithValue(r.Context(), recordKey{}, c))
		c.r = spell(r.WithContext(ctx))
		if r.Body != nil {
			c.r.Body = transfer{r.Body}
		}
		out := &reply{ResponseWriter: w}
		s.metrics.running.Add(1)
		defer s.metrics.running.Add(-1)
		defer func() { s.rescue(ctx, out, c, recover(), start) }()
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Cache-Control", "no-store")
		if permit(h, c.r) && s.local(r.Host) {
			out.WriteHeader(http.StatusNoContent)
			return
		}
		who, refusal := s.screen(h, c.r)
		if refusal != nil {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.stall)) // net/http reads some of the body before it replies
			s.fail(out, c.r, refusal)
			return
		}
		if who.Owner {
			out.times = t // to a rater they would tell a hidden check from a question that was searched for
		}
		c.r = c.r.WithContext(context.WithValue(ctx, identityKey{}, who))
		next.ServeHTTP(out, c.r)
	})
	if s.cfg.Prefix == "" {
		return inner
	}
	return http.StripPrefix(s.cfg.Prefix, inner)
}

var cross http.CrossOriginProtection

// screen finds out who is behind a request, or why nobody may make it. h is the header of the reply.
func (s *Server) screen(h http.Header, r *http.Request) (Identity, *huma.ErrorModel) {
	if !s.local(r.Host) {
		return Identity{}, problem.New(http.StatusMisdirectedRequest, "host", "this server does not answer to the name "+strconv.Quote(r.Host)+"; see Config.Hosts")
	}
	who, ok, err := s.identify(r)
	if err != nil {
		return who, problem.Of(r.Context(), s.log, err)
	}
	if wait, ok := s.count(r, who); !ok {
		h.Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		return who, problem.New(http.StatusTooManyRequests, "too_many", "too many requests; wait a moment")
	}
	_, token := bearer(r)
	switch public := s.public(r.URL.Path); {
	case !ok && !public && s.cfg.Identify != nil:
		return who, problem.New(http.StatusUnauthorized, "nobody", "nobody is signed in: the program that this is a part of says who you are")
	case !ok && !public:
		h.Set("WWW-Authenticate", "Bearer")
		return who, stranger(who, token)
	case who.scrape && !public && r.URL.Path != "/metrics":
		return who, problem.New(http.StatusForbidden, "scrape_only", "this token reads /metrics and nothing else")
	case who.upload != "" && !public && r.URL.Path != uploadPath:
		return who, problem.New(http.StatusForbidden, "upload_only", "this token uploads logs to "+uploadPath+" and does nothing else")
	case !token && !strings.HasPrefix(r.URL.Path, "/o/") && cross.Check(r) != nil || // who can send a browser to /o/ knows the secret; its form has no origin
		s.access.open && r.Header.Get("Sec-Fetch-Site") == "cross-site" && strings.HasPrefix(r.URL.Path, "/v1/") && who.upload == "": // reading costs something, too
		return who, problem.New(http.StatusForbidden, "cross_site", "another site sent the browser here")
	case r.ContentLength != 0 && r.Method != http.MethodGet && r.Method != http.MethodHead && !readable(r):
		return who, problem.New(http.StatusUnsupportedMediaType, "content_type", "the body must be application/json, not "+strconv.Quote(r.Header.Get("Content-Type")))
	}
	return who, nil
}

// Who may call an operation. TestMatrix holds every operation to it.
const (
	forOwner  = "owner"
	forRater  = "rater"  // a rater too, in her study
	forResult = "result" // a rater too, if her study shows results
	forAll    = "all"    // whoever is known
	forUpload = "upload" // who has an upload token, and nobody else
)

// whoKey is where an operation says who may call it, in the description of the API as well.
const whoKey = "x-who"

// admit lets a request through to its operation if who is behind it may call that.
func (s *Server) admit(ctx huma.Context, next func(huma.Context)) {
	who := asker(ctx.Context())
	role, _ := ctx.Operation().Extensions[whoKey].(string)
	_, w := humago.Unwrap(ctx)
	var refusal *huma.ErrorModel
	switch {
	case role == forUpload && who.upload == "":
		refusal = uploadersOnly
	case role == forUpload || who.Owner || role == forAll:
	case role != forRater && role != forResult: // an operation that does not say is the owner's
		refusal = ownersOnly
	case !who.mayEnter(ctx.Param("study")):
		refusal = otherStudy
	case who.pending && ctx.Method() != http.MethodGet:
		if err := s.studies.Tokens.Claim(ctx.Context(), who.token); err != nil {
			refusal = problem.Of(ctx.Context(), s.log, err)
		}
	}
	if refusal != nil {
		problem.Write(w, refusal)
		return
	}
	next(ctx)
}

// What those hear who come to the wrong door.
var (
	ownersOnly    = problem.New(http.StatusForbidden, "owner_only", "only the owner of the studies may do this")
	uploadersOnly = problem.New(http.StatusForbidden, "upload_token", "an upload token is needed, and no other: the owner makes one, and imports by /v1/studies/{study}/import herself")
	otherStudy    = problem.New(http.StatusForbidden, "other_study", "this token belongs to another study")
)

// rescue makes a problem of a panic, and counts the request.
func (s *Server) rescue(ctx context.Context, w *reply, c *record, p any, start time.Time) {
	if b, ok := p.(broken); ok {
		if p = nil; w.status == 0 {
			b.refuse(w)
		}
	}
	if p != nil {
		if p == http.ErrAbortHandler {
			panic(p)
		}
		s.log.ErrorContext(ctx, "a request panicked", "panic", p, "stack", string(debug.Stack()))
		if w.status == 0 {
			problem.Write(w, problem.New(http.StatusInternalServerError, "internal", "something went wrong in the server; its log says what"))
		}
	}
	w.status = cmp.Or(w.status, http.StatusOK) // of an empty reply
	took := time.Since(start)
	s.metrics.answered(c.operation(), w.status, took, w.streams())
	s.logRequest(ctx, c, w, took)
}

// writeLimit is how long a reply may take to send, from its first byte on: http.Server counts from the request's header, and an upload may take long.
const writeLimit = 2 * time.Minute

// reply remembers the status, and adds the times to the header before it is written.
type reply struct {
	http.ResponseWriter
	times  *live.Times // nil: not for who asks
	status int
	bytes  int64 // written
}

// streams reports whether the reply is one that goes on until somebody leaves.
func (w *reply) streams() bool { return w.Header().Get("Content-Type") == "text/event-stream" }

func (w *reply) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
		if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests && w.Header().Get("Retry-After") == "" {
			w.Header().Set("Retry-After", problem.RetryAfter)
		}
		if w.times != nil {
			if t := w.times.String(); t != "" {
				w.Header().Set("Server-Timing", t)
			}
		}
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(writeLimit)) // a writer without deadlines is a test's
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *reply) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController flush.
func (w *reply) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// local reports whether the server answers to a name. Without a token, a name that an attacker points here (DNS rebinding) must not count as the owner's.
func (s *Server) local(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	if slices.Contains(s.cfg.Hosts, host) || slices.Contains(s.cfg.Hosts, name) {
		return true
	}
	if len(s.cfg.Hosts) > 0 || s.access.open {
		ip := net.ParseIP(name)
		return name == "localhost" || ip != nil && ip.IsLoopback()
	}
	return true
}

// public reports whether an address is for everybody: the description, probes and, unless the host identifies users, pages, which hold no data.
func (s *Server) public(path string) bool {
	switch {
	case path == "/openapi.json" || isProbe(path) || strings.HasPrefix(path, "/page/"):
		return true
	case s.cfg.Identify != nil:
		return false
	}
	return !strings.HasPrefix(path, "/v1/") && !strings.HasPrefix(path, "/m/") && path != "/metrics"
}

// readable reports whether some operation reads bodies of this type. Forms of other sites are none, except uploads, which the check of the origin stops.
func readable(r *http.Request) bool {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch kind = strings.ToLower(strings.TrimSpace(kind)); {
	case kind == "application/json":
		return true
	case strings.HasSuffix(r.URL.Path, "/import"):
		return true
	case r.URL.Path == uploadPath:
		return kind == "application/jsonl" || kind == "application/x-ndjson" || kind == "text/plain"
	case strings.HasSuffix(r.URL.Path, "/items") || r.URL.Path == "/v1/media" || r.URL.Path == "/start/files" || strings.HasPrefix(r.URL.Path, "/s/") && strings.HasSuffix(r.URL.Path, "/files"):
		return kind == "multipart/form-data"
	}
	return false
}

// verbs are the operations that may also be written study:verb.
var verbs = regexp.MustCompile(`^(/v1/studies/[^/]+):(ask|tell|undo|predict|enqueue|import|items|links)$`)

// spell rewrites study:verb to study/verb.
func spell(r *http.Request) *http.Request {
	if r.Method != http.MethodPost {
		return r
	}
	m := verbs.FindStringSubmatch(r.URL.EscapedPath())
	if m == nil {
		return r
	}
	u := *r.URL
	u.RawPath = m[1] + "/" + m[2]
	if at := strings.LastIndexByte(u.Path, ':'); at >= 0 {
		u.Path = u.Path[:at] + "/" + u.Path[at+1:]
	}
	r.URL = &u // r is a copy
	return r
}

// permit allows pages of any origin, files among them, to call the one address that takes an upload token. It reports whether the request was a preflight.
func permit(h http.Header, r *http.Request) (asked bool) {
	if r.URL.Path != uploadPath {
		return false
	}
	h.Set("Access-Control-Allow-Origin", "*") // with which browsers send no cookies along
	h.Set("Access-Control-Expose-Headers", "Retry-After, "+problem.RequestID)
	if r.Method != http.MethodOptions {
		return false
	}
	h.Set("Access-Control-Allow-Methods", http.MethodPost)
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
	h.Set("Access-Control-Max-Age", "600")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" { // a page on the web, and a server in the house
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	return true
}

// transfer is the body of a request. Reading one that breaks off, other than by a timeout, panics with broken, of which guard makes a 400 in place of a 500.
type transfer struct{ io.ReadCloser }

// broken is why a transfer broke off: a chunk that is none, an end before the promised length, a client that is gone.
type broken struct{ error }

func (t transfer) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	var late net.Error
	if err == nil || err == io.EOF || errors.As(err, &late) && late.Timeout() {
		return n, err
	}
	panic(broken{err})
}

// refuse answers whoever sent it, if she is still there.
func (b broken) refuse(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	problem.Write(w, problem.New(http.StatusBadRequest, "transfer", "the body broke off, and nothing was done: "+b.Error()))
}
