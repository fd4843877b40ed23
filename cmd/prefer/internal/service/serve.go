package service

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/store/sqlstore"
	"github.com/skip2/go-qrcode"
)

type Serve struct {
	What       string `arg:"" optional:"" name:"study" help:"What to serve: a SQLite file, a study described in JSON, or a folder of files to choose from." completion:"file"`
	Addr       string `help:"Address to listen at." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	Store      string `help:"Store of the studies: a SQLite file or postgres://…. Default: a file next to what is served." placeholder:"FILE|URL"`
	Media      string `help:"Folder for uploads. Default: next to the SQLite file." placeholder:"FOLDER"`
	Open       bool   `help:"Open a browser."`
	LAN        bool   `name:"lan" help:"Allow other machines: listen on all interfaces, and print an address and a QR code."`
	Queue      string `help:"Queue for \"prefer worker\", which then runs simulations and reports: postgres://…" placeholder:"URL"`
	PublicURL  string `help:"Public address behind a proxy. With https, cookies are Secure." placeholder:"https://HOST"`
	OwnerToken string `help:"Owner's token. Prefer PREFER_OWNER_TOKEN: flags are visible to all users of this machine. --lan creates one if missing." placeholder:"TOKEN"`

	OwnerTokenFile string `help:"File with the owner's token." placeholder:"FILE" completion:"file"`

	Memory size `help:"Memory for posteriors and logs of all studies; the process uses some more." default:"256MB" placeholder:"SIZE"`

	ScrapeToken  string   `help:"Token that may only read /metrics; better set as PREFER_SCRAPE_TOKEN." placeholder:"TOKEN"`
	TrustedProxy []string `help:"Addresses or networks of trusted proxies (X-Forwarded-For)." placeholder:"ADDRESS"`

	MaxLog int64 `help:"Maximum size in bytes of a log uploaded with an upload token." default:"1048576" placeholder:"BYTES"`

	Private bool `help:"Serve only the parent process, on a private socket, until standard input closes. Prints one line of JSON. Without a file, studies are not kept."`

	logFlags
}

func (c Serve) Run(ctx context.Context, s cli.Streams) (err error) {
	log := c.logger(s.Err)
	proxies, err := readNetworks(c.TrustedProxy)
	if err != nil {
		return err
	}
	if c.Memory < smallestMemory {
		return cli.WrapFlagError(fmt.Errorf("--memory is %d bytes, want at least %d MB", c.Memory, smallestMemory/1e6), "--memory", fmt.Sprint(int64(c.Memory)))
	}
	var own *privacy
	listen := c.listen
	if c.Private {
		if ctx, own, err = c.private(ctx, s); err != nil {
			return err
		}
		defer func() { err = errors.Join(own.early(ctx, err), os.RemoveAll(own.folder)) }()
		c.Store = own.store(c)
		listen = func() (net.Listener, string, error) { return own.listen(c) }
	}
	listener, token, err := listen()
	if err != nil {
		return err
	}
	defer listener.Close()
	from, err := c.resolve(c.people(s).Err)
	if err != nil {
		return err
	}
	st, err := sqlstore.Open(ctx, from.store, sqlstore.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	runner, closeRunner, err := c.runner(ctx)
	if err != nil {
		return err
	}
	defer closeRunner()
	reach := c.addresses(ctx, s, listener.Addr(), nics())
	b := cli.ThisBuild()
	cfg := server.Config{Store: st, Media: from.media, Reach: reach, PublicURL: c.PublicURL, OwnerToken: token, ScrapeToken: c.ScrapeToken, Proxies: proxies, Runner: runner,
		MaxLog: c.MaxLog, Memory: int64(c.Memory), Version: b.Name(), Build: server.Build{Version: b.Version, Commit: b.Commit}, Logger: log, AccessLog: c.AccessLog}
	if from.folder != "" {
		cfg.Folders = map[string]string{from.study: from.folder}
	}
	srv, err := server.New(cfg)
	if err != nil {
		return err
	}
	made, err := from.create(ctx, c.people(s), st, srv)
	if err != nil {
		return errors.Join(err, srv.Close(ctx))
	}
	if made {
		log.Info("made a study", "study", from.study, "store", st.String())
	}
	log.Info("serving", "version", b.Version, "commit", b.Commit, "go", b.Go, "store", st.String(), "address", listener.Addr().String(), "public_url", c.PublicURL, // neither tokens nor passwords
		"media", from.media, "queue", c.Queue != "", "owner_token", token != "", "lan", c.LAN, "access_log", c.AccessLog, "log_level", c.LogLevel, "pid", os.Getpid())
	if own != nil {
		err = own.greet(s, listener.Addr(), from.study)
	} else {
		err = c.greet(s, srv, listener.Addr(), reach, token)
	}
	if err != nil {
		return errors.Join(err, srv.Close(ctx))
	}
	return RunServer(ctx, srv, listener, log)
}

// RunServer answers until ctx ends, then lets requests that have begun finish, for lastRequests.
func RunServer(ctx context.Context, srv *server.Server, listener net.Listener, log *slog.Logger) error {
	// Searches keep every processor busy: two more threads let requests without a search run at once, an eighth of the median answer in TestLoad.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 2)
	// Nearly all memory is in matrices, which the collector need not look into: that garbage grows to a quarter of what is in use, not to as much again, costs a tenth of the time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(25)
	}
	web := &http.Server{Handler: srv.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 5 * time.Minute,
		WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	web.RegisterOnShutdown(srv.EndStreams)
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	begun := time.Now()
	requests, streams := srv.Running()
	log.Info("stopping", "why", errors.Join(context.Cause(ctx), err), "requests", requests, "streams", streams)
	patient, stop := context.WithTimeout(context.WithoutCancel(ctx), cli.RequestGrace)
	defer stop()
	cut := 0
	if web.Shutdown(patient) != nil {
		cut, _ = srv.Running()
		log.Warn("requests that had begun are cut off; nothing that was acknowledged is lost", "after", cli.RequestGrace.String(), "requests", cut)
		_ = web.Close() // which ends what they wait for
	}
	rest, stop := context.WithTimeout(context.WithoutCancel(ctx), (cli.ShutdownGrace-cli.RequestGrace)/2) // the store has to close, too
	defer stop()
	level, attrs := slog.LevelInfo, []any{"after", time.Since(begun).Round(time.Millisecond).String(), "finished", requests - cut, "cut_off", cut}
	if err = errors.Join(err, srv.Close(rest)); err != nil {
		level, attrs = slog.LevelError, append(attrs, "error", err)
	}
	log.Log(ctx, level, "stopped", attrs...)
	return err
}

// checkQueue reports an address that no queue can have, without what it may have of passwords.
func checkQueue(address string) error {
	if address == "" || strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		return nil
	}
	return cli.Usagef("--queue is not an address of a queue, want postgres://…")
}

// runner opens the queue that simulations and reports go to; nil without one, and they are done here.
func (c Serve) runner(ctx context.Context) (runner job.Runner, done func(), err error) {
	if err := checkQueue(c.Queue); err != nil || c.Queue == "" {
		return nil, func() {}, err
	}
	q, err := queue.Open(ctx, c.Queue)
	if err != nil {
		return nil, nil, err
	}
	return q.Runner(), q.Close, nil
}

// readNetworks reads networks like 10.0.0.0/8, and addresses, each a network of one.
func readNetworks(texts []string) (out []netip.Prefix, err error) {
	for _, text := range texts {
		net, err := netip.ParsePrefix(text)
		if at, one := netip.ParseAddr(text); err != nil && one == nil {
			net, err = at.Prefix(at.BitLen())
		}
		if err != nil {
			return nil, cli.FlagError("--trusted-proxy", text, "want addresses like 127.0.0.1 or networks like 10.0.0.0/8")
		}
		out = append(out, net)
	}
	return out, nil
}

// listen opens the port, and returns the owner's token. Where others can reach it there must be one.
func (c Serve) listen() (net.Listener, string, error) {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return nil, "", cli.WrapFlagError(fmt.Errorf("--addr %q, want HOST:PORT: %w", c.Addr, err), "--addr", c.Addr)
	}
	token, err := c.ownerToken()
	if err != nil {
		return nil, "", err
	}
	here := host == "localhost" || net.ParseIP(host).IsLoopback()
	switch {
	case c.LAN && here:
		host = ""
		fallthrough
	case c.LAN:
		token = cmp.Or(token, rand.Text())
	case !here && token == "":
		return nil, "", cli.Usagef("--addr %s can be reached from elsewhere, and anybody would own the studies: use --lan, or set PREFER_OWNER_TOKEN or PREFER_OWNER_TOKEN_FILE", c.Addr)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	return listener, token, err
}

// greet prints where the server is: on the standard output the address, and for people how to get in.
func (c Serve) greet(s cli.Streams, srv *server.Server, at net.Addr, reach []string, token string) error {
	address := url.URL{Scheme: "http", Host: at.String()}
	if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() { // for a browser on this machine
		address.Host = net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
	}
	if len(reach) > 0 && c.PublicURL == "" {
		address.Host = strings.TrimPrefix(reach[0], "http://")
	}
	if !s.JSON {
		fmt.Fprintln(s.Out, address.String())
	}
	served := map[string]string{"address": address.String()}
	if u, err := url.Parse(c.PublicURL); err == nil && c.PublicURL != "" { // the server has checked it
		address = *u
	}
	enter := address.JoinPath("/").String()
	s = c.people(s)
	if token != "" {
		enter = address.JoinPath(srv.OwnerLink()).String()
		served["owner"] = enter
		fmt.Fprintf(s.Err, "the owner's address, good for one browser: %s\n", enter)
	}
	if err := s.Text(served, ""); err != nil {
		return err
	}
	if c.LAN {
		if code, err := qrcode.New(enter, qrcode.Medium); err == nil {
			fmt.Fprint(s.Err, code.ToSmallString(false))
		}
		if c.OwnerToken == "" && c.OwnerTokenFile == "" {
			fmt.Fprintf(s.Err, "programs send \"Authorization: Bearer %s\"\n", token)
		}
	}
	fmt.Fprintln(s.Err, "Ctrl-C stops; nothing is lost")
	if c.Open {
		if err := browse(enter); err != nil {
			fmt.Fprintf(s.Err, "no browser could be opened (%v): go to %s\n", err, enter)
		}
	}
	return nil
}

// people returns where to talk to people: where log lines are JSON nothing else is.
func (c Serve) people(s cli.Streams) cli.Streams {
	if c.LogFormat == "json" {
		s.Err = io.Discard
	}
	return s
}

func browse(address string) error {
	opener := xslices.Or(map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS], "xdg-open")
	return exec.Command(opener[0], append(opener[1:], address)...).Start()
}
