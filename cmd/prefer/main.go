// Command prefer finds what a person likes best by asking "A or B?".
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/problem"
)

// commands is the whole command line. Every flag can also be set by a PREFER_… variable.
type commands struct {
	Demo demoCommand `cmd:"" help:"Try it: twenty questions, nothing to prepare."`

	Init    initCommand    `cmd:"" help:"Make a study: say what to search."`
	Play    playCommand    `cmd:"" help:"Answer a study's questions in the terminal, with single keys."`
	Ask     askCommand     `cmd:"" help:"Print the next question."`
	Tell    tellCommand    `cmd:"" help:"Answer it."`
	Undo    undoCommand    `cmd:"" help:"Take an answer back."`
	Best    bestCommand    `cmd:"" help:"Print what is best so far, and how sure that is."`
	Verdict verdictCommand `cmd:"" help:"Say whether to go on."`
	History historyCommand `cmd:"" help:"Print all answers."`
	Raters  ratersCommand  `cmd:"" help:"Print who answered, and how carefully."`
	Report  reportCommand  `cmd:"" help:"Write a page about a study: pick, reasons, path, methods."`
	List    listCommand    `cmd:"" help:"Print the studies in a file or a database."`
	Export  exportCommand  `cmd:"" help:"Write a study as a log or a table."`
	Import  importCommand  `cmd:"" help:"Read a log, duels from elsewhere, or items."`
	Forget  forgetCommand  `cmd:"" help:"Erase what a person said."`
	Serve   serveCommand   `cmd:"" help:"Serve studies to programs and browsers over HTTP."`

	Simulate simulateCommand `cmd:"" help:"Simulate a study with simulated people: how many questions will it take?"`

	Reproduce reproduceCommand `cmd:"" help:"Reproduce the paper: every figure and table, in one folder."`
	Bench     benchCommand     `cmd:"" help:"Run the paper's experiments, or your own, and compare methods."`
	Worker    workerCommand    `cmd:"" help:"Do what waits in a queue, together with other machines."`

	Doctor     doctorCommand     `cmd:"" help:"Look for what is wrong with this machine, a store or a queue, and say what to do."`
	Completion completionCommand `cmd:"" help:"Print a script that completes commands in bash, zsh or fish."`
	Version    versionCommand    `cmd:"" help:"Print version, commit and the vector kernels in use."`
}

const description = `Finds what a person likes best by asking a short series of well-chosen "A or B?" questions.

A first look, with nothing to prepare:  prefer demo

A study, from the shell:

  prefer init coffee.db --param sugar=0..5 --param 'milk=none|oat|cow'
  prefer ask coffee.db
  prefer tell coffee.db first
  prefer best coffee.db

The paper, in two minutes:  prefer reproduce --quick --out paper

Data goes to the standard output, talk to the standard error. A command that was stopped goes on when it is repeated. Every flag can be set by a variable, --jobs by PREFER_JOBS. The exit code is 0 if all went well, 1 if something failed, 2 if the command line makes no sense, 3 if the study is done and nothing was asked.`

// streams are where data and talk go: data on out, talk on err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

const (
	exitFailure = 1
	exitUsage   = 2
	exitDone    = 3
)

func main() { os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})) }

func run(args []string, s streams) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	var cli commands
	exited := errors.New("exit")
	parser := kong.Must(&cli, kong.Name("prefer"), kong.Writers(s.out, s.err), kong.DefaultEnvars("PREFER"),
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Vars{
			"demos":           demoNames(),
			"parameter_forms": parameterForms,
			"problems":        names(problem.All()), "methods": strings.Join(acquisition.Methods(), ", "),
			"quick_seeds": quickSeeds, "quick_questions": strconv.Itoa(quickQuestions),
		},
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(s),
		kong.Exit(func(c int) { code = c; panic(exited) }))
	defer func() {
		if r := recover(); r != nil && r != any(exited) { // --help ends in Exit
			panic(r)
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	k, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(s.err, "prefer:", err)
		fmt.Fprintln(s.err, "Run \"prefer --help\" for the commands, \"prefer COMMAND --help\" for one of them.")
		return exitUsage
	}
	return exitCode(ctx, k.Run(), s.err)
}

// exitCode says what went wrong, if something did, and returns the code of that.
func exitCode(ctx context.Context, err error, w io.Writer) int {
	var usage usageError
	var done doneError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintln(w, "prefer:", err)
		return exitUsage
	case errors.As(err, &done):
		fmt.Fprintln(w, done)
		return exitDone
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(w, "prefer: stopped; the same command goes on from here")
	default:
		fmt.Fprintln(w, "prefer:", err)
	}
	return exitFailure
}

// usageError is a mistake in the command line that only a command can see.
type usageError struct{ error }

// doneError says that a study is done when a question was wanted.
type doneError struct{ verdict string }

func (e doneError) Error() string { return e.verdict }

func names(ps []problem.Problem) string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.Name
	}
	return strings.Join(out, ", ")
}
