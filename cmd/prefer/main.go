package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prefer-bo/prefer/internal/bench/judges"
	"github.com/prefer-bo/prefer/internal/bench/people"
	"github.com/prefer-bo/prefer/problem"

	"github.com/alecthomas/kong"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
)

// commands is the whole command line. environment.go says which flags a PREFER_… variable can set.
type commands struct {
	JSON        bool             `help:"One JSON value on the standard output and nothing else there; an error is one on the standard error."`
	Env         bool             `help:"Take every flag from its PREFER_… variable, also those that say what a study is."`
	ShowVersion kong.VersionFlag `name:"version" short:"v" help:"Print the version." env:"-"`

	Demo demoCommand `cmd:"" group:"try" help:"Try it: twenty questions, nothing to prepare."`

	Init   initCommand   `cmd:"" group:"studies" help:"Make a study: say what to search."`
	List   listCommand   `cmd:"" group:"studies" help:"Print the studies in a file or a database."`
	Forget forgetCommand `cmd:"" group:"studies" help:"Erase what a person said."`
	Delete deleteCommand `cmd:"" group:"studies" help:"Delete a study."`

	Exclude excludeCommand `cmd:"" group:"studies" help:"Leave a person out of what the group learns, or take her back."`

	Play  playCommand  `cmd:"" group:"answers" help:"Answer a study's questions in the terminal, with single keys."`
	Ask   askCommand   `cmd:"" group:"answers" help:"Print the next question."`
	Tell  tellCommand  `cmd:"" group:"answers" help:"Answer it."`
	Judge judgeCommand `cmd:"" group:"answers" help:"Have programs answer: judges, eight at a time, until there is a verdict."`
	Undo  undoCommand  `cmd:"" group:"answers" help:"Take an answer back."`
	Take  takeCommand  `cmd:"" group:"answers" help:"Say whether you would take the pick."`

	Best    bestCommand    `cmd:"" group:"results" help:"Print what is best so far, and how sure that is."`
	Verdict verdictCommand `cmd:"" group:"results" help:"Say whether to go on."`
	Check   checkCommand   `cmd:"" group:"results" help:"Print how the pick did in blind duels."`
	History historyCommand `cmd:"" group:"results" help:"Print all answers."`
	Raters  ratersCommand  `cmd:"" group:"results" help:"Print who answered, and how carefully."`
	Table   tableCommand   `cmd:"" group:"results" help:"Print ratings of a list as arenas do: Bradley–Terry on the Elo scale, ranks, wins."`
	Report  reportCommand  `cmd:"" group:"results" help:"Write a page about a study: pick, reasons, path, methods."`

	Export exportCommand `cmd:"" group:"data" help:"Write a study as a log or a table."`
	Import importCommand `cmd:"" group:"data" help:"Read a log, duels from elsewhere, or items."`

	Backup  backupCommand  `cmd:"" group:"data" help:"Copy all studies of a file or a database into a file, while answers come in."`
	Restore restoreCommand `cmd:"" group:"data" help:"Make a file or a database of such a copy."`
	Migrate migrateCommand `cmd:"" group:"data" help:"Bring the tables of a file or a database up to date, or say what that would do."`

	Pack    packCommand    `cmd:"" group:"service" help:"Put a study into one HTML file that needs no server and no network."`
	Serve   serveCommand   `cmd:"" group:"service" help:"Serve studies to programs and browsers over HTTP."`
	MCP     mcpCommand     `cmd:"" name:"mcp" group:"service" help:"Let agents ask, tell and look by the Model Context Protocol, on standard input and output."`
	Uploads uploadsCommand `cmd:"" group:"service" help:"Make, list, renew and withdraw the tokens that logs of packed studies come in by."`
	Links   linksCommand   `cmd:"" group:"service" help:"Make, list, renew and withdraw the links that people answer by."`
	Worker  workerCommand  `cmd:"" group:"service" help:"Do what waits in a queue, together with other machines."`

	Simulate  simulateCommand  `cmd:"" group:"experiments" help:"Simulate a study with simulated people: how many questions will it take?"`
	Reproduce reproduceCommand `cmd:"" group:"experiments" help:"Reproduce the paper: every figure and table, in one folder."`
	Bench     benchCommand     `cmd:"" group:"experiments" help:"Run the paper's experiments, or your own, and compare methods."`

	Research researchCommand `cmd:"" group:"experiments" help:"Lend the model and its acquisitions to another program: lines of JSON in and out."`

	Doctor     doctorCommand     `cmd:"" group:"program" help:"Look for what is wrong with this machine, a store or a queue, and say what to do."`
	Help       helpCommand       `cmd:"" group:"program" help:"Explain the commands, or one of them."`
	Man        manCommand        `cmd:"" group:"program" help:"Print the manual page."`
	Completion completionCommand `cmd:"" group:"program" help:"Print a script that completes commands in bash, zsh or fish."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"Print how a command line could go on, for such a script."`
	Licenses   licensesCommand   `cmd:"" group:"program" help:"Print the licences of everything in this program."`
	Version    versionCommand    `cmd:"" group:"program" help:"Print version, commit and the vector kernels in use."`
}

