package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/internal/page"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
	"golang.org/x/time/rate"

	"github.com/danielgtaylor/huma/v2"
)

// Config describes a server. Only Store has no default.
type Config struct {
	// Store keeps the studies. The caller closes it, after the server.
	Store *sqlstore.Store

	// OwnerToken is what the owner of all studies shows as a bearer token. Without one, and without Identify, everybody who reaches the server is the owner,
	// and only requests to a local name (or one of Hosts) are served.
	OwnerToken string

	// ScrapeToken is what a program that collects metrics shows as a bearer token: it reads /metrics only. Empty: the owner's token does.
	ScrapeToken string

	// Identify, if not nil, says who is behind a request, in place of tokens, cookies and links. It is called once for every request, from several goroutines.
	// The zero Identity gets a 401; an error is a 500, or a 503 if it wraps store.ErrUnavailable.
	Identify func(*http.Request) (Identity, error)

	// Hosts are the names under which the server is reached. Defaults to those of the local machine without an OwnerToken or Identify, to any with one.
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

	// Memory is roughly how many bytes studies may take up: posteriors, and at most half of it logs of open studies. Defaults to 128 MB; negative: no bound.
	Memory int64

	// Workers is the number of background searches at a time. Defaults to the number of processors less one, at least one.
	Workers int

	// Rate is how many requests a second a rater, or an address of unknown senders, may make. Defaults to 20, with bursts of three seconds' worth; negative: no
	// limit.
	Rate float64

	// StudyRate is how many calls of the API a second the raters of one study may make together, and how often a shared link may be opened. Guests have half of
	// it, uploads too. Defaults to ten times Rate.
	StudyRate float64

	// MaxLog is the size in bytes of the largest log that may be uploaded, beside what all logs of the study begin with. Defaults to a megabyte.
	MaxLog int64

	// Proxies are the networks of proxies whose X-Forwarded-For is trusted. None: an address is the other end of the connection.
	Proxies []netip.Prefix

	// Runner takes long work: simulations and reports. The caller closes it, after the server. Nil: this process does it, one part at a time.
	Runner job.Runner

	// Core finds the program that studies in one file carry. Defaults to pack.FindCore.
	Core func(context.Context) (pack.Core, error)

	// PublicURL is where browsers reach the server behind a proxy, like "https://prefer.example.org". With https cookies are kept to https.
	PublicURL string

	// Reach lists where others reach the server, as "http://192.168.1.5:8080", for links and codes; the first is proposed. None: this machine alone does.
	Reach []string

	// Version names the program in reports, as in "prefer v1.2.0".
	Version string

	// Build is what /metrics says of the program.
	Build Build

	// Logger defaults to slog.Default. No line has a token, an address or a query in it.
	Logger *slog.Logger

	// AccessLog logs a line for every request, at slog.LevelInfo; otherwise only at slog.LevelDebug.
	AccessLog bool

	// Now tells the time for limits and response times. Defaults to time.Now.
	Now func() time.Time
}

func (c Config) withDefaults() (Config, error) {
	switch {
	case c.Store == nil:
		return c, errors.New("server: Config.Store is nil, want an open store")
	case c.Prefix != "" && (!strings.HasPrefix(c.Prefix, "/") || strings.HasSuffix(c.Prefix, "/")):
		return c, fmt.Errorf("server: Config.Prefix = %q, want \"/something\" without a slash at its end, or nothing", c.Prefix)
	case c.OwnerToken != "" && len(c.OwnerToken) < minOwnerToken:
		return c, fmt.Errorf("server: Config.OwnerToken has %d characters, want at least %d that nobody can guess", len(c.OwnerToken), minOwnerToken)
	case c.ScrapeToken != "" && (len(c.ScrapeToken) < minOwnerToken || c.ScrapeToken == c.OwnerToken):
		return c, fmt.Errorf("server: Config.ScrapeToken has %d characters, want at least %d that nobody can guess, and others than OwnerToken has", len(c.ScrapeToken), minOwnerToken)
	case c.ScrapeToken != "" && c.Identify != nil:
		return c, errors.New("server: Config has both ScrapeToken and Identify, want one of them: Identify says who may read /metrics")
	case c.OwnerToken != "" && c.Identify != nil:
		return c, errors.New("server: Config has both OwnerToken and Identify, want one of them: two could not both say who somebody is")
	case c.MaxLog < 0 || c.MaxLog > media.MaxUpload:
		return c, fmt.Errorf("server: Config.MaxLog = %d, want the size of a log from 1 to %d bytes, or 0 for %d", c.MaxLog, int64(media.MaxUpload), int64(maxLog))
	case c.Budget < 0 || c.Studies < 0 || c.Workers < 0:
		return c, fmt.Errorf("server: Config has Budget %v, Studies %d, Workers %d, want none of them negative", c.Budget, c.Studies, c.Workers)
	case c.PublicURL != "" && !isAddress(c.PublicURL):
		return c, fmt.Errorf("server: Config.PublicURL = %q, want an address like https://prefer.example.org", c.PublicURL)
	}
	c.Rate = cmp.Or(c.Rate, 20)
	c.StudyRate = cmp.Or(c.StudyRate, 10*c.Rate)
	c.MaxLog = cmp.Or(c.MaxLog, maxLog)
	c.Logger = cmp.Or(c.Logger, slog.Default())
	if c.Now == nil {
		c.Now = time.Now
	}
	return c, nil
}

