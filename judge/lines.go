package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer/internal/pipe"
)

// Lines is a judge that goes on running: a line for the shell, which is started as often as there are calls at a time, reads a question as a line
// of JSON and writes its answer as a line, until its input ends. One that fails, says too much or nothing in time is ended, and the next call
// starts another. After use call end.
func Lines(line string) (call Call, end func()) {
	programs := &pipe.Pool[*program]{Start: func() (*program, error) {
		words := &output{most: lastWords}
		p, err := pipe.Start(line, words)
		if err != nil {
			return nil, fmt.Errorf("judge: %q does not start: %w: %w", line, err, ErrMissing)
		}
		return &program{p, line, words}, nil
	}}
	return func(ctx context.Context, q Question) (Reply, error) {
		text, err := json.Marshal(q)
		if err != nil {
			return Reply{}, err
		}
		p, err := programs.Take()
		if err != nil {
			return Reply{}, err
		}
		stop := context.AfterFunc(ctx, p.Kill)
		writing := p.Send(text)
		said, err := p.Receive(MaxReply)
		if !stop() { // it was killed
			p.End()
			return Reply{}, context.Cause(ctx)
		}
		if err != nil {
			return Reply{}, p.gone(errors.Join(err, writing))
		}
		programs.Put(p)
		return Read(string(said))
	}, programs.Close
}

// program is one copy.
type program struct {
	*pipe.Program
	line  string
	words *output // its standard error
}

// gone returns why a program wrote no line.
func (p *program) gone(err error) error {
	if errors.Is(err, pipe.ErrLong) {
		p.End()
		return fail(TooLong, "more than %d bytes were said in a line", MaxReply)
	}
	exit := p.Finish()
	switch {
	case missing(exit):
		return fmt.Errorf("judge: %q: %w%s: %w", p.line, exit, said(p.words.String()), ErrMissing)
	case exit == nil:
		return fail(Exit, "it ended%s", said(p.words.String()))
	}
	return fail(Exit, "%w%s", exit, said(p.words.String()))
}
