package service

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
)

// defaultAddr is where "prefer serve" listens unless told otherwise; serve --private, which is told nothing, takes a socket.
const defaultAddr = "127.0.0.1:8080"

// longestSocket is how long the path of a socket may be: 104 bytes on macOS with the zero at its end, 108 on Linux.
const longestSocket = 103

// errAlone is why a private server ends: nobody holds the other end of its standard input any more.
var errAlone = errors.New("the program that started it has ended")

// privacy is a server of one program: the one that started it, and holds the other end of its standard input.
type privacy struct {
	folder string // its own, which nobody else may enter: the socket, and studies that have no file
	token  string // none with a socket: who may open that is its owner
}

// private makes a folder for a private server, and a context that ends with the standard input, as it does when the other program has gone.
func (c Serve) private(ctx context.Context, s cli.Streams) (context.Context, *privacy, error) {
	for flag, given := range map[string]bool{"--lan": c.LAN, "--open": c.Open, "--public-url": c.PublicURL != "", "--owner-token": c.OwnerToken != "", "--owner-token-file": c.OwnerTokenFile != ""} {
		if given {
			return nil, nil, cli.Usagef("--private and %s: a private server is for the program that started it and nobody else, want one of them", flag)
		}
	}
	at := os.TempDir()
	if runtime.GOOS != "windows" && len(at)+len("/prefer-0123456789/socket") > longestSocket {
		at = "/tmp"
	}
	folder, err := os.MkdirTemp(at, "prefer-") // for this user only, 0700
	if err != nil {
		return nil, nil, err
	}
	signal.Ignore(os.Interrupt) // Ctrl-C in a terminal or a notebook is meant for the program that started this one
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, s.In) // whatever ends it ends the server
		end(errAlone)
		time.AfterFunc(cli.ShutdownGrace, func() { _ = os.RemoveAll(folder); os.Exit(cli.ExitFailure) })
	}()
	return ctx, &privacy{folder: folder}, nil
}

func (p *privacy) close() error { return os.RemoveAll(p.folder) }

// early explains an end before the server was ready.
func (p *privacy) early(ctx context.Context, err error) error {
	if (errors.Is(err, context.Canceled) || errors.Is(err, errAlone)) && errors.Is(context.Cause(ctx), errAlone) {
		return cli.Usagef("--private ends with its standard input, which was closed before it was ready: it is for programs, which hold a pipe to it; \"prefer serve\" is for people")
	}
	return err
}

// store is where studies are kept: where the command line says, or in the folder, to be forgotten with it.
func (p *privacy) store(c Serve) string {
	if info, err := os.Stat(c.What); c.Store != "" || c.What != "" && (err != nil || !info.IsDir() && !strings.EqualFold(filepath.Ext(c.What), ".json")) {
		return c.Store
	}
	return filepath.Join(p.folder, "studies.db")
}

// listen opens a socket that only this user may use. With --addr, and on Windows, whose Python has no such sockets, it is a local port and a token.
func (p *privacy) listen(c Serve) (net.Listener, string, error) {
	if runtime.GOOS == "windows" || c.Addr != defaultAddr {
		if c.Addr == defaultAddr {
			c.Addr = "127.0.0.1:0"
		}
		p.token = rand.Text()
		c.OwnerToken = p.token
		return c.listen()
	}
	path := filepath.Join(p.folder, "socket")
	listener, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	return listener, "", err
}

// greet tells the program that started this one where the server is: one line of JSON.
func (p *privacy) greet(s cli.Streams, at net.Addr, study string) error {
	address := url.URL{Scheme: "http", Host: at.String()}
	if at.Network() == "unix" {
		address = url.URL{Scheme: "unix", Path: at.String()}
	}
	return json.NewEncoder(s.Out).Encode(struct {
		Address string `json:"address"`
		Token   string `json:"token,omitempty"`
		Study   string `json:"study,omitempty"` // of a folder or a description
		Version string `json:"version"`
		PID     int    `json:"pid"`
	}{address.String(), p.token, study, cli.ThisBuild().Version, os.Getpid()})
}
