package live

import (
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live/token"
)

// Error is a request that a study cannot meet, with the reason in words for its sender, and Code its kind. Other errors are
// those of packages prefer and contract.
type (
	Error = token.Error
	Code  = token.Code
)

// The kinds of refusals.
const (
	Invalid          = token.Invalid   // a field makes no sense
	Paused      Code = "paused"        // the owner lets nobody answer for now
	OwnerOnly   Code = "owner_only"    // a rater may not say so
	NoDuels     Code = "no_duels"      // raters of this study report no duels of their own
	AskFirst    Code = "ask_first"     // a question is to be answered before
	Ended       Code = "ended"         // she has given her answers
	OtherRater  Code = "other_rater"   // it belongs to somebody else
	NoQuestion  Code = "no_question"   // there is no such question
	NoAnswer    Code = "no_answer"     // there is no such answer
	TooQuick    Code = "too_quick"     // nobody can have looked in that time
	NoResults   Code = "no_results"    // raters do not see the results of this study
	NoJob       Code = "no_job"        // there is no such job
	NoReport    Code = "no_report"     // there is no page, or not yet
	TooManyJobs Code = "too_many_jobs" // others must be over first
	NoRunner    Code = "runner_unavailable"
	TooMany     Code = "too_many" // watch already
	Closing     Code = "closing"  // the room is
	TooLate     Code = "too_late" // nothing was found in time, for too many ask at once

	NoLink        = token.NoLink
	LinkWithdrawn = token.LinkWithdrawn
	LinkExpired   = token.LinkExpired
	LinkRenewed   = token.LinkRenewed
	NameTaken     = token.NameTaken
	Forgotten     = token.Forgotten

	OtherConfig  Code = "other_configuration" // a log is not of this study
	RaterDiffers Code = "rater_differs"       // the study has another log of the rater
)

// refuse returns an error about no field in particular.
func refuse(code Code, format string, args ...any) error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// invalid returns the error of one field that makes no sense.
func invalid(field string, value any, format string, args ...any) error {
	return &Error{Code: Invalid, Field: field, Value: value, Detail: fmt.Sprintf(format, args...)}
}

// notFound returns the error of something that the log does not have.
func notFound(code, format string, args ...any) error {
	return &prefer.Error{Code: code, Detail: fmt.Sprintf(format, args...), Err: prefer.ErrNotFound}
}
