package judge

import (
	"bytes"
	"os/exec"
	"sync"
)

// output keeps the beginning of what a program writes, and kills it when that is more than it may be.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	most int
	kill func() // nil: the rest is passed over
	over bool
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	room := o.most - o.text.Len()
	if len(p) > room {
		o.text.Write(p[:room])
		if o.kill != nil && !o.over {
			o.kill()
		}
		o.over = true
		return len(p), nil
	}
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func (o *output) tooLong() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.over
}

// missing reports whether a shell says that there is no such program, or none that may be run.
func missing(err error) bool {
	exit, ok := err.(*exec.ExitError)
	return ok && (exit.ExitCode() == 126 || exit.ExitCode() == 127)
}
