package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/prefer-bo/prefer/live"
)

// Server answers agents about one study.
type Server struct {
	// Room has the study open, and Study is its name.
	Room  *live.Studies
	Study string

	// Version is that of the program, which agents are told.
	Version string
}

// instructions are what an agent reads before anything else.
const instructions = `prefer finds what a person, or a judge, likes best by asking "A or B?". Call ask for a question, look at its two options, call tell with the
choice, and go on until ask says done. best says at any time what is best so far and how sure that is; status where the study stands. Every agent
or person who answers takes a name of its own (rater) and says it in every call: each has one open question at a time.`

// Run answers on a stream until it ends, or ctx does. A line that is not a message of the protocol is answered with an error.
func (s Server) Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	whole := &writer{WriteCloser: out}
	err := s.tools().Run(ctx, &mcp.IOTransport{Reader: &lines{in: bufio.NewReader(in), out: whole, Closer: in}, Writer: whole})
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil // who asked has left
	}
	return err
}

// tools returns the server with its tools.
func (s Server) tools() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "prefer", Version: s.Version}, &mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	here, yes := false, true
	var turns sync.Map
	mcp.AddTool(server, &mcp.Tool{Name: "ask", Description: "The rater's open question, or a new one, chosen to find the best option in few answers. done is true when there is nothing more worth asking.",
		Annotations: &mcp.ToolAnnotations{OpenWorldHint: &here, DestructiveHint: &here, IdempotentHint: yes}}, explained(inTurn(&turns, s.ask, func(in askInput) string { return in.Rater })))
	mcp.AddTool(server, &mcp.Tool{Name: "tell", Description: "The answer to a question that ask gave. It is kept before this returns; telling the same again changes nothing.",
		Annotations: &mcp.ToolAnnotations{OpenWorldHint: &here, DestructiveHint: &here, IdempotentHint: yes}}, explained(inTurn(&turns, s.tell, func(in tellInput) string { return in.Rater })))
	mcp.AddTool(server, &mcp.Tool{Name: "best", Description: "The best option so far, how sure that is, and of a list the ranking. Looking changes nothing.",
		Annotations: &mcp.ToolAnnotations{OpenWorldHint: &here, ReadOnlyHint: true}}, explained(s.best))
	mcp.AddTool(server, &mcp.Tool{Name: "status", Description: "What the study asks about, how many answers it has, and whether to go on. Looking changes nothing.",
		Annotations: &mcp.ToolAnnotations{OpenWorldHint: &here, ReadOnlyHint: true}}, explained(s.status))
	return server
}

// inTurn does one call of a rater after the other: what an agent tells while its ask is being answered waits for that. turns has a channel for each rater.
func inTurn[In, Out any](turns *sync.Map, do func(context.Context, In) (Out, error), rater func(In) string) func(context.Context, In) (Out, error) {
	return func(ctx context.Context, in In) (out Out, err error) {
		slot, _ := turns.LoadOrStore(rater(in), make(chan struct{}, 1))
		select {
		case slot.(chan struct{}) <- struct{}{}:
			defer func() { <-slot.(chan struct{}) }()
		case <-ctx.Done():
			return out, ctx.Err()
		}
		return do(ctx, in)
	}
}

// explained makes a tool of a function: its errors are for the agent to read, and say what to do.
func explained[In, Out any](do func(context.Context, In) (Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := do(ctx, in)
		if refused, ok := errors.AsType[*live.Error](err); ok {
			err = errors.New(refused.Detail)
			if refused.Field != "" {
				err = fmt.Errorf("%s: %s", refused.Field, refused.Detail)
			}
		} else if err != nil {
			err = errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "live: "), "prefer: "))
		}
		return nil, out, err
	}
}
