package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench"
	"github.com/prefer-bo/prefer/say"
)

type sweepFlags struct {
	gridFlags
	commandFlags
	setupFlags
	Questions int    `help:"Questions after the initial pairs." default:"100" least:"0" want:"at least 0"`
	Early     bool   `help:"Also write the rows before the last initial pair."`
	Design    string `help:"Take initial pairs and the rater's noise from this file." type:"existingfile" placeholder:"FILE"`
	Jobs      int    `help:"Cells at the same time. Defaults to the number of processors." placeholder:"N"`
}

// sweep returns the sweep, and what ends the commands it has.
func (f sweepFlags) sweep(s cli.Streams) (_ *bench.Sweep, close func(), err error) {
	own, end, err := f.start(s)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	cells, err := f.cells(own)
	if err != nil {
		return nil, nil, err
	}
	setup, err := f.setup()
	if err != nil {
		return nil, nil, err
	}
	run := bench.Runner{Setup: setup, Questions: f.Questions, Early: f.Early, Own: own, Now: time.Now}
	if f.Design != "" {
		run.Setup.Design = strings.TrimSuffix(filepath.Base(f.Design), ".json")
		file, err := os.Open(f.Design)
		if err != nil {
			return nil, nil, err
		}
		defer file.Close()
		if run.Designs, err = bench.ReadDesigns(file); err != nil {
			return nil, nil, err
		}
	}
	return &bench.Sweep{Runner: run, Cells: cells, Jobs: f.Jobs}, end, nil
}

type benchRun struct {
	sweepFlags
	Out   string `help:"Results file; what it already has is not run again." default:"results.jsonl"`
	Queue string `help:"Database in which the cells wait for \"prefer worker\", in place of running them here: postgres://…" placeholder:"URL"`
	Wait  bool   `help:"With --queue: show progress until they are done."`
}

func (c benchRun) Run(ctx context.Context, s cli.Streams) error {
	if c.Queue != "" && len(c.ProblemCmd)+len(c.MethodCmd) > 0 {
		return cli.Usagef("--problem-cmd and --method-cmd run here: the workers of --queue do not have them")
	}
	sweep, end, err := c.sweep(s)
	if err != nil {
		return err
	}
	defer end()
	if c.Queue != "" {
		return enqueueSweep(ctx, s, sweep, c.Queue, c.Wait)
	}
	if c.Wait {
		return cli.Usagef("--wait goes with --queue; without it the cells are run here")
	}
	done, err := runSweep(ctx, s, sweep, c.Out)
	if err != nil {
		return err
	}
	return s.Notify(done, "")
}

type swept struct {
	Setup     string  `json:"setup"`
	File      string  `json:"file"`
	Cells     int     `json:"cells"`
	Done      int     `json:"done"`      // now, those that were there before included
	Questions int     `json:"questions"` // asked in this run
	Seconds   float64 `json:"seconds"`
}

// runSweep runs what is missing, with progress on the terminal.
func runSweep(ctx context.Context, s cli.Streams, sweep *bench.Sweep, path string) (out swept, err error) {
	file, err := bench.OpenFile(path)
	if err != nil {
		return swept{}, cli.WrapFileError("--out", path, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	start := time.Now()
	var end func() (from, to bench.Progress)
	sweep.Progress, end = sweepProgress(s.Err, sweep.Setup.Name(), time.Now)
	err = sweep.Run(ctx, file)
	first, last := end()
	return swept{Setup: sweep.Setup.Name(), File: path, Cells: last.Cells, Done: last.CellsDone,
		Questions: last.RowsDone - first.RowsDone, Seconds: time.Since(start).Seconds()}, err
}

// sweepProgress returns functions that show the progress of a sweep and, at its end, what it has done. Cells of earlier runs are named first.
func sweepProgress(w io.Writer, name string, now func() time.Time) (show func(bench.Progress), end func() (from, to bench.Progress)) {
	bar := cli.NewProgress(w, name, now)
	var first, at bench.Progress
	show = func(p bench.Progress) {
		if at.Cells == 0 {
			first = p
			if p.CellsDone > 0 {
				fmt.Fprintf(w, "%s: %d of %d cells are there already\n", name, p.CellsDone, p.Cells)
			}
		}
		at = p
		bar.Show(float64(p.RowsDone)/float64(max(1, p.Rows)), fmt.Sprintf("%d of %d cells, %d of %d questions", p.CellsDone, p.Cells, p.RowsDone, p.Rows))
	}
	end = func() (bench.Progress, bench.Progress) {
		bar.End()
		if done := at.RowsDone - first.RowsDone; done > 0 || at.CellsDone > first.CellsDone {
			fmt.Fprintf(w, "%s: %d of %d cells, %d questions in %s\n", name, at.CellsDone, at.Cells, done, cli.FormatDuration(now().Sub(bar.Start)))
		}
		return first, at
	}
	return show, end
}

type benchPlan struct {
	sweepFlags
	Out string `help:"Results file; what it already has costs nothing." default:"results.jsonl"`
}

func (c benchPlan) Run(ctx context.Context, s cli.Streams) error {
	sweep, end, err := c.sweep(s)
	if err != nil {
		return err
	}
	defer end()
	file, err := bench.ReadFile(c.Out)
	if err != nil {
		return err
	}
	plan, err := sweep.Plan(ctx, file)
	if err != nil {
		return err
	}
	return s.Result(plan, func(w io.Writer) error { return writePlan(w, plan) })
}

// writePlan writes processor time by problem and method, and the sums.
func writePlan(w io.Writer, p bench.Plan) error {
	left := p.Cells - p.CellsDone
	fmt.Fprintf(w, "%s, %d questions each: %d cells, %d done, %d left\n", p.Setup, p.Questions, p.Cells, p.CellsDone, left)
	if left == 0 {
		return nil
	}
	var problems, methods []string
	cost := map[[2]string]time.Duration{}
	for _, k := range p.Costs {
		if !slices.Contains(problems, k.Problem) {
			problems = append(problems, k.Problem)
		}
		if !slices.Contains(methods, k.Method) {
			methods = append(methods, k.Method)
		}
		for _, key := range [][2]string{{k.Problem, k.Method}, {k.Problem, ""}, {"", k.Method}, {"", ""}} {
			cost[key] += k.CPU
		}
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	for _, m := range methods {
		fmt.Fprint(t, "\t", m)
	}
	fmt.Fprintln(t, "\tall\t")
	for _, name := range append(problems, "") {
		fmt.Fprint(t, cmp.Or(name, "all"))
		for _, m := range append(methods, "") {
			text := "–"
			if d, ok := cost[[2]string{name, m}]; ok {
				text = cli.FormatDuration(d)
			}
			fmt.Fprint(t, "\t", text)
		}
		fmt.Fprintln(t, "\t")
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nprocessor time %s; about %s on the clock with %s\n", cli.FormatDuration(p.CPU), cli.FormatDuration(p.Wall), say.Count(p.Jobs, "job"))
	return err
}
