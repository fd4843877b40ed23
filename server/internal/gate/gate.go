// Package gate is the middleware in front of every handler of the server: panics, headers, the host, authentication, rate limits, CORS, requests from other
// sites, the pace of bodies, gzip, the access log and the counts of requests.
//
// # Contents
//
//	gate  every request from its header to its handler             caller  whose request it is
//	body  bodies: of requests and their pace, of replies and gzip  limits  requests per second and at once
//	log   the access log, counts, and the end of a request
package gate

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prefer-bo/prefer/internal/histogram"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/server/problem"
	"golang.org/x/time/rate"
)

// Config describes a gate. The fields that server.Config has as well mean the same.
type Config struct {
	OwnerToken, ScrapeToken string
	Identify                func(*http.Request) (Caller, error)
	Hosts                   []string
	Prefix, PublicURL       string
	Rate, StudyRate         float64
	Proxies                 []netip.Prefix
	AccessLog               bool
	Logger                  *slog.Logger
	Now                     func() time.Time

	// Tokens has the links, guests and upload tokens.
	Tokens *token.Registry

	// Fail answers a request that was refused.
	Fail func(w http.ResponseWriter, r *http.Request, refusal error)
}

// Gate authenticates, limits, counts and logs requests. It is safe for concurrent use.
type Gate struct {
	// Stall is how long a body may bring nothing.
	Stall time.Duration

	cfg      Config
	access   *access
	limits   *limits
	requests *requests
}

// New returns a gate.
func New(cfg Config) *Gate {
	return &Gate{Stall: stalled, cfg: cfg,
		access: &access{open: cfg.OwnerToken == "" && cfg.Identify == nil, owner: sha256.Sum256([]byte(cfg.OwnerToken)),
			cookie: sha256.Sum256([]byte(CookieOf(cfg.OwnerToken))), scrape: sha256.Sum256([]byte(cfg.ScrapeToken))},
		limits:   &limits{now: cfg.Now, buckets: map[string]*rate.Limiter{}, running: map[string]int{}},
		requests: &requests{counts: map[requestKind]uint64{}, seconds: map[string]*histogram.Histogram{}}}
}

// Wrap returns the handler of Config.Prefix and everything below it: next gets the requests that pass.
func (g *Gate) Wrap(next http.Handler) http.Handler {
	inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		id := r.Header.Get(problem.RequestID)
		if !validID.MatchString(id) {
			id = rand.Text()[:16] // 80 bits
		}
		w.Header().Set(problem.RequestID, id)
		out := &reply{ResponseWriter: w}
		c := &record{id: id, remote: g.address(r), r: r, w: out}
		ctx, t := live.WithTimes(context.WithValue(r.Context(), recordKey{}, c))
		c.r = RewriteVerb(r.WithContext(ctx))
		if r.Body != nil {
			c.r.Body = transfer{r.Body}
		}
		g.requests.running.Add(1)
		defer g.requests.running.Add(-1)
		defer func() { g.finish(ctx, out, c, recover(), start) }()
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Cache-Control", "no-store")
		if allowOrigins(h, c.r) && g.answersTo(r.Host) {
			out.WriteHeader(http.StatusNoContent)
			return
		}
		who, refusal := g.authenticate(h, c.r)
		if refusal != nil {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(g.Stall)) // net/http reads some of the body before it replies
			g.cfg.Fail(out, c.r, refusal)
			return
		}
		if who.Owner {
			out.times = t // to a rater they would tell a hidden check from a question that was searched for
		}
		c.r = c.r.WithContext(context.WithValue(ctx, callerKey{}, who))
		compress(next, out, c.r)
	})
	if g.cfg.Prefix == "" {
		return inner
	}
	return http.StripPrefix(g.cfg.Prefix, inner)
}

var crossOrigin http.CrossOriginProtection

