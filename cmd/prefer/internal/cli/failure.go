package cli

import "fmt"

// The exit codes; after a signal it is 128 and its number.
const (
	ExitFailure      = 1
	ExitUsage        = 2
	ExitDone         = 3
	ExitPositionBias = 4 // the judges follow the order of the options
)

// Failure is an error as programs get it.
type Failure struct {
	Kind    string `json:"kind"` // docs/cli.md lists them
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

// NotFoundf is the error of something that is not there.
func NotFoundf(format string, args ...any) error {
	return Failure{Kind: "not_found", Message: fmt.Sprintf(format, args...)}
}
