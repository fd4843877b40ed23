package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
		line, err := l.next()
		if err != nil {
			return 0, err
		}
		if line == nil {
			continue
		}
		l.rest = append(line, '\n')
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next returns the next line if it is a message, and nil if it was answered. Of a line that is too long no more than its first part is kept.
func (l *lines) next() (line []byte, err error) {
	for more := true; more; {
		var part []byte
		if part, more, err = l.in.ReadLine(); err != nil {
			return nil, err
		}
		if len(line) <= mcp.DefaultMaxLineLength {
			line = append(line, part...)
		}
	}
	line = bytes.TrimSpace(line)
	switch err := check(line); {
	case len(line) == 0:
		return nil, nil
	case len(line) > mcp.DefaultMaxLineLength:
		return nil, l.refuse(invalidRequest, fmt.Errorf("a line of more than %d bytes", mcp.DefaultMaxLineLength))
	case !json.Valid(line):
		return nil, l.refuse(parseError, errors.New("a line is not JSON"))
	case err != nil:
		return nil, l.refuse(invalidRequest, err)
	}
	return line, nil
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
