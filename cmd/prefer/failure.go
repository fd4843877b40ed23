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
	"github.com/prefer-bo/prefer/job"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/merge"
	"github.com/prefer-bo/prefer/queue"
	"github.com/prefer-bo/prefer/store"
)

// The exit codes; after a signal it is 128 and its number.
const (
	exitFailure = 1
	exitUsage   = 2
	exitDone    = 3
	exitOrder   = 4 // the judges follow the order of the options
)

// failure is an error as programs get it.
type failure struct {
	Kind    string `json:"kind"` // docs/cli.md lists them
	Message string `json:"message"`
	Field   string `json:"field,omitempty"` // the flag or argument that is wrong
	Value   any    `json:"value,omitempty"` // what it was

	code int    // the exit code; 0 is exitFailure
	hint string // for people, on a line of its own
}

func (f failure) Error() string { return f.Message }

// usage is a mistake in the command line that only a command can see.
func usage(format string, args ...any) error {
	return failure{Kind: "usage", Message: fmt.Sprintf(format, args...), code: exitUsage}
}

// flagError is a flag as it is typed, "--top", or an argument, with a value that makes no sense: "want at least 1".
func flagError(flag string, value any, want string) error {
	if text, ok := value.(string); ok {
		return badFlag(fmt.Errorf("%s %q, %s", flag, text, want), flag, value)
	}
	return badFlag(fmt.Errorf("%s %v, %s", flag, value, want), flag, value)
}

// badFlag is a flagError in the words of another error.
func badFlag(err error, flag string, value any) error {
	return failure{Kind: "usage", Message: err.Error(), Field: flag, Value: value, code: exitUsage}
}

// notFound is the error of something that is not there.
func notFound(format string, args ...any) error {
	return failure{Kind: "not_found", Message: fmt.Sprintf(format, args...)}
}

// parseError is a command line that is not one.
func parseError(err error) error {
	return failure{Kind: "usage", Message: err.Error(), code: exitUsage,
		hint: "Run \"prefer help\" for the commands, \"prefer help COMMAND\" for one of them."}
}

// stopped is the end of a context by a signal.
type stopped struct{ signal os.Signal }

func (e stopped) Error() string { return "stopped by " + e.signal.String() }

// code is the exit code.
func (e stopped) code() int {
	if number, ok := e.signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return exitFailure
}

// Is makes it what the end of a context usually is.
func (e stopped) Is(target error) bool { return target == context.Canceled }

// kinds are what the errors of the packages below mean to a program.
var kinds = []struct {
	err  error
	kind string
}{
	{prefer.ErrConflict, "conflict"}, {prefer.ErrOpen, "conflict"}, {merge.ErrDiffers, "conflict"}, {merge.ErrConfig, "invalid"},
	{store.ErrExists, "exists"}, {fs.ErrExist, "exists"},
	{store.ErrNoStudy, "not_found"}, {prefer.ErrNotFound, "not_found"}, {job.ErrUnknown, "not_found"}, {fs.ErrNotExist, "not_found"},
	{prefer.ErrInvalid, "invalid"}, {store.ErrName, "invalid"},
	{prefer.ErrEvents, "damaged"}, {store.ErrCorrupt, "damaged"}, {store.ErrForeign, "damaged"}, {store.ErrNewer, "damaged"}, {prefer.ErrNewer, "damaged"}, {queue.ErrNewer, "damaged"},
	{store.ErrUnavailable, "unavailable"}, {queue.ErrUnavailable, "unavailable"}, {store.ErrFull, "unavailable"}, {store.ErrReplaced, "unavailable"},
	{store.ErrReadOnly, "denied"}, {fs.ErrPermission, "denied"},
}

// refusals are what a room's refusals mean to a program.
var refusals = map[live.Code]string{
	live.Invalid: "invalid", live.TooQuick: "invalid", live.Paused: "unavailable", live.OtherRater: "denied", live.Forgotten: "denied",
	live.NoQuestion: "not_found", live.NoAnswer: "not_found", live.NoLink: "not_found",
}

// newFailure says what an error is to programs, and its exit code.
func newFailure(ctx context.Context, err error) failure {
	f, _ := errors.AsType[failure](err)
	f.Kind = cmp.Or(f.Kind, "failed")
	f.code = cmp.Or(f.code, exitFailure)
	f.Message = strings.ReplaceAll(strings.TrimPrefix(err.Error(), "prefer: "), ": prefer: ", ": ") // the library's own prefix is the program's
	if f.Kind != "failed" {
		return f
	}
	if by, ok := errors.AsType[stopped](context.Cause(ctx)); ok && !errors.Is(err, store.ErrReplaced) { // which nobody would look for in the end of a server
		f.Kind = "stopped"
		if errors.Is(err, context.Canceled) {
			f.Message = "stopped; the same command goes on from here"
		}
		f.code = by.code()
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

// fail says what went wrong, if something did, and returns the exit code.
func fail(ctx context.Context, s streams, err error) int {
	if err == nil {
		return 0
	}
	f := newFailure(ctx, err)
	switch {
	case s.json:
		line, e := json.Marshal(map[string]failure{"error": f})
		if e != nil { // no value of a flag is of that kind
			line = strconv.AppendQuote(nil, f.Message)
		}
		fmt.Fprintln(s.err, string(line))
	case f.code == exitDone || f.code == exitOrder:
		fmt.Fprintln(s.err, f.Message)
	default:
		fmt.Fprintln(s.err, "prefer:", f.Message)
	}
	if f.hint != "" && !s.json {
		fmt.Fprintln(s.err, f.hint)
	}
	return f.code
}

// wantsJSON reports whether a command line that could not be read would have had --json.
func wantsJSON(args []string) bool {
	set, err := strconv.ParseBool(os.Getenv("PREFER_JSON"))
	return err == nil && set || hasSwitch(args, "--json")
}
