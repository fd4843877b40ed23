package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/store"
)

func TestFailure(t *testing.T) {
	interrupted, stop := context.WithCancelCause(t.Context())
	stop(stopped{os.Interrupt})
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want cli.Failure
	}{
		{t.Context(), fmt.Errorf("prefer: study %q: %w", "x", prefer.ErrConflict), cli.Failure{Kind: "conflict", Message: `study "x": the study was changed by another process`, Code: 1}},
		{t.Context(), cli.FlagError("--seeds", "x", "want a number"), cli.Failure{Kind: "usage", Message: `--seeds "x", want a number`, Field: "--seeds", Value: "x", Code: 2}},
		{t.Context(), cli.WrapFlagError(errors.New("bad"), "--top", 3), cli.Failure{Kind: "usage", Message: "bad", Field: "--top", Value: 3, Code: 2}},
		{t.Context(), fmt.Errorf("%w: try again", queue.ErrUnavailable), cli.Failure{Kind: "unavailable", Message: "the queue cannot be reached: try again", Code: 1}},
		{t.Context(), store.ErrReadOnly, cli.Failure{Kind: "denied", Message: "the store is read-only", Code: 1}},
		{t.Context(), os.ErrNotExist, cli.Failure{Kind: "not_found", Message: "file does not exist", Code: 1}},
		{t.Context(), cli.Failure{Kind: "done", Message: "done", Code: cli.ExitDone}, cli.Failure{Kind: "done", Message: "done", Code: 3}},
		{interrupted, context.Cause(interrupted), cli.Failure{Kind: "stopped", Message: "stopped; the same command goes on from here", Code: 130}},
		{interrupted, errors.New("stopped: 3 of 4 people"), cli.Failure{Kind: "stopped", Message: "stopped: 3 of 4 people", Code: 130}},
		{t.Context(), errors.New("prefer: no"), cli.Failure{Kind: "failed", Message: "no", Code: 1}},
	} {
		if diff := cmp.Diff(c.want, newFailure(c.ctx, c.err), cmp.AllowUnexported(cli.Failure{})); diff != "" {
			t.Errorf("%v: %s", c.err, diff)
		}
	}
}
