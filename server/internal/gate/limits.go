package gate

import (
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer/live/token"
	"golang.org/x/time/rate"
)

// count takes a request out of the limits of its sender: the link, and of calls of the API the study, of which guests and uploads have shares. Unknown senders
// count under their address. The owner has no limit.
func (g *Gate) count(r *http.Request, who Caller) (wait time.Duration, ok bool) {
	key, crowd := who.key, who.pending || who.Upload != ""
	at, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	secret, _, _ := strings.Cut(rest, "/")
	switch {
	case who.Owner, isProbe(r.URL.Path), at == "o" && g.IsOwnerCode(secret): // a probe is a balancer's question, from an address it may share with strangers
		return 0, true
	case at == "r" && g.cfg.Identify == nil:
		if link, err := g.cfg.Tokens.Link(r.Context(), secret); err == nil {
			key, crowd = countedAs(link), link.Everybody || link.Pending
		}
	}
	if key == "" {
		key = "address " + clientNetwork(g.address(r))
	}
	rate := g.cfg.Rate
	if crowd {
		rate = g.cfg.StudyRate
	}
	if wait, ok := g.limits.allow(key, rate); !ok || at != "v1" || who.Study == "" {
		return wait, ok
	}
	switch {
	case who.guest:
		return g.limits.allow("guests of study "+who.Study, g.cfg.StudyRate/2)
	case who.Upload != "":
		return g.limits.allow("uploads to study "+who.Study, g.cfg.StudyRate/2)
	}
	return g.limits.allow("study "+who.Study, g.cfg.StudyRate)
}

// countedAs returns what requests with a link count under: the link or, of guests who were not asked yet, all guests of one shared link.
func countedAs(l token.Token) string {
	if l.Pending {
		return "guests of " + l.Through
	}
	return l.Key
}

// address returns where a request comes from: the other end of the connection or, behind a trusted proxy, what that says.
func (g *Gate) address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	at, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && g.believed(at); i-- { // the last word is that of the nearest
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		at = hop
	}
	return at.Unmap().WithZone("").String()
}

// clientNetwork returns the key of an address for limits: an IPv6 address counts as its /64 network, which is one customer.
func clientNetwork(address string) string {
	at, err := netip.ParseAddr(address)
	if err != nil || at.Is4() {
		return address
	}
	net, _ := at.Prefix(64) // of 128
	return net.String()
}

// believed reports whether an address is that of a proxy which says where requests come from.
func (g *Gate) believed(at netip.Addr) bool {
	return slices.ContainsFunc(g.cfg.Proxies, func(p netip.Prefix) bool { return p.Contains(at.Unmap().WithZone("")) })
}

// limits are buckets of requests, each filled at a steady rate.
type limits struct {
	now func() time.Time

	mu      sync.Mutex
	buckets map[string]*rate.Limiter
	running map[string]int // uploads under way, by token
}

// maxBuckets bounds the memory that strangers can take up.
const maxBuckets = 10_000

// allow takes one request out of a bucket filled at so many a second, and says how long to wait if it is empty. A rate that is not positive is no limit.
func (l *limits) allow(key string, perSecond float64) (wait time.Duration, ok bool) {
	if perSecond <= 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	one := l.bucket(key, perSecond, max(1, int(3*perSecond))).ReserveN(now, 1)
	if wait = one.DelayFrom(now); wait > 0 {
		one.CancelAt(now)
	}
	return wait, wait == 0
}

// bucket returns the bucket of a key. If there are too many, those that are full again are forgotten, and all of them if that leaves too many. The caller holds mu.
func (l *limits) bucket(key string, perSecond float64, full int) *rate.Limiter {
	if l.buckets[key] == nil {
		if now := l.now(); len(l.buckets) >= maxBuckets {
			maps.DeleteFunc(l.buckets, func(_ string, b *rate.Limiter) bool { return b.TokensAt(now) >= float64(b.Burst()) })
		}
		if len(l.buckets) >= maxBuckets {
			clear(l.buckets)
		}
		l.buckets[key] = rate.NewLimiter(rate.Limit(perSecond), full)
	}
	return l.buckets[key]
}

// An upload token is in every file that was packed with it, so anybody may have it. It brings atOnce logs at a time, and UploadBurst new answers at once and an
// hour: a class of fifty people with a hundred answers each.
const (
	atOnce      = 2
	UploadBurst = 5_000
	uploadRate  = 5_000.0 / 3600 // a second
)

// BeginUpload counts a log that the holder of an upload token is about to send. If done is nil it is refused for now; else done is called with the number of
// answers that were new.
func (g *Gate) BeginUpload(c Caller) (wait time.Duration, done func(answers int)) {
	l, token := g.limits, "upload "+c.Study+" "+c.Upload
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	switch level := l.bucket(token, uploadRate, UploadBurst).TokensAt(now); {
	case l.running[token] >= atOnce:
		return time.Second, nil
	case level < 1:
		return time.Duration((1 - level) / uploadRate * float64(time.Second)), nil
	case l.running[token] > 0 && level < UploadBurst/2:
		return time.Second, nil
	}
	l.running[token]++
	return 0, func(answers int) {
		l.mu.Lock()
		defer l.mu.Unlock()
		for ; answers > 0; answers -= UploadBurst { // no more than a full bucket can be taken at once
			l.bucket(token, uploadRate, UploadBurst).ReserveN(l.now(), min(answers, UploadBurst))
		}
		if l.running[token]--; l.running[token] == 0 {
			delete(l.running, token)
		}
	}
}
