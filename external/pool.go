package external

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"sync"

	"github.com/prefer-bo/prefer/internal/pipe"
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

// with runs do on a copy that nobody else uses meanwhile. One that failed is not used again.
func (o *pool) with(do func(*process) error) error {
	p, err := o.Take()
	if errors.Is(err, pipe.ErrClosed) {
		return fmt.Errorf("external: %w", err)
	}
	if err != nil {
		return err
	}
	p.begin()
	if err := do(p); err != nil {
		p.End()
		return err
	}
	p.timer.Stop()
	o.Put(p)
	return nil
}
