// Package problem converts errors to replies (RFC 9457): a status, a type for programs, and a sentence for people. It is
// the one place that maps errors to statuses.
package problem

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/store"
)

// Parts of problems.
const (
	Types      = "urn:prefer:"      // what the type of a problem begins with
	RequestID  = "X-Request-Id"     // the header with the id of a request, in both directions
	instances  = Types + "request:" // what the instance of a problem begins with; the id of the request follows, by which a log can be searched
	RetryAfter = "1"                // when to come back, in seconds, after a 503
	statusGone = 499                // what a log says about a client that left before the reply
)

// kinds are the errors the world can cause, with what they are over HTTP. The first that matches counts.
var kinds = []struct {
	err    error
	status int
	name   string
}{
	{store.ErrNoStudy, http.StatusNotFound, "no_study"},
	{store.ErrExists, http.StatusConflict, "study_exists"},
	{store.ErrName, http.StatusUnprocessableEntity, "study_name"},
	{store.ErrFull, http.StatusInsufficientStorage, "store_full"},
	{store.ErrReadOnly, http.StatusServiceUnavailable, "store_read_only"},
	{store.ErrReplaced, http.StatusServiceUnavailable, "store_replaced"},
	{store.ErrUnavailable, http.StatusServiceUnavailable, "store_unavailable"},
	{store.ErrCorrupt, http.StatusInternalServerError, "store_damaged"},
	{prefer.ErrNewer, http.StatusInternalServerError, "store_newer"},
	{prefer.ErrConflict, http.StatusServiceUnavailable, "busy"},
	{prefer.ErrEvents, http.StatusUnprocessableEntity, "log"},
	{context.DeadlineExceeded, http.StatusServiceUnavailable, "too_late"},
	{context.Canceled, statusGone, "gone"},
}

// statuses are what a study refuses, by code, where that is no 422.
var statuses = map[string]int{
	"question_open": http.StatusConflict, "no_question": http.StatusConflict, "no_pick": http.StatusConflict, "no_rival": http.StatusConflict,
	"no_rater": http.StatusNotFound, "no_answer": http.StatusNotFound,
}

// refusals are the statuses of what a room of studies refuses; its codes are the names.
var refusals = func() map[live.Code]int {
	out := map[live.Code]int{}
	for status, codes := range map[int][]live.Code{
		http.StatusUnprocessableEntity: {live.Invalid, live.TooQuick},
		http.StatusForbidden:           {live.OwnerOnly, live.NoDuels, live.OtherRater, live.NoResults},
		http.StatusConflict:            {live.Paused, live.AskFirst, live.Ended, live.TooManyJobs, live.NameTaken, live.OtherConfig, live.RaterDiffers},
		http.StatusNotFound:            {live.NoQuestion, live.NoAnswer, live.NoJob, live.NoReport, live.NoLink},
		http.StatusGone:                {live.LinkWithdrawn, live.LinkExpired, live.LinkRenewed, live.Forgotten}, // as a token, they are a 401
		http.StatusTooManyRequests:     {live.TooMany},
		http.StatusServiceUnavailable:  {live.NoRunner, live.Closing, live.TooLate},
	} {
		for _, code := range codes {
			out[code] = status
		}
	}
	return out
}()

// New returns a problem of the given kind.
func New(status int, kind, detail string) *huma.ErrorModel {
	return &huma.ErrorModel{Type: Types + kind, Title: http.StatusText(status), Status: status, Detail: detail}
}

// Field returns the problem of one field that makes no sense.
func Field(location string, value any, message string) error {
	p := New(http.StatusUnprocessableEntity, "invalid", message)
	p.Errors = []*huma.ErrorDetail{{Location: location, Message: message, Value: value}}
	return p
}

// Explain makes a problem of an error. location is the field to blame if the caller knows one, or the part of the request with the field that a refusal names.
func Explain(ctx context.Context, log *slog.Logger, err error, location string) error {
	var known huma.StatusError
	if err == nil || errors.As(err, &known) {
		return err
	}
	if refusal, ok := errors.AsType[*live.Error](err); ok {
		return refused(refusal, location)
	}
	detail := err.Error()
	for _, prefix := range []string{"prefer: ", "store: ", "live: "} {
		detail = strings.TrimPrefix(detail, prefix)
	}
	blamed := func(p *huma.ErrorModel) error {
		if location != "" {
			p.Errors = []*huma.ErrorDetail{{Location: location, Message: detail}}
		}
		return p
	}
	for _, k := range kinds {
		switch {
		case !errors.Is(err, k.err):
		case k.status >= 500:
			log.ErrorContext(ctx, "a request failed", "problem", k.name, "error", err)
			return New(k.status, k.name, "the server cannot do this now: "+k.err.Error()) // the rest names files and databases
		default:
			return blamed(New(k.status, k.name, detail))
		}
	}
	if e, ok := errors.AsType[*prefer.Error](err); ok {
		return blamed(New(cmp.Or(statuses[e.Code], http.StatusUnprocessableEntity), e.Code, detail))
	}
	if location != "" { // what the caller sent, and nothing else, can be wrong
		return Field(location, nil, detail)
	}
	log.ErrorContext(ctx, "a request failed", "error", err)
	return New(http.StatusInternalServerError, "internal", "something went wrong in the server; its log says what")
}

func refused(e *live.Error, location string) *huma.ErrorModel {
	p := New(refusals[e.Code], string(e.Code), e.Detail)
	if e.Field == "" && e.Code != live.Invalid {
		return p
	}
	part, _, _ := strings.Cut(cmp.Or(location, "body"), ".")
	at := &huma.ErrorDetail{Location: part, Message: e.Detail, Value: e.Value}
	switch e.Field {
	case "":
	case "study":
		at.Location = "path.study"
	default:
		at.Location += "." + e.Field
	}
	if e.Code == live.TooQuick {
		at.Message = "too quick"
	}
	p.Errors = []*huma.ErrorDetail{at}
	return p
}

// Of is Explain where no field is to blame.
func Of(ctx context.Context, log *slog.Logger, err error) *huma.ErrorModel {
	var p *huma.ErrorModel
	if !errors.As(Explain(ctx, log, err, ""), &p) {
		p = New(http.StatusInternalServerError, "internal", "something went wrong in the server; its log says what")
	}
	return p
}

// Blame returns the part of a request an error of a study is about, if it is about what was sent.
func Blame(err error) string {
	switch errcode.Of(err) {
	case "key":
		return "body.key"
	case "option", "context", "answer":
		return "body"
	}
	return ""
}

// Write writes a problem outside of an operation.
func Write(w http.ResponseWriter, p *huma.ErrorModel) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(of(p, w.Header().Get(RequestID))) // the client may be gone
}

// Complete gives the problems of an operation their instance, and those that huma finds a type. request returns the id of the request.
func Complete(request func(context.Context) string) huma.Transformer {
	return func(c huma.Context, _ string, v any) (any, error) {
		if p, ok := v.(*huma.ErrorModel); ok {
			return of(p, request(c.Context())), nil
		}
		return v, nil
	}
}

// of returns the problem of one request: p may be that of many.
func of(p *huma.ErrorModel, request string) *huma.ErrorModel {
	own := *p
	own.Type = cmp.Or(p.Type, Types+"invalid")
	if request != "" {
		own.Instance = instances + request
	}
	return &own
}
