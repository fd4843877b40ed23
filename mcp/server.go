// Package mcp lets agents ask, tell and look by the Model Context Protocol: four tools over one study of a room.
package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/prefer-bo/prefer/live"
)

// Server answers agents about one study.
type Server struct {
	Room    *live.Studies // has the study open
	Study   string        // its name
	Version string        // of the program, which agents are told
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

func (s Server) tools() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "prefer", Version: s.Version}, &mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	var turns sync.Map
	no := false
	change, look := &mcp.ToolAnnotations{OpenWorldHint: &no, DestructiveHint: &no, IdempotentHint: true}, &mcp.ToolAnnotations{OpenWorldHint: &no, ReadOnlyHint: true}
	mcp.AddTool(server, &mcp.Tool{Name: "ask", Annotations: change, Description: "The rater's open question, or a new one, chosen to find the best option in few answers. done is true when there is nothing more worth asking."},
		explained(inTurn(&turns, s.ask, func(in askInput) string { return in.Rater })))
	mcp.AddTool(server, &mcp.Tool{Name: "tell", Annotations: change, Description: "The answer to a question that ask gave. It is kept before this returns; telling the same again changes nothing."},
		explained(inTurn(&turns, s.tell, func(in tellInput) string { return in.Rater })))
	mcp.AddTool(server, &mcp.Tool{Name: "best", Annotations: look, Description: "The best option so far, how sure that is, and of a list the ranking. Looking changes nothing."}, explained(s.best))
	mcp.AddTool(server, &mcp.Tool{Name: "status", Annotations: look, Description: "What the study asks about, how many answers it has, and whether to go on. Looking changes nothing."}, explained(s.status))
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

// The codes of JSON-RPC 2.0 for a line that is not JSON, and for one that is JSON and not a message.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// lines passes messages on, one per line, and answers lines that are not messages: the SDK ends the session at the first of them.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of a message that is being read
	io.Closer
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if err := l.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next keeps the next line if it is a message, and answers it otherwise. Of a line that is too long no more than its first part is kept.
func (l *lines) next() error {
	var line []byte
	for more := true; more; {
		var part []byte
		var err error
		if part, more, err = l.in.ReadLine(); err != nil {
			return err
		}
		if len(line) <= mcp.DefaultMaxLineLength {
			line = append(line, part...)
		}
	}
	line = bytes.TrimSpace(line)
	switch err := check(line); {
	case len(line) == 0:
		return nil
	case len(line) > mcp.DefaultMaxLineLength:
		return l.refuse(invalidRequest, fmt.Errorf("a line of more than %d bytes", mcp.DefaultMaxLineLength))
	case !json.Valid(line):
		return l.refuse(parseError, errors.New("a line is not JSON"))
	case err != nil:
		return l.refuse(invalidRequest, err)
	}
	l.rest = append(line, '\n')
	return nil
}

// check returns an error if a line has neither a message nor a batch of messages.
func check(line []byte) error {
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		batch = []json.RawMessage{line}
	}
	if len(batch) == 0 {
		return errors.New("an empty batch")
	}
	for _, each := range batch {
		if _, err := jsonrpc.DecodeMessage(each); err != nil {
			return err
		}
	}
	return nil
}

// refuse answers a line that is not a message, and so has no id.
func (l *lines) refuse(code int, why error) error {
	text := map[int]string{parseError: "Parse error", invalidRequest: "Invalid Request"}[code]
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": text + ": " + why.Error()}})
	if err == nil {
		_, err = l.out.Write(append(answer, '\n'))
	}
	return err
}

// writer writes each message whole when several goroutines write.
type writer struct {
	mu sync.Mutex
	io.WriteCloser
}

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}
