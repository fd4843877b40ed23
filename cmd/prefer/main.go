// Command prefer finds what a person likes best by asking "A or B?". The commands are in internal/studies, internal/service and
// internal/experiments. What they share is internal/cli, and internal/play is the terminal in which a study is answered.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/experiments"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/service"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/studies"
)

// commands is the whole command line. The function environment says which flags a PREFER_… variable can set.
type commands struct {
	JSON        bool             `help:"Print one JSON value to standard output; errors are JSON on standard error."`
	Env         bool             `help:"Read all flags, including study settings, from PREFER_* variables."`
	ShowVersion kong.VersionFlag `name:"version" short:"v" help:"Print the version." env:"-"`

	Demo studies.Demo `cmd:"" group:"try" help:"Try it: twenty questions, nothing to prepare."`

	Init   studies.Init   `cmd:"" group:"studies" help:"Create a study."`
	List   studies.List   `cmd:"" group:"studies" help:"List the studies in a file or database."`
	Forget studies.Forget `cmd:"" group:"studies" help:"Erase a rater's data."`
	Delete studies.Delete `cmd:"" group:"studies" help:"Delete a study."`

	Exclude studies.Exclude `cmd:"" group:"studies" help:"Exclude a rater from the group result, or include them again."`

	Play  studies.Play  `cmd:"" group:"answers" help:"Answer a study's questions in the terminal, with single keys."`
	Ask   studies.Ask   `cmd:"" group:"answers" help:"Print the next question."`
	Tell  studies.Tell  `cmd:"" group:"answers" help:"Answer it."`
	Judge studies.Judge `cmd:"" group:"answers" help:"Let programs answer: judges, eight at a time, until there is a verdict."`
	Undo  studies.Undo  `cmd:"" group:"answers" help:"Undo an answer."`
	Take  studies.Take  `cmd:"" group:"answers" help:"Record whether you would take the pick."`

	Best    studies.Best    `cmd:"" group:"results" help:"Show the best option so far, and how sure that is."`
	Verdict studies.Verdict `cmd:"" group:"results" help:"Show the verdict: stop, or keep asking."`
	Check   studies.Check   `cmd:"" group:"results" help:"Show how the pick did in blind duels."`
	History studies.History `cmd:"" group:"results" help:"Print all answers."`
	Raters  studies.Raters  `cmd:"" group:"results" help:"List the raters and how reliably they answer."`
	Report  studies.Report  `cmd:"" group:"results" help:"Write an HTML report about a study: pick, reasons, history, methods."`

	Export studies.Export `cmd:"" group:"data" help:"Export a study as a log or a table."`
	Import studies.Import `cmd:"" group:"data" help:"Import a log, comparisons from other programs, or items."`

	Backup  service.Backup  `cmd:"" group:"data" help:"Copy all studies into a file, while the store is in use."`
	Restore service.Restore `cmd:"" group:"data" help:"Restore a backup into a file or database."`
	Migrate service.Migrate `cmd:"" group:"data" help:"Upgrade the tables of a file or database."`

	Pack    service.Pack    `cmd:"" group:"service" help:"Pack a study into one HTML file that needs no server or network."`
	Serve   service.Serve   `cmd:"" group:"service" help:"Serve studies to programs and browsers over HTTP."`
	MCP     service.MCP     `cmd:"" name:"mcp" group:"service" help:"Serve a study to agents over the Model Context Protocol (stdin and stdout)."`
	Uploads service.Uploads `cmd:"" group:"service" help:"Manage upload tokens for packed studies."`
	Links   service.Links   `cmd:"" group:"service" help:"Create, list, renew and revoke rater links."`
	Worker  service.Worker  `cmd:"" group:"service" help:"Run queued jobs; start as many workers as you like."`

	Simulate  experiments.Simulate  `cmd:"" group:"experiments" help:"Estimate how many questions a study needs, with simulated raters."`
	Reproduce experiments.Reproduce `cmd:"" group:"experiments" help:"Reproduce the paper's figures and tables in one folder."`
	Bench     experiments.Bench     `cmd:"" group:"experiments" help:"Run the paper's experiments, or your own, and compare methods."`

	Research experiments.Research `cmd:"" group:"experiments" help:"Expose the model to another process (JSON lines on stdin and stdout)."`

	Doctor     service.Doctor    `cmd:"" group:"program" help:"Diagnose problems with this machine, a store or a queue."`
	Help       helpCommand       `cmd:"" group:"program" help:"Explain the commands, or one of them."`
	Man        manCommand        `cmd:"" group:"program" help:"Print the manual page."`
	Completion completionCommand `cmd:"" group:"program" help:"Print a completion script for bash, zsh or fish."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"Print completions of a command line, for such a script."`
	Licenses   licensesCommand   `cmd:"" group:"program" help:"Print the licences of everything in this program."`
	Version    versionCommand    `cmd:"" group:"program" help:"Print version, commit and the vector kernels in use."`
}

var groups = map[string]string{
	"try": "A first look", "studies": "Studies", "answers": "Questions and answers", "results": "Results", "data": "Data in and out",
	"service": "Service", "experiments": "Experiments", "program": "The program itself",
}

// The version, commit and time of a release; scripts/binary sets them.
var release, commit, committed string