// groups are the titles of the groups of commands.
var groups = map[string]string{
	"try": "A first look", "studies": "Studies", "answers": "Questions and answers", "results": "Results", "data": "Data in and out",
	"service": "Service", "experiments": "Experiments", "program": "The program itself",
}

// streams are where data and talk go: data on out, talk on err.
type streams struct {
	in       io.Reader
	out, err io.Writer
	json     bool // a program reads them
}

func main() { os.Exit(run(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})) }

func run(args []string, s streams) (code int) {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	var cli commands
	exited := errors.New("exit")
	strays := map[*kong.Flag]string{}
	options := []kong.Option{
		kong.Name("prefer"), kong.Writers(s.out, s.err), environment(hasSwitch(args, "--env"), strays),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Vars{
			"version":         thisBuild().String(),
			"choices":         choiceWords(),
			"demos":           demoNames(),
			"parameter_forms": parameterForms,
			"problems":        problemNames(), "methods": strings.Join(acquisition.Methods(), ", "),
			"populations":   strings.Join(people.Populations(), ", "),
			"judge_players": strings.Join(judges.Players, ", "),
			"judge_tastes":  strings.Join(judges.Tastes, ", "),
			"people_arms":   strings.Join(people.ArmNames(), ", "),
			"taste_raters":  strings.Join(problem.TasteRaters(), ", "),
			"quick_seeds":   quickSeeds, "quick_questions": strconv.Itoa(quickQuestions),
		},
		kong.ExplicitGroups(kongGroups()),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Exit(func(c int) { code = c; panic(exited) }),
	}
	parser := kong.Must(&cli, options...)
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
		s.json = wantsJSON(args)
		return fail(ctx, s, parseError(err))
	}
	s.json = cli.JSON
	if err := refuseStrays(k, strays); err != nil {
		return fail(ctx, s, err)
	}
	return fail(ctx, s, k.Run(s))
}

// How long the end takes at most after Ctrl-C or SIGTERM: requests that have begun, and everything. What was acknowledged is in the store,
// so the rest may be left behind.
var (
	lastRequests = 5 * time.Second
	lastOfAll    = 10 * time.Second
)

// untilSignal returns a context that Ctrl-C or SIGTERM ends, with a stopped as the cause. A second one ends the program
// at once, and so does lastOfAll, whatever does not look at the context.
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
			case <-time.After(lastOfAll):
				fmt.Fprintf(os.Stderr, "prefer: not done %v after %v: given up; what was acknowledged is kept\n", lastOfAll, s)
				os.Exit(stopped{s}.code())
			case <-over:
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() { close(over); cancel(nil) }
}

func problemNames() string {
	var out []string
	for _, p := range problem.All() {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}

// kongGroups are the groups as kong wants them.
func kongGroups() []kong.Group {
	var out []kong.Group
	for key, title := range groups {
		out = append(out, kong.Group{Key: key, Title: title + ":"})
	}
	return out
}

type versionCommand struct {
}

// build is what this program was made from and what it runs on: enough to get the same bits again.
type build struct {
	Version    string `json:"version"`
	Commit     string `json:"commit,omitempty"`
	Time       string `json:"time,omitempty"`
	Modified   bool   `json:"modified,omitempty"` // the sources differ from the commit
	Go         string `json:"go"`
	Platform   string `json:"platform"`
	Kernels    string `json:"kernels"` // vector instructions of the numeric code
	Processors int    `json:"processors"`
}

// What a release was built as and from; scripts/release sets them. Go's own stamp is not the same in every checkout.
var release, commit, committed string

func thisBuild() build {
	b := build{
		Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Kernels: gp.Kernels(), Processors: runtime.NumCPU(),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = info.Main.Version
	if release != "" {
		b.Version, b.Commit, b.Time = release, commit, committed
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// name says which sources these are, for a methods text.
func (b build) name() string {
	text := "prefer " + b.Version
	if b.Commit != "" {
		text += ", commit " + b.Commit
		if b.Modified {
			text += " with changes"
		}
	} else if strings.HasPrefix(b.Version, "(") { // as "go run" leaves it
		text += ", commit unknown"
	}
	return text
}

// String is one line, for reports.
func (b build) String() string {
	return fmt.Sprintf("%s, %s, %s, %s kernels, %d processors", b.name(), b.Go, b.Platform, b.Kernels, b.Processors)
}

func (c versionCommand) Run(s streams) error {
	return s.line(thisBuild(), thisBuild())
}
