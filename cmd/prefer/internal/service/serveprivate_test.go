package service

import (
	"context"
	"io"
	"strings"
	"testing"
)

// TestPrivateEarly: a private server whose input is closed says what to do.
func TestPrivateEarly(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	end(errAlone)
	if err := new(privacy).early(ctx, ctx.Err()); err == nil || !strings.Contains(err.Error(), "standard input was closed, which ends --private") {
		t.Errorf("error %v", err)
	}
	if err := new(privacy).early(ctx, io.ErrClosedPipe); err != io.ErrClosedPipe {
		t.Errorf("error %v, want what it was", err)
	}
}
