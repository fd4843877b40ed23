package experiments

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench"
	"github.com/prefer-bo/prefer/say"
)

type Reproduce struct {
	Quick     bool     `help:"A first look in two minutes: seeds ${quick_seeds}, ${quick_questions} questions."`
	Model     string   `help:"paper, for the paper to the letter, or default, for prefer's own choices." enum:"paper,default" default:"paper"`
	Seeds     string   `help:"Seeds, as in 0-19 or 3,7. Defaults to 0-19." placeholder:"LIST"`
	Questions int      `help:"Questions after the initial pairs. Defaults to 100." least:"0" placeholder:"N"`
	Problems  []string `help:"Problems. Defaults to the paper's six." placeholder:"NAME,…"`
	Jobs      int      `help:"Cells at the same time. Defaults to the number of processors." placeholder:"N"`
	Out       string   `help:"Folder to write. What its results.jsonl has is not run again." required:"" placeholder:"DIR"`
	cli.ForceFlag
}

// The paper's sizes (§4.1), and those of a quick look: five seeds are the fewest that can be compared.
const (
	paperSeeds, paperQuestions = "0-19", 100
	quickSeeds, quickQuestions = "0-4", 25
)

// size fills in what the command line leaves open.
func (c *Reproduce) size() {
	seeds, questions := paperSeeds, paperQuestions
	if c.Quick {
		seeds, questions = quickSeeds, quickQuestions
	}
	c.Seeds = cmp.Or(c.Seeds, seeds)
	c.Questions = cmp.Or(c.Questions, questions)
}

// sweep returns the cells of Fig. 2 and 3: both levels of noise, the four methods.
func (c *Reproduce) sweep() (*bench.Sweep, bench.Grid, error) {
	seeds, err := bench.ParseSeeds(c.Seeds)
	if err != nil {
		return nil, bench.Grid{}, cli.WrapFlagError(err, "--seeds", c.Seeds)
	}
	grid := bench.Grid{Problems: c.Problems, Seeds: seeds}.WithDefaults()
	cells, err := grid.Cells()
	return &bench.Sweep{Runner: bench.Runner{Setup: bench.Setup{Model: c.Model}, Questions: c.Questions, Now: time.Now}, Cells: cells, Jobs: c.Jobs}, grid, cli.Usage(err)
}

func (c Reproduce) Run(ctx context.Context, s cli.Streams) error {
	start := time.Now()
	c.size()
	sweep, grid, err := c.sweep()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return err
	}
	for _, name := range reproductionFiles {
		if err := c.Check("--out", filepath.Join(c.Out, name)); err != nil {
			return err
		}
	}
	r := &reproduction{dir: c.Out, force: c.ForceFlag, setup: sweep.Setup, grid: grid, questions: c.Questions}
	fmt.Fprintln(s.Err, "drawing Fig. 1 and Fig. 4")
	if err := r.example(ctx); err != nil {
		return err
	}
	if err := r.caseStudy(ctx); err != nil {
		return err
	}
	results := filepath.Join(c.Out, "results.jsonl")
	if _, err := runSweep(ctx, s, sweep, results); err != nil {
		return err
	}
	if err := r.load(results); err != nil {
		return err
	}
	r.made = c.provenance(r, time.Since(start))
	if c.Quick {
		full, err := c.fullCost(ctx, results)
		if err != nil {
			return err
		}
		r.made = append(r.made, full)
		fmt.Fprintln(s.Err, full)
	}
	if err := r.curves(); err != nil {
		return err
	}
	doc, err := r.document()
	if err != nil {
		return err
	}
	if err := doc.Write(c.Out, c.Force); err != nil {
		return cli.WrapFileError("--out", c.Out, err)
	}
	page := filepath.Join(c.Out, "report.html")
	return s.Line(struct {
		File    string  `json:"file"`    // the page
		Results string  `json:"results"` // the rows it rests on
		Rows    int     `json:"rows"`
		Seconds float64 `json:"seconds"`
	}{page, results, r.rows, time.Since(start).Seconds()}, page)
}

// provenance says how to get the same numbers again, and what they cost.
func (c *Reproduce) provenance(r *reproduction, took time.Duration) []string {
	command := fmt.Sprintf("prefer reproduce --model %s --seeds %s --questions %d", c.Model, c.Seeds, c.Questions)
	if len(c.Problems) > 0 {
		command += " --problems " + strings.Join(c.Problems, ",")
	}
	cost := fmt.Sprintf("%d rows", r.rows)
	if r.cpu > 0 { // not known on every system
		cost += ", which took " + cli.FormatDuration(r.cpu) + " of processor time"
	}
	return []string{
		"Command: " + command, "Program: " + cli.ThisBuild().String(),
		"Cost: " + cost + "; this run of the command took " + cli.FormatDuration(took) + " on the clock.",
	}
}

func (c Reproduce) fullCost(ctx context.Context, results string) (string, error) {
	out := c.Out
	c = Reproduce{Model: c.Model, Problems: c.Problems, Jobs: c.Jobs}
	c.size()
	sweep, _, err := c.sweep()
	if err != nil {
		return "", err
	}
	file, err := bench.ReadFile(results)
	if err != nil {
		return "", err
	}
	plan, err := sweep.Plan(ctx, file)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("The full run (seeds %s, %d questions) will take about %s on this machine with %s, %s of processor time: the same command without --quick, with --out %s to go on from here.",
		c.Seeds, c.Questions, cli.FormatDuration(plan.Wall), say.Count(plan.Jobs, "job"), cli.FormatDuration(plan.CPU), out), nil
}
