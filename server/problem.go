package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// problemTypes is what the type of a problem begins with; programs tell problems apart by what follows.
const problemTypes = "urn:prefer:"

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
	{store.ErrUnavailable, http.StatusServiceUnavailable, "store_unavailable"},
	{store.ErrCorrupt, http.StatusInternalServerError, "store_damaged"},
	{prefer.ErrConflict, http.StatusServiceUnavailable, "busy"},
	{prefer.ErrOption, http.StatusUnprocessableEntity, "option"},
	{prefer.ErrAnswer, http.StatusUnprocessableEntity, "answer"},
	{prefer.ErrOpen, http.StatusConflict, "question_open"},
	{prefer.ErrNoQuestion, http.StatusConflict, "no_question"},
	{prefer.ErrNoAnswer, http.StatusNotFound, "no_answer"},
	{prefer.ErrPerRater, http.StatusUnprocessableEntity, "per_rater"},
	{prefer.ErrShared, http.StatusUnprocessableEntity, "shared"},
	{prefer.ErrEvents, http.StatusUnprocessableEntity, "log"},
	{errNoJob, http.StatusNotFound, "no_job"},
	{context.DeadlineExceeded, http.StatusServiceUnavailable, "too_late"},
	{context.Canceled, statusGone, "gone"},
}

// statusGone is what a log says about a client that left before the reply.
const statusGone = 499

// refuse returns a problem of the given kind.
func refuse(status int, kind, detail string) *huma.ErrorModel {
	return &huma.ErrorModel{Type: problemTypes + kind, Title: http.StatusText(status), Status: status, Detail: detail}
}

// invalid returns the problem of one field that makes no sense.
func invalid(location string, value any, message string) error {
	p := refuse(http.StatusUnprocessableEntity, "invalid", message)
	p.Errors = []*huma.ErrorDetail{{Location: location, Message: message, Value: value}}
	return p
}

// explain makes a problem of an error; location is the field to blame if the caller knows one.
func (s *Server) explain(ctx context.Context, err error, location string) error {
	var known huma.StatusError
	if err == nil || errors.As(err, &known) {
		return err
	}
	detail := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "prefer: "), "store: "), "server: ")
	for _, k := range kinds {
		if !errors.Is(err, k.err) {
			continue
		}
		p := refuse(k.status, k.name, detail)
		if k.status >= 500 {
			s.log.ErrorContext(ctx, "a request failed", "problem", k.name, "error", err)
			p.Detail = "the server cannot do this now: " + k.err.Error() // the rest names files and databases
		} else if location != "" {
			p.Errors = []*huma.ErrorDetail{{Location: location, Message: detail}}
		}
		return p
	}
	if location != "" { // what the caller sent, and nothing else, can be wrong
		return invalid(location, nil, detail)
	}
	s.log.ErrorContext(ctx, "a request failed", "error", err)
	return refuse(http.StatusInternalServerError, "internal", "something went wrong in the server; its log says what")
}

// problem is explain outside of an operation.
func (s *Server) problem(ctx context.Context, err error) *huma.ErrorModel {
	var p *huma.ErrorModel
	if !errors.As(s.explain(ctx, err, ""), &p) {
		p = refuse(http.StatusInternalServerError, "internal", "something went wrong in the server; its log says what")
	}
	return p
}

// writeProblem writes a problem outside of an operation.
func writeProblem(w http.ResponseWriter, p *huma.ErrorModel) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client may be gone
}

// typed gives the problems that huma finds a type.
func typed(_ huma.Context, _ string, v any) (any, error) {
	if p, ok := v.(*huma.ErrorModel); ok && p.Type == "" {
		p.Type = problemTypes + "invalid"
	}
	return v, nil
}
