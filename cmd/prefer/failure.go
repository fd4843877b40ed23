package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/job"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/queue"
	"github.com/prefer-bo/prefer/store"
)

// The exit codes; after a signal it is 128 and its number.
const (
	exitFailure = 1
	exitUsage   = 2
	exitDone    = 3
)

// usageError is a mistake in the command line that only a command can see.
type usageError struct{ error }

// flagError is a flag, or an argument, with a value that makes no sense.
type flagError struct {
	flag  string // as it is typed, "--top"
	value any
	want  string // "want at least 1"
}

// badFlag is a flagError in the words of another error.
type badFlag struct {
	error
	flag  string
	value any
}

func (e flagError) Error() string {
	if text, ok := e.value.(string); ok {
		return fmt.Sprintf("%s %q, %s", e.flag, text, e.want)
	}
	return fmt.Sprintf("%s %v, %s", e.flag, e.value, e.want)
}

// kindError is an error that a command knows the kind of.
type kindError struct {
	error
	kind string
}

// notFound is the error of something that is not there.
func notFound(format string, args ...any) error {
	return kindError{fmt.Errorf(format, args...), "not_found"}
}

// parseError is a command line that is not one.
type parseError struct{ error }

// doneError says that a study is done when a question was wanted.
type doneError struct{ verdict string }

func (e doneError) Error() string { return e.verdict }

// stopped is the end of a context by a signal.
type stopped struct{ signal os.Signal }

func (e stopped) Error() string { return "stopped by " + e.signal.String() }

// Is makes it what the end of a context usually is.
func (e stopped) Is(target error) bool { return target == context.Canceled }

// failure is an error as programs get it.
type failure struct {
	Kind    string `json:"kind"` // docs/cli.md lists them
	Message string `json:"message"`
	Field   string `json:"field,omitempty"` // the flag or argument that is wrong
	Value   any    `json:"value,omitempty"` // what it was
}

// kinds are what the errors of the packages below mean to a program.
var kinds = []struct {
	err  error
	kind string
}{
	{prefer.ErrConflict, "conflict"}, {prefer.ErrOpen, "conflict"},
	{store.ErrExists, "exists"},
	{store.ErrNoStudy, "not_found"}, {prefer.ErrNoQuestion, "not_found"}, {prefer.ErrNoAnswer, "not_found"}, {job.ErrUnknown, "not_found"}, {fs.ErrNotExist, "not_found"},
	{prefer.ErrOption, "invalid"}, {prefer.ErrAnswer, "invalid"}, {prefer.ErrPerRater, "invalid"}, {prefer.ErrShared, "invalid"}, {store.ErrName, "invalid"},
	{prefer.ErrEvents, "damaged"}, {store.ErrCorrupt, "damaged"}, {store.ErrForeign, "damaged"}, {store.ErrNewer, "damaged"}, {queue.ErrNewer, "damaged"},
	{store.ErrUnavailable, "unavailable"}, {queue.ErrUnavailable, "unavailable"}, {store.ErrFull, "unavailable"},
	{store.ErrReadOnly, "denied"}, {fs.ErrPermission, "denied"},
}

// refusals are what a room's refusals mean to a program.
var refusals = map[live.Code]string{
	live.Invalid: "invalid", live.TooQuick: "invalid", live.Paused: "unavailable", live.OtherRater: "denied",
	live.NoQuestion: "not_found", live.NoAnswer: "not_found",
}

// newFailure says what kind of error one is, and of which exit code.
func newFailure(ctx context.Context, err error) (failure, int) {
	f := failure{Kind: "failed", Message: strings.TrimPrefix(err.Error(), "prefer: ")} // the library's own prefix is the program's
	if flag, ok := errors.AsType[flagError](err); ok {
		f.Kind, f.Field, f.Value = "usage", flag.flag, flag.value
		return f, exitUsage
	}
	if flag, ok := errors.AsType[badFlag](err); ok {
		f.Kind, f.Field, f.Value = "usage", flag.flag, flag.value
		return f, exitUsage
	}
	if done, ok := errors.AsType[doneError](err); ok {
		f.Kind, f.Message = "done", done.Error()
		return f, exitDone
	}
	var usage usageError
	var parse parseError
	if errors.As(err, &usage) || errors.As(err, &parse) {
		f.Kind = "usage"
		return f, exitUsage
	}
	if by, ok := errors.AsType[stopped](context.Cause(ctx)); ok {
		f.Kind = "stopped"
		if errors.Is(err, context.Canceled) {
			f.Message = "stopped; the same command goes on from here"
		}
		if number, ok := by.signal.(syscall.Signal); ok {
			return f, 128 + int(number)
		}
		return f, exitFailure
	}
	if refused, ok := errors.AsType[*live.Error](err); ok {
		f.Kind, f.Message, f.Field, f.Value = cmp.Or(refusals[refused.Code], "failed"), refused.Detail, refused.Field, refused.Value
		return f, exitFailure
	}
	if known, ok := errors.AsType[kindError](err); ok {
		f.Kind = known.kind
		return f, exitFailure
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			f.Kind = k.kind
			break
		}
	}
	return f, exitFailure
}

// fail says what went wrong, if something did, and returns the exit code.
func fail(ctx context.Context, s streams, err error) int {
	if err == nil {
		return 0
	}
	f, code := newFailure(ctx, err)
	switch {
	case s.json:
		line, e := json.Marshal(map[string]failure{"error": f})
		if e != nil { // no value of a flag is of that kind
			line = strconv.AppendQuote(nil, f.Message)
		}
		fmt.Fprintln(s.err, string(line))
	case code == exitDone:
		fmt.Fprintln(s.err, f.Message)
	default:
		fmt.Fprintln(s.err, "prefer:", f.Message)
	}
	if _, ok := errors.AsType[parseError](err); ok && !s.json {
		fmt.Fprintln(s.err, "Run \"prefer help\" for the commands, \"prefer help COMMAND\" for one of them.")
	}
	return code
}

// wantsJSON reports whether a command line that could not be read would have had --json.
func wantsJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	set, err := strconv.ParseBool(os.Getenv("PREFER_JSON"))
	return err == nil && set || slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}
