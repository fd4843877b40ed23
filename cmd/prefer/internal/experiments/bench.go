package experiments

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/judges"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/people"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/external"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Bench groups what has to do with experiments.
type Bench struct {
	Run        benchRun        `cmd:"" help:"Run cells (problem × noise × method × seed) and append one JSON row per answer to a file."`
	Status     benchStatus     `cmd:"" help:"Show the progress of a queue of cells."`
	Report     benchReport     `cmd:"" help:"Compare the runs in results files: Markdown, CSV, SVG and one HTML page."`
	Statements benchStatements `cmd:"" help:"Measure how often statements of studies are true, with simulated raters."`
	Tastes     benchTastes     `cmd:"" help:"Measure how good picks are after 5 to 40 answers, with simulated tastes."`
	People     benchPeople     `cmd:"" help:"Measure picks of several raters, who are alike, in camps or unrelated, for each and for the group."`
	Judges     benchJudges     `cmd:"" help:"Compare how many calls prefer and others need to find the best of a list with a simulated judge."`
	Growth     benchGrowth     `cmd:"" help:"Measure time and memory of questions and verdicts after 30 to 10,000 answers."`
	Rater      benchRater      `cmd:"" help:"Answer another program's questions by a random taste, and score its pick."`
	Design     benchDesign     `cmd:"" help:"Write initial pairs and the rater's noise to a file, for other programs to run on."`
}

type gridFlags struct {
	Problems []string `help:"Problems: ${problems}, or a family with a dimension, as in ackley12." placeholder:"NAME,…"`
	Noise    []string `help:"Levels of noise: low (10 % wrong answers among the top 1 % of the domain), high (30 %), none, or a rate." default:"low,high"`
	Methods  []string `help:"Methods: ${methods}." default:"kg,eubo,logei,random"`
	Seeds    string   `help:"Seeds, as in 0-19 or 3,7." default:"0-19"`
	Shard    string   `help:"Run only part i of n of the cells, as in 2/4." placeholder:"I/N"`
}

// cells lists the cells. Own problems come in place of the paper's, own methods beside those named.
func (g gridFlags) cells(own bench.Own) ([]bench.Cell, error) {
	problems := slices.Concat(g.Problems, slices.Sorted(maps.Keys(own.Problems)))
	methods := slices.Concat(g.Methods, slices.Sorted(maps.Keys(own.Methods)))
	rates, err := cli.ParseAll("--noise", g.Noise, problem.Noise)
	if err != nil {
		return nil, err
	}
	seeds, err := bench.ParseSeeds(g.Seeds)
	if err != nil {
		return nil, cli.WrapFlagError(err, "--seeds", g.Seeds)
	}
	cells, err := bench.Grid{Problems: problems, Noise: rates, Methods: methods, Seeds: seeds, Own: own}.Cells()
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	if g.Shard == "" {
		return cells, nil
	}
	first, second, _ := strings.Cut(g.Shard, "/")
	i, err1 := strconv.Atoi(first)
	n, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil {
		return nil, cli.FlagError("--shard", g.Shard, "want I/N as in 2/4")
	}
	if cells, err = bench.Shard(cells, i, n); err != nil {
		return nil, cli.WrapFlagError(err, "--shard", g.Shard)
	}
	return cells, nil
}

// commandFlags name problems and methods that are programs of one's own.
type commandFlags struct {
	ProblemCmd []string      `help:"Command that computes a problem of your own; see docs/guides/extend.md. May be repeated." sep:"none" placeholder:"COMMAND"`
	MethodCmd  []string      `help:"Command that chooses questions, compared with --methods. May be repeated." sep:"none" placeholder:"COMMAND"`
	CmdTimeout time.Duration `help:"Timeout of such a command for one question." default:"1m" placeholder:"TIME"`
}

func (f commandFlags) start(s cli.Streams) (own bench.Own, close func(), err error) {
	if f.CmdTimeout <= 0 {
		return own, nil, cli.FlagError("--cmd-timeout", f.CmdTimeout, "want a time as in 1m")
	}
	own = bench.Own{Problems: map[string]problem.Problem{}, Methods: map[string]acquisition.Method{}}
	var ends []func()
	close = func() {
		for _, end := range ends {
			end()
		}
	}
	for i, line := range slices.Concat(f.ProblemCmd, f.MethodCmd) {
		command := external.Command{Line: line, Timeout: f.CmdTimeout, Stderr: s.Err}
		var end func()
		if i < len(f.ProblemCmd) {
			var p problem.Problem
			p, end, err = external.Problem(command)
			own.Problems[p.Name] = p
		} else {
			var name string
			var m acquisition.Method
			name, m, end, err = external.Method(command)
			own.Methods[name] = m
		}
		if err != nil {
			close()
			return own, nil, err
		}
		ends = append(ends, end)
	}
	if len(own.Problems) < len(f.ProblemCmd) || len(own.Methods) < len(f.MethodCmd) {
		close()
		return own, nil, cli.Usagef("two commands have the same name, want a name for each in its first line")
	}
	return own, close, nil
}

type benchDesign struct {
	Problems []string `help:"Problems, whose dimensions and noise the file is for. Defaults to the paper's six." placeholder:"NAME,…"`
	Noise    []string `help:"Levels of noise to state σ for: low, high, none, or a rate." default:"low,high"`
	Seeds    string   `help:"Seeds, as in 0-19 or 3,7." default:"0-19"`
	PerDim   int      `help:"Initial pairs per dimension." default:"4" least:"1" placeholder:"N"`
	Out      string   `help:"File to write." default:"designs.json" placeholder:"FILE"`
	cli.ForceFlag
}

func (c benchDesign) Run(s cli.Streams) error {
	rates, err := cli.ParseAll("--noise", c.Noise, problem.Noise)
	if err != nil {
		return err
	}
	seeds, err := bench.ParseSeeds(c.Seeds)
	if err != nil {
		return cli.WrapFlagError(err, "--seeds", c.Seeds)
	}
	names := bench.Grid{Problems: c.Problems}.WithDefaults().Problems
	problems, err := cli.ParseAll("--problems", names, problem.ByName)
	if err != nil {
		return err
	}
	designs, err := bench.NewDesigns(problems, rates, seeds, c.PerDim)
	if err != nil {
		return err
	}
	if err := c.Write("--out", c.Out, func(w io.Writer) error { return json.NewEncoder(w).Encode(designs) }); err != nil {
		return err
	}
	return s.Notify(struct {
		File     string   `json:"file"`
		Seeds    int      `json:"seeds"`
		Problems []string `json:"problems"`
	}{c.Out, len(seeds), names}, "%s: %d seeds for %s\n", c.Out, len(seeds), strings.Join(names, ", "))
}

// HelpVars are the values of ${…} in the help of this package's commands.
func HelpVars() map[string]string {
	problems := xslices.Map(problem.All(), func(p problem.Problem) string { return p.Name })
	list := func(names []string) string { return strings.Join(names, ", ") }
	return map[string]string{
		"problems": list(problems), "methods": list(acquisition.Methods()), "taste_raters": list(problem.TasteRaters()),
		"populations": list(people.Populations()), "people_arms": list(people.Arms()),
		"judge_players": list(judges.Players), "judge_tastes": list(judges.Tastes),
		"quick_seeds": quickSeeds, "quick_questions": strconv.Itoa(quickQuestions),
	}
}
