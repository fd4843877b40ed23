package service

import (
	"context"
	"io"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/mcp"
)

type MCP struct {
	cli.StudyFlags
}

// Run answers agents on the standard input and output. Talk goes to the standard error: the protocol owns the other.
func (c MCP) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		return mcp.Server{Room: room, Study: name, Version: cli.ThisBuild().Version}.Run(ctx, io.NopCloser(s.In), lent{s.Out})
	})
}

// lent is a writer that is somebody else's to close.
type lent struct{ io.Writer }

func (lent) Close() error { return nil }
