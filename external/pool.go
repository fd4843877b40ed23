package external

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"sync"
)

// hello is the first line of a program: what it is.
type hello struct {
	Name string `json:"name"`

	// Of a problem.
	Dim     int       `json:"dim,omitempty"`
	Lower   []float64 `json:"lower,omitempty"` // 0 by default
	Upper   []float64 `json:"upper,omitempty"` // 1 by default
	Optimum float64   `json:"optimum,omitempty"`
}

// plainName is what names in results files look like.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

// pool are the copies of a program. They are started when all others are busy.
type pool struct {
	command Command
	hello   hello

	mu     sync.Mutex
	idle   []*process
	closed bool
}

// newPool starts the first copy, to hear what it is.
func newPool(c Command) (*pool, error) {
	o := &pool{command: c}
	p, err := o.start()
	if err != nil {
		return nil, err
	}
	if !plainName.MatchString(o.hello.Name) {
		p.stop()
		return nil, p.fail(fmt.Errorf("the name is %q, want small letters and digits, as in {\"name\": \"mine\"}", o.hello.Name))
	}
	o.idle = append(o.idle, p)
	return o, nil
}

func (o *pool) start() (*process, error) {
	p, err := o.command.start()
	if err != nil {
		return nil, err
	}
	var h hello
	if err := p.receive(&h); err != nil {
		p.stop()
		return nil, err
	}
	p.timer.Stop()
	if o.hello.Name == "" {
		o.hello = h
	} else if !reflect.DeepEqual(h, o.hello) {
		p.stop()
		return nil, p.fail(fmt.Errorf("it says %+v, and another copy of it said %+v", h, o.hello))
	}
	return p, nil
}

// with runs do on a copy that nobody else uses meanwhile. One that failed is not used again.
func (o *pool) with(do func(*process) error) error {
	o.mu.Lock()
	if o.closed {
		o.mu.Unlock()
		return errors.New("external: the program was closed")
	}
	var p *process
	if n := len(o.idle); n > 0 {
		p, o.idle = o.idle[n-1], o.idle[:n-1]
	}
	o.mu.Unlock()
	if p == nil {
		var err error
		if p, err = o.start(); err != nil {
			return err
		}
	}
	p.begin()
	if err := do(p); err != nil {
		p.stop()
		return err
	}
	p.timer.Stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		p.stop()
	} else {
		o.idle = append(o.idle, p)
	}
	return nil
}

// Close ends all copies.
func (o *pool) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	for _, p := range o.idle {
		p.stop()
	}
	o.idle = nil
}