// isAddress reports whether a service may be reached there.
func isAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == ""
}

// minOwnerToken is the shortest token an owner may choose.
const minOwnerToken = 16

// Identity is the sender of a request: the owner, who may do everything, or a rater. The zero value is nobody.
type Identity struct {
	Owner bool

	// Rater is the name the rater's answers are kept under. A rater cannot ask, answer or look in another's name.
	Rater string

	// Study is the one study the rater may answer in; empty: any.
	Study string
}

// Build is which program this is.
type Build struct{ Version, Commit string }

// Settings are how a study is served: checks, whether raters see results, and how it looks.
type Settings = live.Settings

// Server serves the studies of one store. It is safe for concurrent use.
type Server struct {
	cfg     Config
	log     *slog.Logger
	studies *live.Studies
	files   *media.Files
	gate    *gate.Gate
	health  *health
	api     huma.API
	openAPI []byte
	mux     *recordingMux
	handler http.Handler
	first   atomic.Pointer[string] // the study that was opened with the server
	sums    memory.Memo[string]    // of files
	small   media.Thumbnails

	watching context.Context // ends with Close
	unwatch  context.CancelFunc
	watches  sync.WaitGroup // of folders that are followed
}

// New returns a server. It begins to work in the background at once; Close ends that.
func New(cfg Config) (*Server, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	return open(cfg)
}

func open(cfg Config) (_ *Server, err error) {
	log := gate.LogsRequests(cfg.Logger)
	s := &Server{cfg: cfg, log: log, health: &health{tries: rate.NewLimiter(rate.Every(tryPeriod), maxTries)}, files: &media.Files{Uploads: cfg.Media, Folders: cfg.Folders, Prefix: cfg.Prefix}, sums: memory.Memo[string]{Size: maxSums}}
	s.watching, s.unwatch = context.WithCancel(context.Background())
	s.studies, err = live.New(live.Config{
		Store: cfg.Store, Budget: cfg.Budget, Studies: cfg.Studies, Memory: cfg.Memory, Workers: cfg.Workers, Logger: log, Now: cfg.Now,
		Runner: cfg.Runner, Kinds: job.Studies{Store: cfg.Store, Media: s.files.Read, Checks: live.CheckedIn(cfg.Store), Draw: page.DrawnIn(cfg.Store), Version: cfg.Version}.Kinds(), Media: func(study string, item space.Item) *live.Media {
			return &live.Media{Type: media.Type(item.Media), URL: s.files.Of(study, item)}
		},
	})
	if err != nil {
		return nil, err
	}
	front := gate.Config{OwnerToken: cfg.OwnerToken, ScrapeToken: cfg.ScrapeToken, Hosts: cfg.Hosts, Prefix: cfg.Prefix, PublicURL: cfg.PublicURL, Rate: cfg.Rate, StudyRate: cfg.StudyRate,
		Proxies: cfg.Proxies, AccessLog: cfg.AccessLog, Logger: log, Now: cfg.Now, Tokens: s.studies.Tokens, Fail: s.fail}
	if cfg.Identify != nil {
		front.Identify = func(r *http.Request) (gate.Caller, error) {
			id, err := cfg.Identify(r)
			return gate.Caller{Owner: id.Owner, Rater: id.Rater, Study: id.Study}, err
		}
	}
	s.gate = gate.New(front)
	if s.handler, err = s.routes(); err != nil {
		return nil, errors.Join(err, s.studies.Close(context.Background()))
	}
	return s, nil
}

// Handler returns what serves Config.Prefix and everything below it.
func (s *Server) Handler() http.Handler { return s.handler }

// Create makes a study and the settings it is served with, or neither.
func (s *Server) Create(ctx context.Context, name string, cfg prefer.Config, settings Settings) error {
	return s.studies.Create(ctx, name, cfg, settings)
}

// OwnerLink returns the path of a page with a button that makes the browser which presses it first the owner's. It works once.
func (s *Server) OwnerLink() string { return s.gate.OwnerLink() }

// Running returns how many requests are being answered at this moment, streams of events among them.
func (s *Server) Running() (requests, streams int) {
	return int(s.gate.Running()), s.studies.Watchers()
}

// EndStreams ends event streams and searches, which http.Server.Shutdown would wait for, and has /readyz say so: give it to RegisterOnShutdown.
func (s *Server) EndStreams() {
	s.health.ending.Store(true)
	s.studies.CancelSearches()
}

// Close ends background work and keeps snapshots of open studies, after http.Server.Shutdown. What has not ended when ctx does is logged and abandoned.
func (s *Server) Close(ctx context.Context) error {
	s.unwatch()
	s.watches.Wait()
	return s.studies.Close(ctx)
}
