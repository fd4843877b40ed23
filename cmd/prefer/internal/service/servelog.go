package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/store"
)

// logFlags say what a server logs, and how.
type logFlags struct {
	LogFormat string     `help:"How the log on the standard error is written: text or json. With json nothing but log lines is there, and the owner's one-time address is not." enum:"text,json" default:"text"`
	LogLevel  slog.Level `help:"What is logged: debug, info, warn or error, and what is worse." default:"info" placeholder:"LEVEL"`
	AccessLog bool       `help:"Log a line for every request."`
}

func (f logFlags) logger(w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: f.LogLevel}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// logStart says what is served, how and where. Tokens and passwords are not in it.
func (c Serve) logStart(log *slog.Logger, st *store.Store, from source, at net.Addr, token string) {
	b := cli.ThisBuild()
	log.Info("serving", "version", b.Version, "commit", b.Commit, "go", b.Go, "store", st.String(), "address", at.String(), "public_url", c.PublicURL,
		"media", from.media, "queue", c.Queue != "", "owner_token", token != "", "lan", c.LAN, "access_log", c.AccessLog, "log_level", c.LogLevel, "pid", os.Getpid())
}

// logStop says that and why a server ends and, when what is returned is called, what became of the requests that had begun.
func logStop(ctx context.Context, srv *server.Server, log *slog.Logger, failed error) func(cut int, err error) {
	begun := time.Now()
	why := errors.Join(context.Cause(ctx), failed)
	requests, streams := srv.Running()
	log.Info("stopping", "why", why, "requests", requests, "streams", streams)
	return func(cut int, err error) {
		took := time.Since(begun).Round(time.Millisecond)
		if err != nil {
			log.Error("stopped", "after", took.String(), "finished", requests-cut, "cut_off", cut, "error", err)
			return
		}
		log.Info("stopped", "after", took.String(), "finished", requests-cut, "cut_off", cut)
	}
}

// ownerToken returns the owner's token from the flag, the variable or the file.
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
		return "", cli.WrapFlagError(errors.New("--owner-token-file "+c.OwnerTokenFile+": "+err.Error()), "--owner-token-file", c.OwnerTokenFile)
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
