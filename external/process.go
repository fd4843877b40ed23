package external

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
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
	lines   chan []byte // closed at the end of its output
	ended   error       // why; set before lines is closed
	count   int         // lines read

	deadline time.Time // of the question at hand
}

func (c Command) start() (*process, error) {
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	p := &process{command: c, cmd: shell(c.Line), lines: make(chan []byte)}
	p.cmd.Stderr = c.Stderr
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
	p.deadline = time.Now().Add(max(c.Timeout, startTimeout))
	go p.read(stdout)
	return p, nil
}

// begin starts the time of a question.
func (p *process) begin() { p.deadline = time.Now().Add(p.command.Timeout) }

// read hands over the lines of the program until there are no more, and sees its end.
func (p *process) read(stdout io.Reader) {
	scanner := bufio.NewScanner(stdout)
	scanner.Buffer(nil, longestLine)
	for scanner.Scan() {
		p.lines <- bytes.Clone(scanner.Bytes())
	}
	p.ended = scanner.Err()
	if err := p.cmd.Wait(); p.ended == nil {
		p.ended = err
	}
	if p.ended == nil {
		p.ended = errors.New("it ended")
	}
	close(p.lines)
}

// receive reads the next line into reply.
func (p *process) receive(reply any) error {
	select {
	case line, ok := <-p.lines:
		if !ok {
			return p.fail(fmt.Errorf("no answer: %w", p.ended))
		}
		p.count++
		if err := json.Unmarshal(line, reply); err != nil {
			return p.fail(fmt.Errorf("%s is not what is expected: %w", excerpt(line), err))
		}
		return nil
	case <-time.After(time.Until(p.deadline)):
		p.count++
		return p.fail(fmt.Errorf("no answer within %v", p.command.Timeout))
	}
}

// send writes a line.
func (p *process) send(request any) error {
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	// A program that reads nothing blocks the pipe, so writing has its time, too.
	written := make(chan error, 1)
	go func() {
		_, err := p.stdin.Write(append(line, '\n'))
		written <- err
	}()
	select {
	case err := <-written:
		if err != nil { // it has ended, and how is more to the point
			return p.receive(&struct{}{})
		}
		return nil
	case <-time.After(time.Until(p.deadline)):
		return p.fail(fmt.Errorf("it did not read a line within %v", p.command.Timeout))
	}
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
	p.stdin.Close() //nolint:errcheck // it is being killed
	kill(p.cmd)
	for range p.lines { //nolint:revive // what it said last does not matter
	}
}
