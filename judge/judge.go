package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Judge is who answers: a name, which is the rater's in the log, and what is called for each question.
type Judge struct {
	Name string
	Call Call
}

// Call answers one question. It is called by several goroutines at a time, and ends when its context does.
type Call func(context.Context, Question) (Reply, error)

// Question is what a judge is asked. First is what she is shown first, which is not what the log calls so.
type Question struct {
	Study   string            `json:"study"`
	ID      prefer.QuestionID `json:"question_id"`
	Judge   string            `json:"judge"`
	Attempt int               `json:"attempt"` // 1, 2, …
	Prompt  string            `json:"prompt"`
	First   Option            `json:"first"`
	Second  Option            `json:"second"`
	Choices []prefer.Choice   `json:"choices"`          // that the study offers
	Grades  int               `json:"grades,omitempty"` // the highest strength
}

// Option is one of the two: an item of a list, with what it is known by, or a setting of parameters.
type Option struct {
	Item     string                 `json:"item,omitempty"`
	Text     string                 `json:"text,omitempty"`
	Media    string                 `json:"media,omitempty"` // the file, as far as it was found
	Features map[string]space.Value `json:"features,omitempty"`
	Params   space.Option           `json:"params,omitempty"`
}

// Reply is what a judge says. Cost is what the call took, in whatever unit the budget has.
type Reply struct {
	Choice   prefer.Choice `json:"choice"`
	Strength int           `json:"strength,omitempty"`
	Note     string        `json:"note,omitempty"`
	Meta     prefer.Meta   `json:"meta,omitempty"`
	Cost     *float64      `json:"cost,omitempty"` // nil if she does not say
}

// Reason is why a call came to nothing.
type Reason string

// The reasons. Whatever else a Call returns is an Error.
const (
	Rubbish Reason = "rubbish" // it was said, and is no answer
	Nothing Reason = "nothing" // nothing was said
	TooLong Reason = "too_long"
	Exit    Reason = "exit"    // the program ended with an error
	Timeout Reason = "timeout" // nothing came in time
	Error   Reason = "error"
)

// Failure is a call that came to nothing, and may be tried again.
type Failure struct {
	Reason Reason
	Err    error
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

func fail(reason Reason, format string, args ...any) *Failure {
	return &Failure{reason, fmt.Errorf(format, args...)}
}

// ErrMissing is wrapped by errors about a judge that is no program: it would fail for ever, and ends a run at once.
var ErrMissing = errors.New("the judge cannot be run")

// failed returns an error as a failure.
func failed(err error) *Failure {
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{Timeout, err}
	}
	return &Failure{Error, err}
}
