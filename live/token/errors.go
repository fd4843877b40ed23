package token

import "fmt"

// Error is a request that a study cannot meet, with the reason in words for its sender. Package live returns it too.
type Error struct {
	Code   Code
	Field  string // of the request that is to blame, as in "rater" or "checks.catch[2]"; empty for none
	Value  any    // what stood there, if that helps
	Detail string
}

// Code is the kind of an Error: programs tell them apart by it.
type Code string

// Codes of tokens. Package live has others.
const (
	Invalid       Code = "invalid"        // a field makes no sense
	NoLink        Code = "no_link"        // no token has this secret or id
	LinkWithdrawn Code = "link_withdrawn" // the owner ended it
	LinkExpired   Code = "link_expired"   // its time is over
	LinkRenewed   Code = "link_renewed"   // another secret has replaced it
	NameTaken     Code = "name_taken"     // somebody else has the name
	Forgotten     Code = "forgotten"      // the rater of the name was forgotten, and the name stays out
)

func (e *Error) Error() string { return "live: " + e.Detail }

// refuse returns an error about no field in particular.
func refuse(code Code, format string, args ...any) error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// invalid returns the error of a field.
func invalid(field string, value any, format string, args ...any) error {
	return &Error{Code: Invalid, Field: field, Value: value, Detail: fmt.Sprintf(format, args...)}
}
