package judge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"

	"github.com/prefer-bo/prefer/internal/shell"
)

// Lines is a judge that goes on running: a line for the shell, which is started as often as there are calls at a time, reads a question as a line
// of JSON and writes its answer as a line, until its input ends. One that fails, says too much or nothing in time is ended, and the next call
// starts another. After use call end.
func Lines(line string) (call Call, end func()) {
	p := &programs{line: line}
	return p.call, p.end
}

// programs are the copies of a program that nobody uses.
type programs struct {
	line string
	mu   sync.Mutex
	idle []*program
}

// program is one copy.
type program struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	words  *output
}

func (p *programs) call(ctx context.Context, q Question) (Reply, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return Reply{}, err
	}
	one, err := p.take()
	if err != nil {
		return Reply{}, err
	}
	stop := context.AfterFunc(ctx, func() { shell.Kill(one.cmd) })
	_, writing := one.stdin.Write(append(text, '\n'))
	said, err := one.read()
	if !stop() { // it was killed
		one.end() //nolint:errcheck // how it ended is known
		return Reply{}, context.Cause(ctx)
	}
	if err != nil {
		return Reply{}, one.gone(p.line, errors.Join(err, writing))
	}
	p.mu.Lock()
	p.idle = append(p.idle, one)
	p.mu.Unlock()
	return Read(said)
}

// take returns a copy that is idle, or starts one.
func (p *programs) take() (*program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		one := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return one, nil
	}
	one := &program{cmd: shell.Command(p.line), words: &output{most: lastWords}}
	one.cmd.Stderr, one.cmd.Env, one.cmd.WaitDelay = one.words, os.Environ(), linger
	stdin, err := one.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := one.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := one.cmd.Start(); err != nil {
		return nil, fmt.Errorf("judge: %q does not start: %w: %w", p.line, err, ErrMissing)
	}
	one.stdin, one.stdout = stdin, bufio.NewReader(stdout)
	return one, nil
}

// read reads a line, which may have MaxReply bytes.
func (p *program) read() (string, error) {
	var line []byte
	for {
		part, err := p.stdout.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > MaxReply:
			return "", fail(TooLong, "more than %d bytes were said in a line", MaxReply)
		case err == nil:
			return string(line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		}
	}
}

// end ends the program and what it has started.
func (p *program) end() error {
	p.stdin.Close() //nolint:errcheck // it is being killed
	shell.Kill(p.cmd)
	return p.cmd.Wait()
}

// gone is why a program said no line.
func (p *program) gone(line string, err error) error {
	var f *Failure
	if errors.As(err, &f) {
		p.end() //nolint:errcheck // what it did is worse
		return f
	}
	p.stdin.Close() //nolint:errcheck // it has closed its output
	exit := p.cmd.Wait()
	shell.Kill(p.cmd)
	switch {
	case missing(exit):
		return fmt.Errorf("judge: %q: %w%s: %w", line, exit, said(p.words.String()), ErrMissing)
	case exit == nil:
		return fail(Exit, "it ended%s", said(p.words.String()))
	}
	return fail(Exit, "%w%s", exit, said(p.words.String()))
}

// end ends the copies that are idle.
func (p *programs) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.idle {
		one.end() //nolint:errcheck // it is not needed any more
	}
	p.idle = nil
}
