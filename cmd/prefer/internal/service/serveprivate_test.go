package service

import (
	"context"
	"io"
	"strings"
	"testing"
)

// TestPrivateEarly: who gives a private server nothing to read is told what it is for.
func TestPrivateEarly(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	end(errAlone)
	if err := new(privacy).early(ctx, ctx.Err()); err == nil || !strings.Contains(err.Error(), "was closed before it was ready") {
		t.Errorf("error %v", err)
	}
	if err := new(privacy).early(ctx, io.ErrClosedPipe); err != io.ErrClosedPipe {
		t.Errorf("error %v, want what it was", err)
	}
}
