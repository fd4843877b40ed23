// Package external lets programs in any language be problems and methods of an experiment: lines of JSON over a pipe.
//
// A program says in its first line what it is, then answers every line it reads with one line, until its input ends. It
// must answer the same line in the same way whatever it was asked before, or a cell would not be a function of its
// coordinates: everything random follows from the seed in the line. docs/guides/extend.md has the protocol with an example of each.
//
// A program that ends, takes too long, or says what is no answer is an error that names the line, of the one cell.
package external

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/pipe"
	"github.com/prefer-bo/prefer/internal/strictjson"
)

// Command is a program that is started as often as it is needed at a time.
type Command struct {
	Line    string        // for the shell
	Timeout time.Duration // for the answer to one question. Defaults to a minute
	Stderr  io.Writer     // where its standard error goes; nil for nowhere
}

const (
	defaultTimeout = time.Minute
	startTimeout   = time.Minute // at least, for the first line
	longestLine    = 64 << 20    // bytes; more is rubbish
)

// process is one running copy of a command.
type process struct {
	*pipe.Program
	command Command
	count   int // lines read

	timer *time.Timer // ends it when the time of the question at hand is over
	late  atomic.Bool // which it was
}

func (c Command) start() (*process, error) {
	c.Timeout = cmp.Or(max(c.Timeout, 0), defaultTimeout)
	program, err := pipe.Start(c.Line, c.Stderr)
	if err != nil {
		return nil, fmt.Errorf("external: %q does not start: %w", c.Line, err)
	}
	p := &process{Program: program, command: c}
	p.timer = time.AfterFunc(max(c.Timeout, startTimeout), func() {
		p.late.Store(true)
		p.Kill()
	})
	return p, nil
}

// receive reads the next line into reply.
func (p *process) receive(reply any) error {
	line, err := p.Receive(longestLine)
	if err != nil && (err != io.EOF || len(line) == 0) {
		return p.fail(p.silence(err))
	}
	p.count++
	if err := json.Unmarshal(line, reply); err != nil {
		return p.fail(fmt.Errorf("%s is not what is expected: %w", strictjson.Excerpt(string(bytes.TrimSpace(line))), err))
	}
	return nil
}

// silence says why there is no line.
func (p *process) silence(err error) error {
	if err == io.EOF || p.late.Load() {
		err = p.Wait()
	}
	switch {
	case p.late.Load():
		p.count++ // the line that did not come
		return fmt.Errorf("no answer within %v", p.command.Timeout)
	case err == nil:
		err = errors.New("it ended")
	}
	return fmt.Errorf("no answer: %w", err)
}

func (p *process) send(request any) error {
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if err := p.Send(line); err != nil { // it has ended, and how is more to the point
		return p.receive(&struct{}{})
	}
	return nil
}

// fail names the program and the line.
func (p *process) fail(err error) error {
	return fmt.Errorf("external: %q, line %d: %w", p.command.Line, max(p.count, 1), err)
}

// End ends the program, whatever it is doing, and waits for that.
func (p *process) End() {
	p.timer.Stop()
	p.Program.End()
}

// hello is the first line of a program: what it is.
type hello struct {
	Name string `json:"name"`

	Dim     int       `json:"dim,omitempty"`   // of a problem, like those below
	Lower   []float64 `json:"lower,omitempty"` // 0 by default
	Upper   []float64 `json:"upper,omitempty"` // 1 by default
	Optimum float64   `json:"optimum,omitempty"`
}

var plainName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`) // what names in results files look like

// pool are the copies of a program. They are started when all others are busy.
type pool struct {
	pipe.Pool[*process]
	command Command
	mu      sync.Mutex
	hello   hello
}

// newPool starts the first copy, to hear what it is.
func newPool(c Command) (*pool, error) {
	o := &pool{command: c}
	o.Start = o.start
	p, err := o.start()
	if err != nil {
		return nil, err
	}
	if !plainName.MatchString(o.hello.Name) {
		p.End()
		return nil, p.fail(fmt.Errorf("the name is %q, want small letters and digits, as in {\"name\": \"mine\"}", o.hello.Name))
	}
	o.Put(p)
	return o, nil
}

func (o *pool) start() (*process, error) {
	p, err := o.command.start()
	if err != nil {
		return nil, err
	}
	var h hello
	if err := p.receive(&h); err != nil {
		p.End()
		return nil, err
	}
	p.timer.Stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.hello.Name == "" {
		o.hello = h
	} else if !reflect.DeepEqual(h, o.hello) {
		p.End()
		return nil, p.fail(fmt.Errorf("it says %+v, and another copy of it said %+v", h, o.hello))
	}
	return p, nil
}

// with runs do on a copy that is idle, or a new one. One that failed is not used again.
func (o *pool) with(do func(*process) error) error {
	p, err := o.Take()
	if errors.Is(err, pipe.ErrClosed) {
		return fmt.Errorf("external: %w", err)
	}
	if err != nil {
		return err
	}
	p.timer.Reset(p.command.Timeout) // of the question
	if err := do(p); err != nil {
		p.End()
		return err
	}
	p.timer.Stop()
	o.Put(p)
	return nil
}
