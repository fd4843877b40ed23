package prefer

import (
	"context"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer/internal/errcode"
)

// Error is a request that a study refuses: a Code, the Field to blame and its Value, the text as Detail, and one of the kinds below as Err. Codes:
//
//	option, context, costly     an option, a condition or a constraint does not fit the space
//	answer, key                 an answer that the study does not offer; a key of another answer of the rater
//	rater                       nobody can have this name
//	method                      the method does not say what a pair is worth
//	per_rater, shared           the study has a utility for each rater, or one for all, and this needs the other
//	no_question, no_answer      there is no such question or answer, or it is not open or was undone
//	no_rater                    the rater was never asked and has not answered
//	no_pick, no_rival           nobody has preferred anything so far; every option has been put against the pick
//	question_open               the rater has an open question, asked under other conditions
type Error = errcode.Error

// Kinds of errors, for errors.Is.
var (
	ErrInvalid  = errcode.ErrInvalid                                                     // the caller gave something that makes no sense
	ErrNotFound = errors.New("not found")                                                // a question, answer, rater, pick or rival
	ErrOpen     = errors.New("another question is open")                                 // of this rater, asked under other conditions
	ErrConflict = errors.New("the study was changed by another process")                 // the journal holds events this study has not seen; reopen it
	ErrEvents   = errors.New("damaged event log")                                        // a log does not describe a study
	ErrNewer    = errors.New("made by a newer prefer; use that one, or one newer still") // a log has what this version does not know
)

// notFound returns the error of something that is not there: "no_question", "no_answer", "no_rater", "no_pick", "no_rival".
func notFound(code, format string, args ...any) error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...), Err: ErrNotFound}
}

// ended returns the error of a context that is over: its own and, where somebody gave another reason, that too.
func ended(ctx context.Context) error {
	switch cause := context.Cause(ctx); {
	case ctx.Err() == nil:
		return nil
	case errors.Is(cause, ctx.Err()):
		return fmt.Errorf("prefer: %w", cause)
	default:
		return fmt.Errorf("prefer: %w: %w", ctx.Err(), cause)
	}
}
