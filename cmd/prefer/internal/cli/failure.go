package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/outfile"
)

// The exit codes; after a signal it is 128 and its number.
const (
	ExitFailure      = 1
	ExitUsage        = 2
	ExitDone         = 3
	ExitPositionBias = 4 // the judges follow the order of the options
)

// Failure is an error as programs get it.
type Failure struct {
	Kind    string `json:"kind"` // docs/guides/cli.md lists them
	Message string `json:"message"`
	Field   string `json:"field,omitempty"` // the flag or argument that is wrong
	Value   any    `json:"value,omitempty"` // what it was

	Code int    `json:"-"` // the exit code; 0 is ExitFailure
	Hint string `json:"-"` // for people, on a line of its own
}

func (f Failure) Error() string { return f.Message }

// Usagef is a mistake in the command line that only a command can see.
func Usagef(format string, args ...any) error {
	return Failure{Kind: "usage", Message: fmt.Sprintf(format, args...), Code: ExitUsage}
}

// Usage makes an error one of the command line.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return Usagef("%v", err)
}

// FlagError is a flag as it is typed, "--top", or an argument, with a value that makes no sense: "want at least 1".
func FlagError(flag string, value any, want string) error {
	if text, ok := value.(string); ok {
		return WrapFlagError(fmt.Errorf("%s %q, %s", flag, text, want), flag, value)
	}
	return WrapFlagError(fmt.Errorf("%s %v, %s", flag, value, want), flag, value)
}

// WrapFlagError is a flagError in the words of another error.
func WrapFlagError(err error, flag string, value any) error {
	return Failure{Kind: "usage", Message: err.Error(), Field: flag, Value: value, Code: ExitUsage}
}

// ParseAll parses each text of a flag. An error is that of the flag with the text.
func ParseAll[T any](flag string, texts []string, parse func(string) (T, error)) (out []T, err error) {
	for _, text := range texts {
		v, err := parse(text)
		if err != nil {
			return nil, WrapFlagError(err, flag, text)
		}
		out = append(out, v)
	}
	return out, nil
}

// NotFoundf is the error of something that is not there.
func NotFoundf(format string, args ...any) error {
	return Failure{Kind: "not_found", Message: fmt.Sprintf(format, args...)}
}

// ForceFlag is for commands that write files.
type ForceFlag struct {
	Force bool `help:"Overwrite files that prefer did not create. Studies are never overwritten." env:"-"`
}

// Check says before the work whether the file that a flag names could be written.
func (f ForceFlag) Check(flag, path string) error {
	return WrapFileError(flag, path, outfile.Check(path, f.Force))
}

// Write writes that file.
func (f ForceFlag) Write(flag, path string, write func(io.Writer) error) error {
	return WrapFileError(flag, path, outfile.Write(path, f.Force, write))
}

// WriteBytes writes that file at once.
func (f ForceFlag) WriteBytes(flag, path string, data []byte) error {
	return f.Write(flag, path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// WrapFileError makes what is wrong with a path the fault of the flag that names it, or a folder that it is in.
func WrapFileError(flag, path string, err error) error {
	if refused, ok := errors.AsType[*outfile.Refusal](err); ok {
		return WrapFlagError(fmt.Errorf("%s %w", flag, refused), flag, path)
	}
	return err
}

// The longest time after Ctrl-C or SIGTERM for requests that have begun, and for everything. Acknowledged answers are in the store by then.
var (
	RequestGrace  = 5 * time.Second
	ShutdownGrace = 10 * time.Second
)
