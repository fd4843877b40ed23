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
	startTimeout = time.Minute // at least, for the first line
	longestLine  = 64 << 20    // bytes; more is rubbish
)

// process is one running copy of a command.
type process struct {
	*pipe.Program
	line  string
	count int // lines read
}

// within does something with the program, and kills it if that takes longer.
func (p *process) within(limit time.Duration, do func() error) error {
	late := time.AfterFunc(limit, p.Kill)
	err := do()
	if !late.Stop() {
		p.count++ // the line that did not come
		err = p.fail(fmt.Errorf("no answer within %v", limit))
	}
	return err
}

// receive reads the next line into reply, unless it is an error.
func (p *process) receive(reply any) error {
	line, err := p.Receive(longestLine)
	if err == io.EOF && len(line) == 0 {
		err = cmp.Or(p.Wait(), errors.New("it ended"))
	}
	if err != nil && err != io.EOF {
		return p.fail(fmt.Errorf("no answer: %w", err))
	}
	p.count++
	var failed struct {
		Error string `json:"error"`
	}
	if err := cmp.Or(json.Unmarshal(line, reply), json.Unmarshal(line, &failed)); err != nil {
		return p.fail(fmt.Errorf("%s is not what is expected: %w", strictjson.Excerpt(string(bytes.TrimSpace(line))), err))
	}
	if failed.Error != "" {
		return p.fail(fmt.Errorf("it says: %s", failed.Error))
	}
	return nil
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
	return fmt.Errorf("external: %q, line %d: %w", p.line, max(p.count, 1), err)
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
	c.Timeout = cmp.Or(max(c.Timeout, 0), time.Minute)
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
	program, err := pipe.Start(o.command.Line, o.command.Stderr)
	if err != nil {
		return nil, fmt.Errorf("external: %q does not start: %w", o.command.Line, err)
	}
	p := &process{Program: program, line: o.command.Line}
	var h hello
	if err := p.within(max(o.command.Timeout, startTimeout), func() error { return p.receive(&h) }); err != nil {
		p.End()
		return nil, err
	}
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
	if err != nil {
		return err
	}
	if err := p.within(o.command.Timeout, func() error { return do(p) }); err != nil {
		p.End()
		return err
	}
	o.Put(p)
	return nil
}
