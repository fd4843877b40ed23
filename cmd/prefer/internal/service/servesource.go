package service

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// source is what a command line names: where studies are kept, and a study to make if it is not there.
type source struct {
	store, media, study, folder string
	beside                      bool   // the folder has the name of the file: it is the study's if that is there
	file                        string // the study file to make one of; empty: nothing to make, or of a folder
}

// resolve reads what the command line names, and tells people of a file that is new.
func (c Serve) resolve(talk io.Writer) (source, error) {
	var from source
	if c.What != "" {
		info, err := os.Stat(c.What)
		switch missing := errors.Is(err, fs.ErrNotExist); {
		case missing && !isStoreName(c.What):
			return from, cli.Usagef("there is no %s, want a SQLite file, a study in JSON or a folder; \"prefer init\" makes a study", c.What)
		case err != nil && !missing:
			return from, err
		}
		full, err := filepath.Abs(c.What)
		if err != nil {
			return from, err
		}
		stem := strings.TrimSuffix(full, filepath.Ext(full))
		from.study, from.store = filepath.Base(stem), stem+".db"
		switch {
		case info != nil && info.IsDir():
			from.study, from.folder = filepath.Base(full), full
			from.store = full + ".db"
		case strings.EqualFold(filepath.Ext(full), ".json"):
			from.file = full
		case c.Store != "":
			return from, cli.Usagef("%s and --store %s are two places, want one", c.What, c.Store)
		default:
			from.store = full
			if beside, err := os.Stat(stem); err == nil && beside.IsDir() {
				from.folder, from.beside = stem, true
			}
		}
		if info == nil {
			fmt.Fprintf(talk, "%s is new: there is no study in it yet\n", c.What)
		}
	}
	from.store = cmp.Or(c.Store, from.store, "studies.db") // which "prefer serve" alone keeps, in the working folder
	from.media = c.Media
	if from.media == "" && !strings.Contains(from.store, "://") {
		from.media = cli.FilesBeside(from.store, "").Uploads
	}
	return from, nil
}

// isStoreName reports whether a file that is not there is one of studies to make: by its ending, in a folder that there is.
func isStoreName(name string) bool {
	info, err := os.Stat(filepath.Dir(name))
	return slices.Contains([]string{".db", ".sqlite", ".sqlite3"}, strings.ToLower(filepath.Ext(name))) && err == nil && info.IsDir()
}

// create makes the study unless it is there. Of a folder it says what is in it.
func (f source) create(ctx context.Context, s cli.Streams, st *sqlstore.Store, srv *server.Server) (made bool, err error) {
	if f.beside {
		if _, err := st.Study(ctx, f.study); err != nil {
			return false, nil // whatever is wrong with it, the others can be served
		}
	}
	if f.folder != "" {
		found, made, err := srv.OpenFolder(ctx, f.study)
		if err == nil {
			s.JSON = false // these streams are for people
			s.ReportFolder(f.folder, found)
		}
		return made, err
	}
	if f.file == "" {
		return false, nil
	}
	if _, err := st.Study(ctx, f.study); !errors.Is(err, store.ErrNoStudy) {
		return false, err
	}
	var settings live.Settings
	cfg, err := cli.ReadConfig(f.file, nil, &settings)
	if err != nil {
		return false, err
	}
	return true, srv.Create(ctx, f.study, cfg, settings)
}

type logFlags struct {
	LogFormat string     `help:"Log format on standard error: text or json. With json the owner's one-time address is not printed." enum:"text,json" default:"text"`
	LogLevel  slog.Level `help:"Lowest level to log: debug, info, warn or error." default:"info" placeholder:"LEVEL"`
	AccessLog bool       `help:"Log a line for every request."`
}

func (f logFlags) logger(w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: f.LogLevel}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

func (c Serve) ownerToken() (string, error) {
	if c.OwnerTokenFile == "" {
		return c.OwnerToken, nil
	}
	if c.OwnerToken != "" {
		return "", cli.Usagef("--owner-token and --owner-token-file are both given, want one of them")
	}
	text, err := os.ReadFile(c.OwnerTokenFile)
	token := strings.TrimSpace(string(text))
	if err == nil && token == "" {
		err = errors.New("it is empty")
	}
	if err != nil {
		return "", cli.WrapFlagError(fmt.Errorf("--owner-token-file %s: %w", c.OwnerTokenFile, err), "--owner-token-file", c.OwnerTokenFile)
	}
	return token, nil
}

// size is a number of bytes that people write with a unit, as in 256MB.
type size int64

var (
	sizePattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?([kMG]i?B)$`)
	sizeUnits   = map[string]float64{"kB": 1e3, "MB": 1e6, "GB": 1e9, "kiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
)

// UnmarshalText reads a size.
func (s *size) UnmarshalText(text []byte) error {
	m := sizePattern.FindSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q is not a size: write a number and kB, MB, GB, kiB, MiB or GiB, as in 256MB", text)
	}
	n, err := strconv.ParseFloat(string(m[1]), 64)
	bytes := math.Round(n * sizeUnits[string(m[2])])
	if err != nil || bytes >= math.MaxInt64 {
		return fmt.Errorf("%q is too large a size", text)
	}
	*s = size(bytes)
	return nil
}

// smallestMemory is what one study of some hundred answers needs to be quick.
const smallestMemory size = 16e6

// defaultAddr is where "prefer serve" listens unless told otherwise; serve --private, which is told nothing, takes a socket.
const defaultAddr = "127.0.0.1:8080"

// errAlone is why a private server ends: the other end of its standard input was closed.
var errAlone = errors.New("the program that started it has ended")

// privacy is a server of one program: the one that started it, and holds the other end of its standard input.
type privacy struct {
	folder string // private to this user: the socket, and studies that have no file
	token  string // empty with a socket, whose file permissions protect it
}

// private makes a folder for a private server, and a context that ends with the standard input, as it does when the other program has gone.
func (c Serve) private(ctx context.Context, s cli.Streams) (context.Context, *privacy, error) {
	for flag, given := range map[string]bool{"--lan": c.LAN, "--open": c.Open, "--public-url": c.PublicURL != "", "--owner-token": c.OwnerToken != "", "--owner-token-file": c.OwnerTokenFile != ""} {
		if given {
			return nil, nil, cli.Usagef("--private and %s exclude each other: a private server serves only its parent process", flag)
		}
	}
	at := os.TempDir()
	if runtime.GOOS != "windows" && len(at)+len("/prefer-0123456789/socket") > 103 { // the path of a socket has at most 104 bytes on macOS with the zero at its end, 108 on Linux
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

func (p *privacy) early(ctx context.Context, err error) error {
	if (errors.Is(err, context.Canceled) || errors.Is(err, errAlone)) && errors.Is(context.Cause(ctx), errAlone) {
		return cli.Usagef("standard input was closed, which ends --private: keep a pipe open, or use \"prefer serve\" without it")
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
