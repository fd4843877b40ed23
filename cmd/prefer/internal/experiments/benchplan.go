package experiments

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench"
	"github.com/prefer-bo/prefer/say"
)

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
		title := name
		if name == "" {
			title = "all"
		}
		fmt.Fprint(t, title)
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
