package server

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/server/internal/gate"
)

// TestLimits: raters and requests that try tokens are slowed down; the owner is not.
func TestLimits(t *testing.T) {
	now := time.Unix(1e9, 0)
	h := newTestServer(t, func(c *Config) { withOwner(c); c.Rate = 1; c.Now = func() time.Time { return now } })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	ann := h.invite("coffee", "ann")
	for _, each := range []*testServer{ann, h.as("guess")} {
		ok := 0
		for range 10 {
			if status, head, _ := each.do("GET", "/v1/me", ""); status != 429 {
				ok++
			} else if head.Get("Retry-After") != "2" {
				t.Errorf("Retry-After is %q", head.Get("Retry-After"))
			}
		}
		if ok != 3 {
			t.Errorf("%d requests went through, want 3", ok)
		}
	}
	for range 10 {
		h.want(200, "GET", "/v1/me", "", nil)
	}
	now = now.Add(-time.Hour) // the clock is set back
	ann.refused(429, "too_many", "", "GET", "/v1/me", "")
	now = now.Add(2 * time.Second)
	ann.want(200, "GET", "/v1/me", "", nil)
}

// opens opens an address as a browser without cookies, and returns the status.
func (h *testServer) opens(path string) int {
	h.t.Helper()
	r := httptest.NewRequest("GET", path, nil)
	r.RemoteAddr = "192.0.2.1:1"
	w := httptest.NewRecorder()
	h.server.Handler().ServeHTTP(w, r)
	return w.Code
}

// TestLimitsOfLinks: behind a proxy everybody has one address. A client that tries tokens there uses up what strangers may do, and
// keeps nobody from a link: neither a rater's own nor one for everybody, nor the owner's one-time address.
func TestLimitsOfLinks(t *testing.T) {
	h := newTestServer(t, func(c *Config) { withOwner(c); c.Rate, c.Now = 1, func() time.Time { return time.Unix(1e9, 0) } })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	own := h.invite("coffee", "ann").token
	var shared link
	h.want(201, "POST", "/v1/studies/coffee/links", `{"everybody":true}`, &shared)
	enter := h.server.OwnerLink()
	guest, err := h.server.studies.Tokens.Visit(t.Context(), shared.Token, "P07", false)
	if err != nil {
		t.Fatal(err)
	}
	guest = "/r/" + guest
	wrong := 0
	for range 10 {
		if h.opens("/r/"+strings.Repeat("x", 22)) == 404 {
			wrong++
		}
	}
	if wrong != 3 || h.opens("/o/wrong") != 429 || h.opens("/openapi.json") != 429 {
		t.Errorf("%d wrong tokens were looked at, want 3, and none of what else strangers open", wrong)
	}
	for _, c := range []struct {
		path      string
		want, how int
	}{{"/r/" + own, 200, 3}, {"/r/" + shared.Token, 303, 30}, {guest, 200, 30}, {enter, 200, 10}} {
		for i := range c.how {
			if got := h.opens(c.path); got != c.want {
				t.Fatalf("%s is %d at opening %d, want %d", c.path, got, i+1, c.want)
			}
		}
	}
	if h.opens("/r/"+own) != 429 || h.opens("/r/"+own+"/result") != 429 || h.opens("/r/"+shared.Token) != 429 || h.opens(guest) != 429 {
		t.Error("a link that was opened often enough has no limit")
	}
}

// TestLimitsOfStudies: the crowd of one study leaves time for others, and one rater does not use up what their study may.
func TestLimitsOfStudies(t *testing.T) {
	now := time.Unix(1e9, 0)
	h := newTestServer(t, func(c *Config) { withOwner(c); c.Rate, c.StudyRate, c.Now = 1, 2, func() time.Time { return now } })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, "coffee", "tea", 1), nil)
	ann, bob, cid, dan := h.invite("coffee", "ann"), h.invite("coffee", "bob"), h.invite("coffee", "cid"), h.invite("tea", "dan")
	for range 100 {
		ann.do("GET", "/v1/me", "")
	}
	for range 3 {
		bob.want(200, "GET", "/v1/me", "", nil) // with ann's three that is what the study may
	}
	cid.refused(429, "too_many", "", "GET", "/v1/me", "")
	dan.want(200, "GET", "/v1/me", "", nil)
	if got := h.opens("/r/" + cid.token); got != 200 {
		t.Errorf("a page of a study that is busy is %d", got)
	}
	now = now.Add(time.Second)
	cid.want(200, "GET", "/v1/me", "", nil)
}

// TestLimitsOfStrangers: a client with a shared link or an upload token that sends all it can does not slow down invited raters.
func TestLimitsOfStrangers(t *testing.T) {
	h := newTestServer(t, func(c *Config) {
		withOwner(c)
		c.Rate, c.StudyRate, c.Now = 1, 4, func() time.Time { return time.Unix(1e9, 0) }
	})
	h.want(201, "POST", "/v1/studies", coffee, nil)
	ann := h.invite("coffee", "ann")
	up, _ := h.uploader("coffee")
	var shared link
	h.want(201, "POST", "/v1/studies/coffee/links", `{"everybody":true}`, &shared)
	sent := func(who *testServer, method, path, body string) (taken int) {
		for range 20 {
			if status, _, _ := who.do(method, path, body, "Content-Type", "application/json"); status != 429 {
				taken++
			}
		}
		return taken
	}
	guests := 0
	for _, name := range []string{"P1", "P2", "P3", "P4", "P5"} {
		token, err := h.server.studies.Tokens.Visit(t.Context(), shared.Token, name, false)
		if err != nil {
			t.Fatal(err)
		}
		if name != "P1" { // a guest who has answered has a limit of their own
			if err := h.server.studies.Tokens.Claim(t.Context(), token); err != nil {
				t.Fatal(err)
			}
		}
		guests += sent(h.as(token), "GET", "/v1/studies/coffee/history", "")
	}
	uploads := 0
	for range 20 {
		if status, _, _ := up.do("POST", gate.UploadPath, "{}", logKind...); status != 429 {
			uploads++
		}
	}
	if guests != 6 || uploads != 6 {
		t.Errorf("%d requests of guests and %d uploads were let through, want half of what the study may, 6, of each", guests, uploads)
	}
	if n := sent(ann, "GET", "/v1/me", ""); n != 3 {
		t.Errorf("%d requests of an invited rater were let through, want 3", n)
	}
}
