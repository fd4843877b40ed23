package main

import (
	"context"
	"io"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/mcp"
)

type mcpCommand struct {
	studyFlags
}

// Run answers agents on the standard input and output. Talk goes to the standard error: the protocol owns the other.
func (c mcpCommand) Run(ctx context.Context, s streams) error {
	return c.withRoom(ctx, s, func(room *live.Studies, name string) error {
		return mcp.Server{Room: room, Study: name, Version: thisBuild().Version}.Run(ctx, io.NopCloser(s.in), lent{s.out})
	})
}

// lent is a writer that is somebody else's to close.
type lent struct{ io.Writer }

func (lent) Close() error { return nil }