func main() {
	cli.Release.Version, cli.Release.Commit, cli.Release.Time = release, commit, committed
	os.Exit(run(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

func run(args []string, s cli.Streams) (code int) {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	var line commands
	exited := errors.New("exit")
	strays := map[*kong.Flag]string{}
	var titled []kong.Group
	for key, title := range groups {
		titled = append(titled, kong.Group{Key: key, Title: title + ":"})
	}
	options := []kong.Option{
		kong.Name("prefer"), kong.Writers(s.Out, s.Err), environment(hasSwitch(args, "--env"), strays), typed(args),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Vars{
			"version":         cli.ThisBuild().String(),
			"parameter_forms": cli.ParameterForms,
		},
		kong.Vars(studies.HelpVars()), kong.Vars(experiments.HelpVars()),
		kong.ExplicitGroups(titled),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Exit(func(c int) { code = c; panic(exited) }),
	}
	parser := kong.Must(&line, options...)
	addTexts(parser.Model.Node, "prefer")
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
		set, bad := strconv.ParseBool(os.Getenv("PREFER_JSON"))
		s.JSON = bad == nil && set || hasSwitch(args, "--json")
		return fail(ctx, s, parseError(err))
	}
	s.JSON = line.JSON
	if err = cmp.Or(refuseStrays(k, strays), checkLeast(k)); err == nil {
		err = k.Run(s)
	}
	return fail(ctx, s, err)
}

// untilSignal returns a context that Ctrl-C or SIGTERM ends, with a stopped as the cause. A second one, or cli.ShutdownGrace, ends the program at once.
func untilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	over := make(chan struct{}) // closed when all is done
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { signal.Stop(signals) })
	go func() {
		select {
		case s := <-signals:
			cancel(stopped{s})
			select {
			case <-time.After(cli.ShutdownGrace):
				fmt.Fprintf(os.Stderr, "prefer: not done %v after %v: given up; what was acknowledged is kept\n", cli.ShutdownGrace, s)
				os.Exit(stopped{s}.code())
			case <-over:
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() { close(over); cancel(nil) }
}

type versionCommand struct{}

func (versionCommand) Run(s cli.Streams) error { return s.Line(cli.ThisBuild(), cli.ThisBuild()) }

// variables are the flags, beside all of service commands, that the environment may set without --env: a variable left over must not change a study.
var variables = []string{"json", "store", "study", "rater", "queue", "media", "jobs", "addr"}

// variable is the name that a flag has in the environment, "" if it has none.
func variable(f *kong.Flag) string {
	if f.Name == "help" || f.Name == "env" || slices.Equal(f.Envs, []string{"-"}) {
		return ""
	}
	return "PREFER_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// environment gives flags their variables, all or those that need no --env. strays are the other variables that are set, by flag.
func environment(all bool, strays map[*kong.Flag]string) kong.Option {
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		for _, f := range n.Flags {
			name := variable(f)
			f.Envs, f.Tag.Envs = nil, nil
			switch {
			case name == "":
			case all || n.Group != nil && n.Group.Key == "service" || slices.Contains(variables, f.Name):
				f.Envs, f.Tag.Envs = []string{name}, []string{name}
				if os.Getenv(name) == "" {
					_ = os.Unsetenv(name) // as compose files have it; kong would read it as a value
				}
			case os.Getenv(name) != "":
				strays[f] = name
			}
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	return kong.PostBuild(func(k *kong.Kong) error { walk(k.Model.Node); return nil })
}

// typed leaves the command that is typed, since to read the flags of all takes longer than most commands do. Those of the program itself know all.
func typed(args []string) kong.Option {
	return kong.PostBuild(func(k *kong.Kong) error {
		for _, child := range k.Model.Children {
			if len(args) > 0 && args[0] == child.Name && child.Group != nil && child.Group.Key != "program" {
				k.Model.Children = []*kong.Node{child}
			}
		}
		return nil
	})
}

// refuseStrays reports a variable that would set a flag of this command with --env, unless the flag is on the command line.
func refuseStrays(k *kong.Context, strays map[*kong.Flag]string) error {
	for _, f := range k.Flags() {
		name := strays[f]
		if name == "" || slices.ContainsFunc(k.Path, func(p *kong.Path) bool { return p.Flag == f }) {
			continue
		}
		return cli.WrapFlagError(fmt.Errorf("%s is set, and --%s is taken from the environment only with --env: unset it, write --%[2]s on the command line, or add --env", name, f.Name), "--"+f.Name, os.Getenv(name))
	}
	return nil
}

// checkLeast refuses a number below the tag least of its flag; the tag want says what is wanted, at least 1 by default.
func checkLeast(k *kong.Context) error {
	for _, f := range k.Flags() {
		number := reflect.Indirect(f.Target)
		if least, err := strconv.ParseFloat(f.Tag.Get("least"), 64); err == nil && number.IsValid() && !(number.Convert(reflect.TypeFor[float64]()).Float() >= least) {
			return cli.FlagError("--"+f.Name, number.Interface(), "want "+cmp.Or(f.Tag.Get("want"), "at least 1"))
		}
	}
	return nil
}

// hasSwitch reports whether a command line that is not read yet has a switch.
func hasSwitch(args []string, name string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.ContainsFunc(args, func(a string) bool {
		value, ok := strings.CutPrefix(a, name+"=")
		set, err := strconv.ParseBool(value)
		return a == name || ok && err == nil && set
	})
}
