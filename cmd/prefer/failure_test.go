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
		code int
	}{
		{t.Context(), fmt.Errorf("prefer: study %q: %w", "x", prefer.ErrConflict), failure{"conflict", `study "x": the study has moved on elsewhere`, "", nil}, 1},
		{t.Context(), flagError{"--seeds", "x", "want a number"}, failure{"usage", `--seeds "x", want a number`, "--seeds", "x"}, 2},
		{t.Context(), badFlag{errors.New("bad"), "--top", 3}, failure{"usage", "bad", "--top", 3}, 2},
		{t.Context(), fmt.Errorf("%w: try again", queue.ErrUnavailable), failure{"unavailable", "the queue cannot be reached: try again", "", nil}, 1},
		{t.Context(), store.ErrReadOnly, failure{"denied", "the store is read-only", "", nil}, 1},
		{t.Context(), os.ErrNotExist, failure{"not_found", "file does not exist", "", nil}, 1},
		{t.Context(), doneError{"done"}, failure{"done", "done", "", nil}, 3},
		{interrupted, context.Cause(interrupted), failure{"stopped", "stopped; the same command goes on from here", "", nil}, 130},
		{interrupted, errors.New("stopped: 3 of 4 people"), failure{"stopped", "stopped: 3 of 4 people", "", nil}, 130},
		{t.Context(), errors.New("prefer: no"), failure{"failed", "no", "", nil}, 1},
	} {
		got, code := newFailure(c.ctx, c.err)
		if diff := cmp.Diff(c.want, got); diff != "" || code != c.code {
			t.Errorf("%v: exit code %d, want %d; %s", c.err, code, c.code, diff)
		}
	}
}
