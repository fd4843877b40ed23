package judge

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/pipe"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// lastWords is how many bytes of the standard error of a program that failed are told.
const lastWords = 400

// Command is a judge that is started for each question: a line for the shell that reads the question as one line of JSON, has parts of it in its
// environment (Environment), and writes its answer (Read). What it has started ends with it and with this process, as package pipe has it.
func Command(line string) Call {
	return func(ctx context.Context, q Question) (Reply, error) {
		text, err := json.Marshal(q)
		if err != nil {
			return Reply{}, err
		}
		cmd := pipe.Command(line)
		out, words := &output{most: MaxReply, kill: func() { pipe.Kill(cmd) }}, &output{most: lastWords}
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(append(text, '\n')), out, words
		cmd.Env = append(os.Environ(), Environment(q)...)
		cmd.WaitDelay = pipe.Linger
		if err := cmd.Start(); err != nil {
			return Reply{}, fmt.Errorf("judge: %q does not start: %w: %w", line, err, ErrMissing)
		}
		stop := context.AfterFunc(ctx, func() { pipe.Kill(cmd) })
		err = cmd.Wait()
		stop()
		pipe.Kill(cmd) // what it left behind
		if errors.Is(err, exec.ErrWaitDelay) {
			err = nil // it ended well; a child of it still held its output open
		}
		switch {
		case out.over: // Wait is over, and so are the writers
			return Reply{}, fail(TooLong, "more than %d bytes were said", MaxReply)
		case ctx.Err() != nil:
			return Reply{}, context.Cause(ctx)
		case err != nil:
			return Reply{}, exited(line, err, words)
		}
		return Read(out.String())
	}
}

// said is the standard error of a program in one line.
func said(words string) string {
	if words = strings.Join(strings.Fields(strings.ToValidUTF8(words, "\uFFFD")), " "); words == "" {
		return ""
	}
	return ", saying " + strictjson.Excerpt(words)
}

// longestVariable is how many bytes a variable of the environment may have: more would keep a program from starting.
const longestVariable = 100_000

// Environment returns the question as variables NAME=VALUE for a judge that is a few lines of shell: PREFER_JUDGE_PROMPT, and of each option
// PREFER_FIRST_ITEM, _TEXT, _MEDIA, and PREFER_FIRST_PARAM_NAME and PREFER_FIRST_FEATURE_NAME with NAME in capitals and _ for what is no
// letter of a to z, digit or _; PREFER_SECOND_… likewise. What is longer than 100,000 bytes, or has a NUL, and names that would become one are left out.
func Environment(q Question) (out []string) {
	seen := map[string]int{}
	add := func(name, value string) {
		if len(value) <= longestVariable && !strings.ContainsRune(value, 0) {
			seen[name]++
			out = append(out, name+"="+value)
		}
	}
	add("PREFER_JUDGE_PROMPT", q.Prompt)
	add("PREFER_JUDGE_QUESTION", string(q.ID))
	for _, side := range []struct {
		name string
		of   Option
	}{{"PREFER_FIRST_", q.First}, {"PREFER_SECOND_", q.Second}} {
		add(side.name+"ITEM", side.of.Item)
		add(side.name+"TEXT", side.of.Text)
		add(side.name+"MEDIA", side.of.Media)
		for name, v := range side.of.Params {
			add(side.name+"PARAM_"+variable(name), v.String())
		}
		for name, v := range side.of.Features {
			add(side.name+"FEATURE_"+variable(name), v.String())
		}
	}
	return slices.DeleteFunc(out, func(each string) bool {
		name, _, _ := strings.Cut(each, "=")
		return seen[name] > 1
	})
}

func variable(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_':
			return r
		}
		return '_'
	}, name)
}

// option returns an option as a judge sees it; find finds the files of items.
func option(o space.Option, items map[string]space.Item, find func(string) string) Option {
	it, ok := items[o.Item()]
	if !ok {
		return Option{Params: o}
	}
	out := Option{Item: it.ID, Text: it.Text, Media: it.Media, Features: it.Features}
	switch {
	case it.Media == "":
		out.Text = cmp.Or(it.Text, it.ID) // without media the id is what the judge compares
	case find != nil:
		out.Media = find(it.Media)
	}
	if len(o) > 1 { // of a list that is crossed with parameters
		out.Params = maps.Clone(o)
		delete(out.Params, "item")
	}
	return out
}

// Lines is a judge that goes on running: a line for the shell, started as often as there are calls at a time, that answers each line of JSON with
// a line until its input ends. One that fails, says too much or nothing in time is ended, and the next call starts another. After use call end.
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

type program struct {
	*pipe.Program
	line  string
	words *output // its standard error
}

func (p *program) gone(err error) error {
	if errors.Is(err, pipe.ErrLong) {
		p.End()
		return fail(TooLong, "more than %d bytes were said in a line", MaxReply)
	}
	if exit := p.Finish(); exit != nil {
		return exited(p.line, exit, p.words)
	}
	return fail(Exit, "it ended%s", said(p.words.String()))
}

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

// exited is the error about a program that ended with one. By 126 and 127 a shell says that there is no such program, or none that may be run.
func exited(line string, err error, words *output) error {
	if exit, ok := err.(*exec.ExitError); ok && (exit.ExitCode() == 126 || exit.ExitCode() == 127) {
		return fmt.Errorf("judge: %q: %w%s: %w", line, err, said(words.String()), ErrMissing)
	}
	return fail(Exit, "%w%s", err, said(words.String()))
}
