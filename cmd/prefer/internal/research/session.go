package research

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// Protocol is the number of the protocol. A client refuses one it does not know.
const Protocol = 1

// Options say how a session runs. The zero value works.
type Options struct {
	Version string // what this program says of itself in its first line
	Workers int    // the number of goroutines that one request may use; results do not depend on it. Defaults to 1

	// Whole has requests answered that were read before the input ended. Otherwise the client is taken to have ended: the session
	// is over at once, whatever it is doing.
	Whole bool

	Stderr io.Writer // where the stack of a panic goes; nil for nowhere
}

// head is what all requests have in common.
type head struct {
	ID     uint64 `json:"id"`
	Op     string `json:"op"`
	Cancel uint64 `json:"cancel"`
	Bytes  int    `json:"bytes"` // that follow the line
}

// frame is a line, and the bytes that followed it.
type frame struct {
	head
	line, raw []byte
	ctx       context.Context // of the request, until end
	end       context.CancelCauseFunc
}

// fault is why a request failed.
type fault struct {
	Field   string `json:"field,omitempty"` // of the request that is wrong; "" where none is
	Message string `json:"message"`
}

func (f *fault) Error() string { return f.Message }

// wrong is the error of a field.
func wrong(field, format string, values ...any) error {
	return &fault{field, fmt.Sprintf(format, values...)}
}

var (
	errCancelled = errors.New("cancelled")
	errEnded     = errors.New("research: the input ended while a request was at work")
)

// session is a conversation.
type session struct {
	Options
	ctx    context.Context
	out    *bufio.Writer
	models map[int]*model
	last   int // number of the latest model

	mu      sync.Mutex
	working map[uint64]context.CancelCauseFunc // requests that were read and not answered yet
}

// Serve answers requests until in ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	o.Workers = max(1, o.Workers)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	frames, ended := make(chan frame), make(chan error, 1)
	s := &session{Options: o, ctx: ctx, out: bufio.NewWriter(out), models: map[int]*model{}, working: map[uint64]context.CancelCauseFunc{}}
	if err := s.write(reply{"prefer": s.Version, "protocol": Protocol}); err != nil {
		return err
	}
	go s.read(in, frames, ended)
	done := make(chan error, 1)
	go func() {
		var err error
		for f := range frames {
			if err = s.handle(f); err != nil {
				break
			}
		}
		done <- err
	}()
	select {
	case err := <-done: // the writer has failed, or there was nothing left to do
		select {
		case end := <-ended:
			return errors.Join(end, err)
		default:
			return err
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	case end := <-ended:
		if o.Whole {
			return errors.Join(end, <-done)
		}
		return end
	}
}

// read hands frames on, but for those that end requests at work.
func (s *session) read(in io.Reader, frames chan<- frame, ended chan<- error) {
	defer close(frames)
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		f, err := readFrame(r)
		switch {
		case err == io.EOF:
			s.mu.Lock()
			if err = nil; !s.Whole && len(s.working) > 0 {
				err = errEnded
			}
			s.mu.Unlock()
			ended <- err
			return
		case err != nil:
			ended <- err
			return
		case f.Cancel != 0:
			s.mu.Lock()
			if end := s.working[f.Cancel]; end != nil {
				end(errCancelled)
			}
			s.mu.Unlock()
			continue
		}
		f.ctx, f.end = context.WithCancelCause(s.ctx)
		s.mu.Lock()
		s.working[f.ID] = f.end
		s.mu.Unlock()
		select {
		case frames <- f:
		case <-s.ctx.Done():
			f.end(nil)
			return
		}
	}
}

// readFrame reads the next line that is not empty, with what follows it. A line that is not JSON ends the session, since the length of what follows it is
// unknown.
func readFrame(r *bufio.Reader) (frame, error) {
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) == 0 {
			if err != nil {
				return frame{}, err
			}
			continue
		}
		if err != nil && err != io.EOF {
			return frame{}, err
		}
		f := frame{line: line}
		if err := json.Unmarshal(line, &f.head); err != nil {
			return f, fmt.Errorf("research: %.80q is not a line of JSON with an id and an op: %w", line, err)
		}
		if f.Bytes < 0 || f.Bytes > maxBytes {
			return f, fmt.Errorf("research: bytes = %d, want 0 to %d", f.Bytes, maxBytes)
		}
		f.raw = make([]byte, f.Bytes)
		if _, err := io.ReadFull(r, f.raw); err != nil {
			return f, fmt.Errorf("research: bytes = %d, and the input ended before: %w", f.Bytes, err)
		}
		return f, nil
	}
}

// maxBytes bounds the numbers of one request.
const maxBytes = 1 << 31

// handle answers one request. An error ends the session: the reply could not be written.
func (s *session) handle(f frame) error {
	defer f.end(nil)
	r, err := s.answer(f.ctx, f)
	if err == nil {
		err = context.Cause(f.ctx) // what is half done is no answer
	}
	s.mu.Lock()
	delete(s.working, f.ID)
	s.mu.Unlock()
	if err != nil {
		why := &fault{Message: err.Error()}
		errors.As(err, &why)
		return s.write(reply{"id": f.ID, "error": why})
	}
	r["id"] = f.ID
	return s.write(r)
}

// reply are the fields of an answer.
type reply map[string]any

// operation answers a request.
type operation func(context.Context, frame) (reply, error)

// answer finds the operation, which reads its own fields. A panic is an error of the one request.
func (s *session) answer(ctx context.Context, f frame) (r reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			if s.Stderr != nil {
				fmt.Fprintf(s.Stderr, "%v\n%s", p, debug.Stack())
			}
			err = fmt.Errorf("research: %q panicked: %v", f.Op, p)
		}
	}()
	do := map[string]operation{
		"fit": s.fit, "drop": s.drop, "condition": onModel(s, s.condition), "posterior": onModel(s, s.posterior),
		"moments": onModel(s, s.moments), "gradient": onModel(s, s.gradient), "draw": onModel(s, s.draw),
		"acquire": onModel(s, s.acquire), "recommend": onModel(s, s.recommend), "search": onModel(s, s.search),
	}[f.Op]
	if do == nil {
		return nil, wrong("op", "op = %q, want one of fit, condition, drop, posterior, moments, gradient, draw, acquire, recommend, search", f.Op)
	}
	return do(ctx, f)
}

// decode reads the fields of a request, all of them known.
func (f frame) decode(to any) error {
	d := json.NewDecoder(bytes.NewReader(f.line))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
		return wrong(kind.Field, "%s is a %s, want a %s", kind.Field, kind.Value, kind.Type)
	}
	if err != nil {
		return wrong("", "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// write writes a line, and after it the numbers of the arrays among its fields.
func (s *session) write(r reply) error {
	var raw []byte
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if a, ok := r[name].(*Array); ok {
			raw = a.put(raw)
		}
	}
	if raw != nil {
		r["bytes"] = len(raw)
	}
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return err
	}
	if _, err := s.out.Write(raw); err != nil {
		return err
	}
	return s.out.Flush()
}
