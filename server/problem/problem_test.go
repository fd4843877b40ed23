package problem

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/store"
)

// TestExplain: which error is which status, which field is to blame, and what stays in the log.
func TestExplain(t *testing.T) {
	own := New(418, "teapot", "short and stout")
	for _, c := range []struct {
		err      error
		location string
		status   int
		kind     string
		detail   string
		field    string
	}{
		{fmt.Errorf("store: study %q: %w", "tea", store.ErrNoStudy), "", 404, "no_study", `study "tea": no such study`, ""},
		{&prefer.Error{Code: "option", Detail: "no milk", Err: prefer.ErrInvalid}, "body.hold", 422, "option", "no milk", "body.hold"},
		{&prefer.Error{Code: "no_pick", Detail: "later", Err: prefer.ErrNotFound}, "", 409, "no_pick", "later", ""},
		{&prefer.Error{Code: "no_rater", Detail: "nobody", Err: prefer.ErrNotFound}, "", 404, "no_rater", "nobody", ""},
		{fmt.Errorf("store: /secret/path: %w", store.ErrUnavailable), "body", 503, "store_unavailable", "the server cannot do this now: the store cannot be reached", ""},
		{fmt.Errorf("live: %w", context.Canceled), "", 499, "gone", "context canceled", ""},
		{errors.New("/secret/path"), "", 500, "internal", "something went wrong in the server; its log says what", ""},
		{errors.New("no number"), "body.x", 422, "invalid", "no number", "body.x"},
		{fmt.Errorf("wrapped: %w", own), "body", 418, "teapot", "short and stout", ""},
		{&live.Error{Code: live.Paused, Detail: "later"}, "", 409, "paused", "later", ""},
		{&live.Error{Code: live.Invalid, Field: "rater", Detail: "no name"}, "", 422, "invalid", "no name", "body.rater"},
		{&live.Error{Code: live.Invalid, Field: "rater", Detail: "no name"}, "query.x", 422, "invalid", "no name", "query.rater"},
		{&live.Error{Code: live.Invalid, Detail: "too much"}, "", 422, "invalid", "too much", "body"},
		{&live.Error{Code: live.Invalid, Field: "study", Detail: "of a list"}, "", 422, "invalid", "of a list", "path.study"},
		{&live.Error{Code: live.TooQuick, Field: "rt_ms", Detail: "too quick: 3 ms"}, "", 422, "too_quick", "too quick: 3 ms", "body.rt_ms"},
	} {
		var p *huma.ErrorModel
		if !errors.As(Explain(t.Context(), slog.New(slog.DiscardHandler), c.err, c.location), &p) {
			t.Errorf("%v is not a problem", c.err)
			continue
		}
		field := ""
		if len(p.Errors) > 0 {
			field = p.Errors[0].Location
		}
		if p.Status != c.status || p.Type != Types+c.kind || p.Detail != c.detail || field != c.field {
			t.Errorf("%v is %d %s %q about %q, want %d %s %q about %q", c.err, p.Status, p.Type, p.Detail, field, c.status, c.kind, c.detail, c.field)
		}
	}
	if err := Explain(t.Context(), nil, nil, "body"); err != nil {
		t.Errorf("nothing is %v", err)
	}
}

// TestRefusals: every refusal has a status of its own choice.
func TestRefusals(t *testing.T) {
	for code, status := range refusals {
		if p := refused(&live.Error{Code: code, Detail: "x"}, ""); p.Status != status || p.Title == "" || status < 400 {
			t.Errorf("%s is %d %q", code, p.Status, p.Title)
		}
	}
	if len(refusals) != 26 {
		t.Errorf("%d kinds of refusals are known: give a new one of package live a status here", len(refusals))
	}
}
