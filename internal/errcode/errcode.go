// Package errcode has the error type that prefer exports as prefer.Error. It is a package of its own because space and internal/coding
// return such errors and cannot import prefer.
package errcode

import "errors"

// ErrInvalid is in every error about something the caller gave: an option, an answer, a name, a setting.
var ErrInvalid = errors.New("invalid")

// Error is a request that a space or a study refuses. Its text names the field and the value.
type Error struct {
	Code   string // what programs tell errors apart by
	Field  string // what is to blame, as in "sugar" or "pairs[3]"; empty where it is nothing in particular
	Value  any    // what stood there, if there is a field
	Detail string // the text
	Err    error  // its kind: ErrInvalid, or another of the variables of package prefer
}

func (e *Error) Error() string { return "prefer: " + e.Detail }

// Unwrap returns the kind of the error.
func (e *Error) Unwrap() error { return e.Err }

// Of returns the Code of the first Error that err wraps, or "".
func Of(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}
