// Package pipe runs lines that people type as commands, ends them with all they have started, and talks to programs that read and write lines.
package pipe

import (
	"bufio"
	"errors"
	"io"
	"os/exec"
	"sync"
	"time"
)

// Linger is how long the output of a program is waited for that has ended and left others behind.
const Linger = 500 * time.Millisecond

// ErrLong is the error of a line that is longer than it may be.
var ErrLong = errors.New("the line is too long")

// Program is a program that reads and writes lines.
type Program struct {
	Wait func() error // waits for its end, and returns how it ended

	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
}

// Start starts a line. Its standard error goes to stderr, or nowhere if that is nil.
func Start(line string, stderr io.Writer) (*Program, error) {
	cmd := Command(line)
	cmd.Stderr, cmd.WaitDelay = stderr, Linger
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &Program{cmd: cmd, stdin: stdin, stdout: bufio.NewReader(stdout), Wait: sync.OnceValue(cmd.Wait)}, cmd.Start()
}

func (p *Program) Send(line []byte) error {
	_, err := p.stdin.Write(append(line, '\n'))
	return err
}

// Receive reads a line of at most so many bytes. A last line that does not end comes with io.EOF.
func (p *Program) Receive(most int) (line []byte, err error) {
	for {
		part, err := p.stdout.ReadSlice('\n')
		if line = append(line, part...); len(line) > most {
			return nil, ErrLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Kill ends the program and what it has started. Wait returns then.
func (p *Program) Kill() { Kill(p.cmd) }

// Finish closes the program's input and waits for its end, then ends what it has left behind.
func (p *Program) Finish() error {
	p.stdin.Close() //nolint:errcheck // it may have ended
	defer p.Kill()
	return p.Wait()
}

// End ends the program, whatever it is doing, and waits for that.
func (p *Program) End() {
	p.stdin.Close() //nolint:errcheck // it is being killed
	p.Kill()
	p.Wait() //nolint:errcheck // how it ends does not matter
}

// Pool keeps the idle copies of a program.
type Pool[T interface{ End() }] struct {
	Start func() (T, error)

	mu     sync.Mutex
	idle   []T
	closed bool
}

// ErrClosed is the error of a pool that was closed.
var ErrClosed = errors.New("the program was closed")

// Take returns a copy that is idle, or starts one.
func (o *Pool[T]) Take() (one T, err error) {
	o.mu.Lock()
	n := len(o.idle)
	switch {
	case o.closed:
		err = ErrClosed
	case n > 0:
		one, o.idle = o.idle[n-1], o.idle[:n-1]
	}
	o.mu.Unlock()
	if err != nil || n > 0 {
		return one, err
	}
	return o.Start()
}

func (o *Pool[T]) Put(one T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		one.End()
	} else {
		o.idle = append(o.idle, one)
	}
}

// Close ends the copies that are idle, and others when they are given back.
func (o *Pool[T]) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	for _, one := range o.idle {
		one.End()
	}
	o.idle = nil
}
