package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/queue"
	"github.com/prefer-bo/prefer/store"
)

func TestFailure(t *testing.T) {
	interrupted, stop := context.WithCancelCause(t.Context())
	stop(stopped{os.Interrupt})
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want failure
	}{
		{t.Context(), fmt.Errorf("prefer: study %q: %w", "x", prefer.ErrConflict), failure{Kind: "conflict", Message: `study "x": the study has moved on elsewhere`, code: 1}},
		{t.Context(), flagError("--seeds", "x", "want a number"), failure{Kind: "usage", Message: `--seeds "x", want a number`, Field: "--seeds", Value: "x", code: 2}},
		{t.Context(), badFlag(errors.New("bad"), "--top", 3), failure{Kind: "usage", Message: "bad", Field: "--top", Value: 3, code: 2}},
		{t.Context(), fmt.Errorf("%w: try again", queue.ErrUnavailable), failure{Kind: "unavailable", Message: "the queue cannot be reached: try again", code: 1}},
		{t.Context(), store.ErrReadOnly, failure{Kind: "denied", Message: "the store is read-only", code: 1}},
		{t.Context(), os.ErrNotExist, failure{Kind: "not_found", Message: "file does not exist", code: 1}},
		{t.Context(), failure{Kind: "done", Message: "done", code: exitDone}, failure{Kind: "done", Message: "done", code: 3}},
		{interrupted, context.Cause(interrupted), failure{Kind: "stopped", Message: "stopped; the same command goes on from here", code: 130}},
		{interrupted, errors.New("stopped: 3 of 4 people"), failure{Kind: "stopped", Message: "stopped: 3 of 4 people", code: 130}},
		{t.Context(), errors.New("prefer: no"), failure{Kind: "failed", Message: "no", code: 1}},
	} {
		if diff := cmp.Diff(c.want, newFailure(c.ctx, c.err), cmp.AllowUnexported(failure{})); diff != "" {
			t.Errorf("%v: %s", c.err, diff)
		}
	}
}
