// Package server is the service any language can call: studies over HTTP and JSON.
//
//	st, err := store.Open(ctx, "coffee.db", store.Options{})
//	srv, err := server.New(server.Config{Store: st})
//	http.ListenAndServe("127.0.0.1:8080", srv.Handler())
//
// docs/api.md walks through a whole study with curl; /openapi.json describes every call. A question that was
// asked and an answer that was acknowledged are in the store; the server itself holds nothing that matters
// and can be stopped at any moment.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer/job"
	"github.com/prefer-bo/prefer/store"
)

// Config describes a server. Only Store has no default.
type Config struct {
	// Store keeps the studies. The caller closes it, after the server.
	Store *store.Store

	// OwnerToken is what the owner of all studies shows as a bearer token. Without one whoever reaches the
	// server is the owner, and only requests to a local name (or one of Hosts) are served, so that no
	// page from elsewhere can get here under a name of its own.
	OwnerToken string

	// Hosts are the names under which the server is reached. Defaults to those of the local machine without
	// an OwnerToken, to any with one.
	Hosts []string

	// Prefix is where the handler is mounted, like "/prefer". Defaults to the root.
	Prefix string

	// Page, if not nil, answers everything that is not part of the API, in place of the pages that come with it.
	Page http.Handler

	// Media is the folder for uploaded files. Empty: nothing can be uploaded.
	Media string

	// Folders are where the media of a study lie that were not uploaded, by the study's name.
	Folders map[string]string

	// Budget is how long an ask may search, unless it says otherwise. Defaults to half a second.
	Budget time.Duration

	// Studies is the number of studies held open. Defaults to 256.
	Studies int

	// Memory is roughly how much memory, in bytes, the studies held open may take up; when it is more, those
	// used least recently are put away, all but one. Defaults to a gigabyte; negative for no bound.
	Memory int64

	// Workers is the number of background searches at a time. Defaults to the number of processors less one,
	// at least one.
	Workers int

	// Rate is how many requests a second a rater may make, and an address without a token. Defaults to 20,
	// with bursts of three seconds' worth; negative for no limit. The owner has none.
	Rate float64

	// Runner takes long work: simulations and reports. The caller closes it, after the server. Nil: it is done in this
	// process, one part at a time.
	Runner job.Runner

	// PublicURL is where browsers reach the server, like "https://prefer.example.org", if a proxy stands in
	// between. With https cookies are kept to https even if the proxy does not say (X-Forwarded-Proto).
	PublicURL string

	// Version names the program in reports, as in "prefer v1.2.0".
	Version string

	// Logger defaults to slog.Default.
	Logger *slog.Logger

	// Now tells the time for limits and response times. Defaults to time.Now.
	Now func() time.Time
}

func (c Config) withDefaults() (Config, error) {
	if c.Store == nil {
		return c, errors.New("server: Config.Store is nil, want an open store")
	}
	if c.Prefix != "" && (!strings.HasPrefix(c.Prefix, "/") || strings.HasSuffix(c.Prefix, "/")) {
		return c, fmt.Errorf("server: Config.Prefix = %q, want \"/something\" without a slash at its end, or nothing", c.Prefix)
	}
	if c.OwnerToken != "" && len(c.OwnerToken) < minOwnerToken {
		return c, fmt.Errorf("server: Config.OwnerToken has %d characters, want at least %d that nobody can guess", len(c.OwnerToken), minOwnerToken)
	}
	if c.Budget < 0 || c.Studies < 0 || c.Workers < 0 {
		return c, fmt.Errorf("server: Config has Budget %v, Studies %d, Workers %d, want none of them negative", c.Budget, c.Studies, c.Workers)
	}
	if u, err := url.Parse(c.PublicURL); c.PublicURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "") {
		return c, fmt.Errorf("server: Config.PublicURL = %q, want an address like https://prefer.example.org", c.PublicURL)
	}
	if c.Budget == 0 {
		c.Budget = 500 * time.Millisecond
	}
	if c.Studies == 0 {
		c.Studies = 256
	}
	if c.Memory == 0 {
		c.Memory = 1 << 30
	}
	if c.Workers == 0 {
		c.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	if c.Rate == 0 {
		c.Rate = 20
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c, nil
}

// Server serves the studies of one store. It is safe for concurrent use.
type Server struct {
	cfg     Config
	log     *slog.Logger
	studies *shelf
	behind  *crew
	slots   *slots
	bell    *bell
	access  *access
	limits  *limits
	metrics *metrics
	api     huma.API
	jobs    *jobs
	desk    job.Runner
	own     *job.Local // the desk, if it is this server's own
	openAPI []byte
	handler http.Handler
	stop    context.CancelFunc // ends what runs in the background
}

// New returns a server. It begins to work in the background at once; Close ends that.
func New(cfg Config) (*Server, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{cfg: cfg, log: cfg.Logger, stop: stop}
	s.metrics = newMetrics()
	s.bell = newBell()
	s.slots = newSlots()
	s.access = newAccess(cfg)
	s.limits = newLimits(cfg.Rate, cfg.Now)
	s.studies = newShelf(cfg.Studies, s.load, s.putAway)
	s.studies.memory = cfg.Memory
	s.behind = newCrew(ctx, cfg.Workers, s.metrics, cfg.Logger)
	s.jobs, s.desk = newJobs(), cfg.Runner
	if s.handler, err = s.routes(); err != nil {
		stop()
		return nil, err
	}
	if s.desk == nil {
		s.own = s.newDesk()
		s.desk = s.own
	}
	s.behind.done.Go(func() { s.lookAfter(ctx) })
	s.behind.done.Go(func() { s.listenElsewhere(ctx) })
	return s, nil
}

// Handler returns what serves Config.Prefix and everything below it.
func (s *Server) Handler() http.Handler { return s.handler }

// EndStreams ends event streams, which http.Server.Shutdown would wait for: give it to RegisterOnShutdown.
func (s *Server) EndStreams() { s.bell.close() }

// Close ends event streams and background work and keeps snapshots of the studies that are open. Call it
// after http.Server.Shutdown has been called: what was acknowledged is in the store already.
func (s *Server) Close(ctx context.Context) error {
	s.bell.close()
	s.stop()
	s.behind.wait()
	if s.own != nil {
		s.own.Close()
	}
	return s.studies.empty(ctx)
}
