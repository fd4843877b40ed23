package experiments

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/figure"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/say"
)

type Reproduce struct {
	Quick     bool     `help:"A first look in two minutes: seeds ${quick_seeds}, ${quick_questions} questions."`
	Model     string   `help:"paper, for the paper to the letter, or default, for prefer's own choices." enum:"paper,default" default:"paper"`
	Seeds     string   `help:"Seeds, as in 0-19 or 3,7. Defaults to 0-19." placeholder:"LIST"`
	Questions int      `help:"Questions after the initial pairs. Defaults to 100." least:"0" placeholder:"N"`
	Problems  []string `help:"Problems. Defaults to the paper's six." placeholder:"NAME,…"`
	Jobs      int      `help:"Cells in parallel. Defaults to the number of processors." placeholder:"N"`
	Out       string   `help:"Folder to write. What its results.jsonl has is not run again." required:"" placeholder:"DIR"`
	cli.ForceFlag
}

// The paper's sizes (§4.1), and those of a quick look: five seeds are the fewest that can be compared.
const (
	paperSeeds, paperQuestions = "0-19", 100
	quickSeeds, quickQuestions = "0-4", 25
)

// sweep returns the cells of Fig. 2 and 3: both levels of noise, the four methods.
func (c *Reproduce) sweep() (*bench.Sweep, bench.Grid, error) {
	seeds, err := bench.ParseSeeds(c.Seeds)
	if err != nil {
		return nil, bench.Grid{}, cli.WrapFlagError(err, "--seeds", c.Seeds)
	}
	grid := bench.Grid{Problems: c.Problems, Seeds: seeds}.WithDefaults()
	cells, err := grid.Cells()
	return &bench.Sweep{Runner: bench.Runner{Setup: bench.Setup{Modelling: bench.Modelling{Model: c.Model}}, Questions: c.Questions, Now: time.Now}, Cells: cells, Jobs: c.Jobs}, grid, cli.Usage(err)
}

func (c Reproduce) Run(ctx context.Context, s cli.Streams) error {
	start := time.Now()
	seeds, questions := paperSeeds, paperQuestions
	if c.Quick {
		seeds, questions = quickSeeds, quickQuestions
	}
	c.Seeds, c.Questions = cmp.Or(c.Seeds, seeds), cmp.Or(c.Questions, questions)
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
	r := &reproduction{setup: sweep.Setup, grid: grid, questions: c.Questions}
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
		full := fmt.Sprintf("For all seeds and questions: the same command without --quick, with --out %s to go on from here.", c.Out)
		r.made = append(r.made, full)
		fmt.Fprintln(s.Err, full)
	}
	r.curves()
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

// reproduction is the paper's figures on their way into a folder.
type reproduction struct {
	setup     bench.Setup
	grid      bench.Grid
	questions int

	table *compare.Table
	rows  int           // in the table
	cpu   time.Duration // they took

	figures [4]compare.Section // Fig. 1 to 4
	made    []string           // how, to make the same again
}

// exampleSteps is the grid of Fig. 1, fine enough for print.
const exampleSteps = 160

func (r *reproduction) example(ctx context.Context) error {
	cfg, err := r.setup.Config(problem.Quadratic(1), "kg", bench.NewDesign(1, 0, 0))
	if err != nil {
		return err
	}
	e, err := figure.NewExample(ctx, cfg.Model, exampleSteps)
	if err != nil {
		return err
	}
	r.figures[0] = compare.Section{
		Title: "Fig. 1: an example in one dimension",
		Text: []string{"The utility is −x² on [−1, 1]. Left and middle: the posterior before and after the question that the knowledge gradient chooses. " +
			"Right: what every possible question is worth."},
		Figures: []compare.Figure{{Caption: "Fig. 1", File: "fig1.svg", SVG: e.Draw()}},
	}
	return nil
}

func (r *reproduction) caseStudy(ctx context.Context) error {
	levy := problem.Levy(2)
	template, err := r.setup.Config(levy, "kg", bench.NewDesign(levy.Dim, 0, 0))
	if err != nil {
		return err
	}
	questions := min(50, 2*r.questions) // 50 in §4.2; a small run is small here, too
	c, err := figure.NewCaseStudy(ctx, template, questions)
	if err != nil {
		return err
	}
	r.figures[3] = compare.Section{
		Title: "Fig. 4: where EUBO and the knowledge gradient ask",
		Text: []string{fmt.Sprintf("The two-dimensional Levy function, answers without noise, %d questions after %d initial pairs. "+
			"The lower row, which the paper does not have, is the part around the optimum.", questions, len(c.Initial))},
		Figures: []compare.Figure{{Caption: "Fig. 4", File: "fig4.svg", SVG: c.Draw()}},
	}
	return nil
}

// reproductionFiles are the files of the folder that are overwritten.
var reproductionFiles = []string{"report.html", "report.md", "fig1.svg", "fig2.svg", "fig2-median.svg", "fig3.svg", "fig3-median.svg", "fig4.svg"}

// load reads the rows of this reproduction; the file may have others.
func (r *reproduction) load(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r.table = &compare.Table{}
	return bench.ReadRows(f, path, func(row bench.Row) error {
		if row.Setup != r.setup.Name() || row.Iter < 0 || row.Iter > r.questions || !slices.Contains(r.grid.Problems, row.Problem) ||
			!slices.Contains(r.grid.Noise, row.Noise) || !slices.Contains(r.grid.Methods, row.Method) || !slices.Contains(r.grid.Seeds, row.Seed) {
			return nil
		}
		r.rows++
		r.cpu += time.Duration(row.CPUSeconds * float64(time.Second))
		return r.table.Add(row)
	})
}

