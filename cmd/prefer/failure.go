package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

func parseError(err error) error {
	return cli.Failure{Kind: "usage", Message: err.Error(), Code: cli.ExitUsage,
		Hint: "Run \"prefer help\" for the commands, \"prefer help COMMAND\" for one of them."}
}

// stopped is the end of a context by a signal.
type stopped struct{ signal os.Signal }

func (e stopped) Error() string { return "stopped by " + e.signal.String() }

func (e stopped) code() int {
	if number, ok := e.signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return cli.ExitFailure
}

// Is makes it what the end of a context usually is.
func (e stopped) Is(target error) bool { return target == context.Canceled }

// kinds are what the errors of the packages below mean to a program.
var kinds = []struct {
	err  error
	kind string
}{
	{prefer.ErrConflict, "conflict"}, {prefer.ErrOpen, "conflict"}, {logfile.ErrDiffers, "conflict"}, {logfile.ErrConfig, "invalid"},
	{store.ErrExists, "exists"}, {fs.ErrExist, "exists"},
	{store.ErrNoStudy, "not_found"}, {prefer.ErrNotFound, "not_found"}, {job.ErrUnknown, "not_found"}, {fs.ErrNotExist, "not_found"},
	{prefer.ErrInvalid, "invalid"}, {store.ErrName, "invalid"},
	{prefer.ErrEvents, "damaged"}, {store.ErrCorrupt, "damaged"}, {sqlstore.ErrForeign, "damaged"}, {sqlstore.ErrNewer, "damaged"}, {prefer.ErrNewer, "damaged"}, {queue.ErrNewer, "damaged"},
	{store.ErrUnavailable, "unavailable"}, {queue.ErrUnavailable, "unavailable"}, {store.ErrFull, "unavailable"}, {store.ErrReplaced, "unavailable"},
	{store.ErrReadOnly, "denied"}, {fs.ErrPermission, "denied"},
}

var refusals = map[live.Code]string{
	live.Invalid: "invalid", live.TooQuick: "invalid", live.Paused: "unavailable", live.OtherRater: "denied", live.Forgotten: "denied",
	live.NoQuestion: "not_found", live.NoAnswer: "not_found", live.NoLink: "not_found",
}

func newFailure(ctx context.Context, err error) cli.Failure {
	f, _ := errors.AsType[cli.Failure](err)
	f.Kind = cmp.Or(f.Kind, "failed")
	f.Code = cmp.Or(f.Code, cli.ExitFailure)
	f.Message = strings.ReplaceAll(strings.TrimPrefix(err.Error(), "prefer: "), ": prefer: ", ": ") // the library's own prefix is the program's
	if f.Kind != "failed" {
		return f
	}
	if by, ok := errors.AsType[stopped](context.Cause(ctx)); ok && !errors.Is(err, store.ErrReplaced) { // a replaced store file is reported as such, also when the server was stopped
		f.Kind = "stopped"
		if errors.Is(err, context.Canceled) {
			f.Message = "stopped; the same command goes on from here"
		}
		f.Code = by.code()
		return f
	}
	if refused, ok := errors.AsType[*live.Error](err); ok {
		f.Kind, f.Message, f.Field, f.Value = cmp.Or(refusals[refused.Code], "failed"), refused.Detail, refused.Field, refused.Value
		return f
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			f.Kind = k.kind
			break
		}
	}
	return f
}

func fail(ctx context.Context, s cli.Streams, err error) int {
	if err == nil {
		return 0
	}
	f := newFailure(ctx, err)
	switch {
	case s.JSON:
		line, e := json.Marshal(map[string]cli.Failure{"error": f})
		if e != nil { // no value of a flag is of that kind
			line = strconv.AppendQuote(nil, f.Message)
		}
		fmt.Fprintln(s.Err, string(line))
	case f.Code == cli.ExitDone || f.Code == cli.ExitPositionBias:
		fmt.Fprintln(s.Err, f.Message)
	default:
		fmt.Fprintln(s.Err, "prefer:", f.Message)
	}
	if f.Hint != "" && !s.JSON {
		fmt.Fprintln(s.Err, f.Hint)
	}
	return f.Code
}
