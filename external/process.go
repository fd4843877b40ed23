package external

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/internal/shell"
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
	command Command
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Scanner
	wait    func() error // for its end
	count   int          // lines read

	timer *time.Timer // ends it when the time of the question at hand is over
	late  atomic.Bool // which it was
}

func (c Command) start() (*process, error) {
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	p := &process{command: c, cmd: shell.Command(c.Line)}
	p.cmd.Stderr = c.Stderr
	p.wait = sync.OnceValue(p.cmd.Wait)
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("external: %q does not start: %w", c.Line, err)
	}
	p.stdout = bufio.NewScanner(stdout)
	p.stdout.Buffer(nil, longestLine)
	p.timer = time.AfterFunc(max(c.Timeout, startTimeout), func() {
		p.late.Store(true)
		shell.Kill(p.cmd)
	})
	return p, nil
}

// begin starts the time of a question, which p.timer.Stop ends.
func (p *process) begin() { p.timer.Reset(p.command.Timeout) }

// receive reads the next line into reply.
func (p *process) receive(reply any) error {
	if !p.stdout.Scan() {
		return p.fail(p.silence())
	}
	p.count++
	if err := json.Unmarshal(p.stdout.Bytes(), reply); err != nil {
		return p.fail(fmt.Errorf("%s is not what is expected: %w", excerpt(p.stdout.Bytes()), err))
	}
	return nil
}

// silence says why there is no line.
func (p *process) silence() error {
	err := p.stdout.Err()
	if err == nil || p.late.Load() {
		err = p.wait()
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

// send writes a line.
func (p *process) send(request any) error {
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := p.stdin.Write(append(line, '\n')); err != nil { // it has ended, and how is more to the point
		return p.receive(&struct{}{})
	}
	return nil
}

// fail names the program and the line.
func (p *process) fail(err error) error {
	return fmt.Errorf("external: %q, line %d: %w", p.command.Line, max(p.count, 1), err)
}

// excerpt is the beginning of a line, quoted.
func excerpt(line []byte) string {
	const most = 80
	if len(line) > most {
		return fmt.Sprintf("%q…", line[:most])
	}
	return fmt.Sprintf("%q", line)
}

// stop ends the program, whatever it is doing, and waits for that.
func (p *process) stop() {
	p.timer.Stop()
	p.stdin.Close() //nolint:errcheck // it is being killed
	shell.Kill(p.cmd)
	p.wait() //nolint:errcheck // how it ends does not matter
}