// authenticate returns the caller of a request, or why it is refused. h is the header of the reply.
func (g *Gate) authenticate(h http.Header, r *http.Request) (Caller, *huma.ErrorModel) {
	if !g.answersTo(r.Host) {
		return Caller{}, problem.New(http.StatusMisdirectedRequest, "host", "this server does not answer to the name "+strconv.Quote(r.Host)+"; see Config.Hosts")
	}
	who, ok, err := g.identify(r)
	if err != nil {
		return who, problem.Of(r.Context(), g.cfg.Logger, err)
	}
	if wait, ok := g.count(r, who); !ok {
		h.Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		return who, problem.New(http.StatusTooManyRequests, "too_many", "too many requests; wait a moment")
	}
	_, token := bearer(r)
	switch public := g.public(r.URL.Path); {
	case !ok && !public && g.cfg.Identify != nil:
		return who, problem.New(http.StatusUnauthorized, "nobody", "you are not signed in to the program that hosts this page")
	case !ok && !public:
		h.Set("WWW-Authenticate", "Bearer")
		return who, unauthorized(who, token)
	case who.Scrape && !public && r.URL.Path != "/metrics":
		return who, problem.New(http.StatusForbidden, "scrape_only", "this token reads /metrics and nothing else")
	case who.Upload != "" && !public && r.URL.Path != UploadPath:
		return who, problem.New(http.StatusForbidden, "upload_only", "this token uploads logs to "+UploadPath+" and does nothing else")
	case !token && !strings.HasPrefix(r.URL.Path, "/o/") && crossOrigin.Check(r) != nil || // a sender of browsers to /o/ knows the secret; its form has no origin
		g.access.open && r.Header.Get("Sec-Fetch-Site") == "cross-site" && strings.HasPrefix(r.URL.Path, "/v1/") && who.Upload == "": // reading costs something, too
		return who, problem.New(http.StatusForbidden, "cross_site", "cross-site request refused")
	case r.ContentLength != 0 && r.Method != http.MethodGet && r.Method != http.MethodHead && !readable(r):
		return who, problem.New(http.StatusUnsupportedMediaType, "content_type", "the body must be application/json, not "+strconv.Quote(r.Header.Get("Content-Type")))
	}
	return who, nil
}

// Roles that may call an operation. TestMatrix holds every operation to its role.
const (
	Owner  = "owner"
	Rater  = "rater"  // raters too, in their study
	Result = "result" // raters too, if their study shows results
	All    = "all"    // every known caller
	Upload = "upload" // holders of an upload token, and nobody else
)

// RoleKey is the extension in which an operation states its role, in the description of the API as well.
const RoleKey = "x-who"

// Authorize lets a request through to its operation if the caller has its role.
func (g *Gate) Authorize(ctx huma.Context, next func(huma.Context)) {
	who := CallerOf(ctx.Context())
	role, _ := ctx.Operation().Extensions[RoleKey].(string)
	_, w := humago.Unwrap(ctx)
	var refusal *huma.ErrorModel
	switch {
	case role == Upload && who.Upload == "":
		refusal = uploadersOnly
	case role == Upload || who.Owner || role == All:
	case role != Rater && role != Result: // an operation that does not say is the owner's
		refusal = OwnersOnly
	case !who.MayEnter(ctx.Param("study")):
		refusal = OtherStudy
	case who.pending && ctx.Method() != http.MethodGet:
		if err := g.cfg.Tokens.Claim(ctx.Context(), who.token); err != nil {
			refusal = problem.Of(ctx.Context(), g.cfg.Logger, err)
		}
	}
	if refusal != nil {
		problem.Write(w, refusal)
		return
	}
	next(ctx)
}

// Refusals of callers without the role.
var (
	OwnersOnly    = problem.New(http.StatusForbidden, "owner_only", "only the owner of the studies may do this")
	OtherStudy    = problem.New(http.StatusForbidden, "other_study", "this token belongs to another study")
	uploadersOnly = problem.New(http.StatusForbidden, "upload_token", "this needs an upload token; the owner imports by /v1/studies/{study}/import")
)

// answersTo reports whether the server answers to a name. Without a token, a name that an attacker points here (DNS rebinding) must not count as the owner's.
func (g *Gate) answersTo(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	if slices.Contains(g.cfg.Hosts, host) || slices.Contains(g.cfg.Hosts, name) {
		return true
	}
	if len(g.cfg.Hosts) > 0 || g.access.open {
		ip := net.ParseIP(name)
		return name == "localhost" || ip != nil && ip.IsLoopback()
	}
	return true
}

// public reports whether an address is for everybody: the description, probes and, unless the host identifies users, pages, which hold no data.
func (g *Gate) public(path string) bool {
	switch {
	case path == "/openapi.json" || isProbe(path) || strings.HasPrefix(path, "/page/"):
		return true
	case g.cfg.Identify != nil:
		return false
	}
	return !strings.HasPrefix(path, "/v1/") && !strings.HasPrefix(path, "/m/") && path != "/metrics"
}

// isProbe reports whether an address is what load balancers ask every few seconds, from an address that they may share with strangers.
func isProbe(path string) bool { return path == "/livez" || path == "/readyz" || path == "/healthz" }

// verbs are the operations that may also be written study:verb.
var verbs = regexp.MustCompile(`^(/v1/studies/[^/]+):(ask|tell|undo|predict|enqueue|import|items|links)$`)

// RewriteVerb rewrites study:verb to study/verb in the address of a request, which must be a copy.
func RewriteVerb(r *http.Request) *http.Request {
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
	r.URL = &u
	return r
}

// UploadPath is the one address that pages of other origins may call, with an upload token and nothing else.
const UploadPath = token.UploadPath

// allowOrigins allows pages of any origin, files among them, to call UploadPath. It reports whether the request was a preflight.
func allowOrigins(h http.Header, r *http.Request) (preflight bool) {
	if r.URL.Path != UploadPath {
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
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" { // a page on the web, and a server in the local network
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	return true
}