// curves draws Fig. 2 and 3, each as the paper has it and with medians.
func (r *reproduction) curves() {
	for i, level := range []string{"low", "high"} {
		number, noise := i+2, r.grid.Noise[i]
		drawn := func(statistic, file string) compare.Figure {
			return compare.Figure{Caption: fmt.Sprintf("Fig. %d, %s over seeds", number, statistic), File: file, SVG: r.gaps(noise, statistic).Draw()}
		}
		r.figures[number-1] = compare.Section{
			Title: fmt.Sprintf("Fig. %d: optimality gaps at %s noise", number, level),
			Text: []string{fmt.Sprintf("Answers about pairs among the best 1 %% of the domain are wrong %g %% of the time. First the mean over %s with its standard error, "+
				"as in the paper, which a few bad runs can decide; then the median with quartiles.", 100*noise, say.Count(len(r.grid.Seeds), "seed"))},
			Figures: []compare.Figure{drawn("mean", fmt.Sprintf("fig%d.svg", number)), drawn("median", fmt.Sprintf("fig%d-median.svg", number))},
		}
	}
}

// gaps is a panel for each problem with a curve for each method: the mean with its standard error, or the median with quartiles.
func (r *reproduction) gaps(noise float64, statistic string) figure.Curves {
	c := figure.Curves{XLabel: "questions after the initial pairs", YLabel: statistic + " optimality gap"}
	at := xslices.Times(r.questions+1, func(k int) compare.Position { return compare.Position{Axis: compare.Iter, At: k} })
	for _, name := range r.grid.Problems {
		panel := r.table.Panel(compare.Group{Problem: name, Noise: noise}, r.series(), at, statistic == "mean")
		family := strings.TrimRight(name, "0123456789") // "hartmann6" is "Hartmann, 6-D"
		panel.Title = strings.ToUpper(family[:1]) + family[1:] + ", " + name[len(family):] + "-D"
		for i := range panel.Curves {
			panel.Curves[i].Setup = "" // all have the same
		}
		c.Panels = append(c.Panels, panel)
	}
	return c
}

// series are the methods of the paper, in its order.
func (r *reproduction) series() []compare.Series {
	return xslices.Map(r.grid.Methods, func(m string) compare.Series { return compare.Series{Setup: r.setup.Name(), Method: m} })
}

// document is the report of a reproduction: what it is, the figures, the tables, the choices.
func (r *reproduction) document() (compare.Document, error) {
	series := r.series()
	o := compare.Options{
		Title: "Knowledge Gradient for Preference Learning, reproduced",
		Lead: fmt.Sprintf("Section 4 of Wu and Gardner (2026, arXiv 2601.22335), computed again by prefer: %s, two levels of noise, four methods, "+
			"%s, %s after the initial pairs.", say.Count(len(r.grid.Problems), "problem"), say.Count(len(r.grid.Seeds), "seed"), say.Count(r.questions, "question")),
		Answers:  []int{}, // every method begins with the same number of pairs here
		Iters:    r.iters(),
		Series:   series,
		Ours:     compare.Series{Setup: r.setup.Name(), Method: "kg"},
		Baseline: xslices.Filter(series, func(s compare.Series) bool { return s.Method == "eubo" || s.Method == "logei" }),
		Late:     compare.Range{From: (r.questions + 1) / 2, To: r.questions},
	}
	doc, err := compare.New(r.table, o)
	if err != nil {
		return doc, err
	}
	tables := slices.DeleteFunc(doc.Sections, func(s compare.Section) bool { return len(s.Figures) > 0 }) // Fig. 2 and 3 show the same curves
	doc.Sections = nil
	if less := r.less(); len(less) > 0 {
		doc.Sections = append(doc.Sections, compare.Section{Title: "Not the paper's experiment in full", Notes: less})
	}
	doc.Sections = slices.Concat(doc.Sections, r.figures[:], tables, []compare.Section{choicesSection(), {Title: "How this was made", Notes: r.made}})
	return doc, nil
}

// iters are the columns of the tables, the last question among them.
func (r *reproduction) iters() []int {
	return append(slices.DeleteFunc([]int{10, 25, 50, 100}, func(n int) bool { return n >= r.questions }), r.questions)
}

// less lists in what a reproduction falls short of the paper, or goes another way.
func (r *reproduction) less() (out []string) {
	full := bench.Grid{}.WithDefaults()
	if n := len(r.grid.Seeds); n != len(full.Seeds) {
		out = append(out, fmt.Sprintf("%s; the paper has %d.", say.Count(n, "seed"), len(full.Seeds)))
	}
	if r.questions != paperQuestions {
		out = append(out, fmt.Sprintf("%s after the initial pairs; the paper has %d.", say.Count(r.questions, "question"), paperQuestions))
	}
	if !slices.Equal(r.grid.Problems, full.Problems) {
		out = append(out, fmt.Sprintf("The problems are %s; the paper has %s.", strings.Join(r.grid.Problems, ", "), strings.Join(full.Problems, ", ")))
	}
	if r.setup.Model != "paper" {
		out = append(out, "The model, the number of initial pairs and the search are prefer's own, not the paper's.")
	}
	return out
}

// choices are what the paper leaves open, as docs/dev/paper.md, section 2, words it: lines of what, our choice and why, with tabs between.
//
//go:embed paperchoices.txt
var choices string

func choicesSection() compare.Section {
	s := compare.Section{
		Title: "What the paper leaves open, and what we chose",
		Text:  []string{"Where our curves differ from the paper's, one of these is the first suspect. The whole list is in docs/dev/paper.md."},
	}
	for line := range strings.Lines(choices) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		note := c[0] + ": " + c[1] + "."
		if len(c) > 2 {
			note += " Why: " + c[2] + "."
		}
		s.Notes = append(s.Notes, note)
	}
	return s
}
