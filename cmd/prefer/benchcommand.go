package main

import (
	"time"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/external"
	"github.com/prefer-bo/prefer/problem"
)

// commandFlags name problems and methods that are programs of one's own.
type commandFlags struct {
	ProblemCmd []string      `help:"Command that computes a problem of one's own, see docs/extend.md. May be repeated." sep:"none" placeholder:"COMMAND"`
	MethodCmd  []string      `help:"Command that chooses questions, compared with --methods. May be repeated." sep:"none" placeholder:"COMMAND"`
	CmdTimeout time.Duration `help:"Time such a command has for one question." default:"1m" placeholder:"TIME"`
}

// start starts the commands. close ends them.
func (f commandFlags) start(s streams) (own bench.Own, close func(), err error) {
	if f.CmdTimeout <= 0 {
		return own, nil, flagError("--cmd-timeout", f.CmdTimeout, "want a time as in 1m")
	}
	own = bench.Own{Problems: map[string]problem.Problem{}, Methods: map[string]acquisition.Method{}}
	var ends []func()
	close = func() {
		for _, end := range ends {
			end()
		}
	}
	for _, line := range f.ProblemCmd {
		p, end, err := external.Problem(external.Command{Line: line, Timeout: f.CmdTimeout, Stderr: s.err})
		if err != nil {
			close()
			return own, nil, err
		}
		ends = append(ends, end)
		own.Problems[p.Name] = p
	}
	for _, line := range f.MethodCmd {
		name, m, end, err := external.Method(external.Command{Line: line, Timeout: f.CmdTimeout, Stderr: s.err})
		if err != nil {
			close()
			return own, nil, err
		}
		ends = append(ends, end)
		own.Methods[name] = m
	}
	if len(own.Problems) < len(f.ProblemCmd) || len(own.Methods) < len(f.MethodCmd) {
		close()
		return own, nil, usage("two commands have the same name, want a name for each in its first line")
	}
	return own, close, nil
}

// any reports whether there are commands, which workers elsewhere do not have.
func (f commandFlags) any() bool { return len(f.ProblemCmd)+len(f.MethodCmd) > 0 }
